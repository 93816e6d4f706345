// Tools that go on when a test says so, and tools that fail.
import { defineTool, type Tool } from "@spfunctions/kernel";
import { z } from "zod";

type Visit = {
  readonly tool: string;
  readonly text: string;
  readonly attempt: number;
  /** Aborted when whoever called has gone, where that ends it. */
  readonly signal: AbortSignal;
  readonly progress: (message: string) => void;
  /** Lets it go on to its end. */
  readonly goOn: () => void;
  /** Lets it fail. */
  readonly fail: (error: unknown) => void;
};

export type Gated = {
  readonly pack: readonly Tool[];
  readonly visits: readonly Visit[];
  /** The visit with this number, once it has begun. */
  readonly visit: (index: number) => Promise<Visit>;
};

const kinds = [
  ["gated.read", "GET", "none", "natural"],
  ["gated.write", "POST", "user_write", "none"],
  ["gated.again", "PUT", "user_write", "natural"],
] as const;

export function gatedPack(): Gated {
  const visits: Visit[] = [];
  const waiting = new Map<number, (visit: Visit) => void>();
  const pack = kinds.map(([name, method, sideEffect, idempotency]) =>
    defineTool({
      name,
      description: `Waits (${idempotency}).`,
      input: z.strictObject({ text: z.string() }),
      output: z.strictObject({ text: z.string() }),
      permissions: ["gated:use"],
      sideEffect,
      costEffect: "none",
      ...(sideEffect === "none" ? { risk: ["account_context"] } : { idempotency: { type: idempotency } }),
      http: { method, path: `/api/${name.replace(".", "/")}` },
      sdk: { package: "@spfunctions/test", method: name },
      run: async ({ text }, { signal, attempt, progress }) => {
        const { promise, resolve: goOn, reject: fail } = Promise.withResolvers<void>();
        const visit = { tool: name, text, attempt, signal, progress, goOn, fail };
        visits.push(visit);
        waiting.get(visits.length - 1)?.(visit);
        signal.addEventListener("abort", () => fail(signal.reason));
        await promise;
        return { text };
      },
    }),
  );
  return {
    pack,
    visits,
    visit: (index) =>
      new Promise((resolve) => {
        const visit = visits[index];
        if (visit === undefined) waiting.set(index, resolve);
        else resolve(visit);
      }),
  };
}
