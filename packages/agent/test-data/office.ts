// An office: a tool that reads, one that writes, one that trades on paper, and a model that says what it was told to say.
import { createMemoryStore, defineTool, openOperator, type Operator, type Store } from "@spfunctions/kernel";
import { z } from "zod";

export type Office = {
  readonly packs: readonly [readonly ReturnType<typeof defineTool>[]];
  readonly deeds: string[];
  readonly principal: typeof principal;
  readonly store: Store;
  readonly operator: Operator;
};

const principal = { accountId: "office", keyId: "anna", scopes: ["read", "write"], kind: "local" } as const;
const boss = { accountId: "office", keyId: "bert", scopes: ["admin"], kind: "operator" } as const;

export const bounds = {
  budget: { maxSteps: 10, maxToolCalls: 20 },
  session: { persist: true, ttlMs: 3_600_000, maxHistoryTokens: 32_000 },
} as const;

export function office(): Office {
  const deeds: string[] = [];
  const note = z.strictObject({ text: z.string() });
  const tool = (name: string, sideEffect: "none" | "user_write" | "paper_trade") =>
    defineTool({
      name,
      description: `Does ${name}.`,
      input: note,
      output: z.strictObject({ did: z.string() }),
      permissions: [],
      sideEffect,
      costEffect: "none",
      agent: { defaultEnabled: sideEffect === "none" },
      run: ({ text }) => {
        deeds.push(`${name} ${text}`);
        return { did: text };
      },
    });
  const store = createMemoryStore();
  return {
    packs: [
      [tool("notes.read", "none"), tool("notes.write", "user_write"), tool("paper.buy", "paper_trade")],
    ],
    deeds,
    principal,
    store,
    operator: openOperator({ store, principal: boss }),
  } as unknown as Office;
}
