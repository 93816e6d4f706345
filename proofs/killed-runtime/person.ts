// A person beside the program, in another process: answers what is asked through the inbox, takes their time, and finds out what became of
// effects of which nobody knows. They go on doing so while the program is dead.
import { isSimpleFunctionsError, type UnknownEffect } from "@spfunctions/contracts";
import { openGuestOperator, type OperatorDesk, Runs, type Store, unknownEffects } from "@spfunctions/kernel";
import { setTimeout as after } from "node:timers/promises";
import type { CountingServer } from "../crash-truth/counting-server.ts";
import { accountId, isDenied } from "./plan.ts";
import { boss, installation } from "./runtime.ts";

export type PersonParts = {
  /** As a guest has it. */
  readonly store: Store;
  readonly world: CountingServer;
  readonly random: () => number;
  readonly broken: string[];
  /** Whether what a program that was killed had sent may still be on its way. */
  readonly isSettled: () => boolean;
};

export class Person {
  /** For whoever looks at runs, and leaves something for them. */
  readonly runs: Runs;
  readonly #parts: PersonParts;
  readonly #operator: OperatorDesk;
  readonly #busyWith = new Map<string, Promise<void>>();
  readonly #over = new AbortController();
  readonly #living: Promise<void>;
  #closing: Promise<void> | undefined;
  /** How often a person was asked, and had said the same before. */
  saidAgain = 0;

  constructor(parts: PersonParts) {
    this.#parts = parts;
    this.runs = idleRuns(parts.store);
    const { store } = parts;
    const { signal } = this.#over;
    this.#operator = openGuestOperator({ store, principal: boss, installation, waitMs: 4000, signal });
    this.#living = this.#live();
  }

  close(): Promise<void> {
    this.#over.abort();
    this.#closing ??= (async () => {
      await this.#living;
      await Promise.all(this.#busyWith.values());
      await this.#operator.close();
      await this.runs.close();
    })();
    return this.#closing;
  }

  async #live(): Promise<void> {
    const { random, store, isSettled } = this.#parts;
    /* oxlint-disable no-await-in-loop -- one look after the other */
    while (!this.#over.signal.aborted) {
      for (const { approvalId, input } of await this.#operator.list())
        if (random() < 0.5) this.#do(approvalId, () => this.#answer(approvalId, input));
      for (const effect of isSettled() ? await unknownEffects(store, accountId) : [])
        this.#do(effect.effectId, () => this.#findOut(effect));
      await after(20 + random() * 60);
    }
    /* oxlint-enable no-await-in-loop */
  }

  /** One thing at a time about each; whoever is too late is told so, and comes again where nobody took it. */
  #do(what: string, act: () => Promise<void>): void {
    if (this.#busyWith.has(what)) return;
    const doing = act()
      .catch((error: unknown) => {
        const { code } = error as { readonly code?: string };
        const isToldSo = code === "invalid_transition" || code === "timeout" || code === "cancelled";
        if (!isSimpleFunctionsError(error) || !isToldSo)
          this.#parts.broken.push(`a person could not do what they wanted: ${String(error)}`);
      })
      .finally(() => this.#busyWith.delete(what));
    this.#busyWith.set(what, doing);
  }

  async #answer(approvalId: string, input: unknown): Promise<void> {
    const { operation = "" } = input as { readonly operation?: string };
    const say = async () =>
      isDenied(operation)
        ? await this.#operator.deny(approvalId, { note: "not this one" })
        : await this.#operator.approve(approvalId);
    await say();
    if (this.#parts.random() < 0.7) return;
    this.saidAgain += 1;
    await say();
  }

  /** What was done can be seen outside. */
  async #findOut({ runId, effectId }: UnknownEffect): Promise<void> {
    const { world } = this.#parts;
    const operation = await this.#operationOf(runId, effectId);
    const isDone = (world.seen.get(operation)?.applied ?? 0) > 0;
    await this.runs.resolve(runId, effectId, {
      status: isDone ? "completed" : "failed",
      note: "looked it up outside",
    });
    // It is left for the program, which may be dead.
    await after(1500, undefined, { signal: this.#over.signal }).catch(() => undefined);
  }

  async #operationOf(runId: string, effectId: string): Promise<string> {
    const { store } = this.#parts;
    for (const { text, content } of await store.readStream({ stream: runId, accountId, limit: 10_000 })) {
      const record = JSON.parse(text) as { kind: string; effectId?: string; input?: { ref: string } };
      if (record.kind !== "call.intended" || record.effectId !== effectId) continue;
      const row = content.find(({ ref }) => ref === record.input?.ref);
      return (
        (JSON.parse(row !== undefined && "text" in row ? row.text : "{}") as { operation?: string })
          .operation ?? ""
      );
    }
    return "";
  }
}

/** J3: beside the process that drives the folder every run is that one's. */
function idleRuns(store: Store): Runs {
  const beside = new Proxy(store, {
    get: (target, name: keyof Store) =>
      name === "lease"
        ? async () => ({ type: "held" })
        : (target[name] as (...all: unknown[]) => unknown).bind(target),
  });
  return new Runs({
    store: beside,
    installation,
    packs: [],
    levels: [{ level: "agent", policy: {} }],
    principal: boss,
    agentId: "person",
    model: { adapter: { name: "nobody", complete: async () => await new Promise<never>(() => {}) } },
  });
}
