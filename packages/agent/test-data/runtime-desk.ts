// A runtime with everything about it at hand: its tools, its store, a model that says what it is told to say, and a person who answers.
import {
  type AgentPolicy,
  type JournalRecord,
  journalRecordSchema,
  parseJsonStrict,
  type RuntimeEvent,
  runtimeEventSchema,
  type RuntimeRunResult,
  runtimeRunResultSchema,
} from "@spfunctions/contracts";
import { createMemoryStore, openOperator, type Operator, type Store } from "@spfunctions/kernel";
import { onTestFinished } from "vitest";
import { Deck, type Deed } from "../../kernel/test-data/call-deck.ts";
import { installation, principalOf } from "../../kernel/test-data/call-desk.ts";
import { settlement } from "../../kernel/test-data/call-waiting.ts";
import { type Saying, saying, type Script, ScriptedModel } from "../../kernel/test-data/run-desk.ts";
import { SimpleFunctionsRuntime, type SimpleFunctionsRuntimeOptions } from "../src/v1/index.ts";

/** What every policy of a runtime must have. */
export const bounds = {
  budget: { maxSteps: 20, maxToolCalls: 20 },
  session: { persist: true, ttlMs: 86_400_000, maxHistoryTokens: 32_000 },
} as const satisfies AgentPolicy;

/** It may write, and asks a person first. */
export const asking = {
  ...bounds,
  maxSideEffect: "user_write",
  maxCostEffect: "llm_cost",
} as const satisfies AgentPolicy;

/** It may write without asking. */
export const writing = {
  ...asking,
  approvals: { requireForSideEffectAtOrAbove: "secret" },
} as const satisfies AgentPolicy;

export type RuntimeDeskOptions = Partial<SimpleFunctionsRuntimeOptions> & {
  readonly says?: readonly Saying[];
  readonly script?: Script;
  readonly deed?: Deed;
  readonly deck?: Deck;
};

export type RuntimeDesk = {
  readonly runtime: SimpleFunctionsRuntime;
  readonly model: ScriptedModel;
  readonly deck: Deck;
  readonly store: Store;
  /** Another person's, who may answer what runs ask. */
  readonly operator: Operator;
  readonly records: (runId: string) => Promise<JournalRecord[]>;
  readonly kinds: (runId: string) => Promise<string[]>;
};

/** Closed when its test has ended. */
export function runtimeDesk({
  says = ["done"],
  script = saying(...says),
  deed,
  deck = new Deck(deed),
  store = createMemoryStore(),
  ...given
}: RuntimeDeskOptions = {}): RuntimeDesk {
  const model = new ScriptedModel(script);
  const runtime = new SimpleFunctionsRuntime({
    packs: [deck.tools],
    policy: writing,
    principal: principalOf(),
    installation,
    model,
    ...given,
    store,
  });
  // One whose store is dead, or whose tool hangs, never comes to its end.
  onTestFinished(async () => void (await settlement(runtime.close())));
  const records = async (runId: string) => await recordsOfRun(store, runId);
  return {
    runtime,
    model,
    deck,
    store,
    operator: operatorOf(store),
    records,
    kinds: async (runId) => (await records(runId)).map(({ kind }) => kind),
  };
}

export function operatorOf(store: Store): Operator {
  const principal = principalOf("acct_1", { keyId: "boss", kind: "operator", scopes: ["admin"] });
  const operator = openOperator({ store, installation, principal });
  onTestFinished(() => operator.close());
  return operator;
}

/** Another runtime of the same things, as another process would have it. */
export function anotherRuntime(
  { store, deck }: Pick<RuntimeDesk, "store" | "deck">,
  options: RuntimeDeskOptions = {},
): RuntimeDesk {
  return runtimeDesk({ deck, store, ...options });
}

/** Every record of a run, each as the contract says. */
export async function recordsOfRun(
  store: Store,
  runId: string,
  accountId = "acct_1",
): Promise<JournalRecord[]> {
  const stored = await store.readStream({ stream: runId, accountId, limit: 100_000 });
  return stored.map(({ text }) => journalRecordSchema.parse(parseJsonStrict(text)));
}

/** Each is what the contract says an event is. */
export async function eventsOf(stream: AsyncIterable<RuntimeEvent>): Promise<RuntimeEvent[]> {
  const events: RuntimeEvent[] = [];
  for await (const event of stream) events.push(runtimeEventSchema.parse(event));
  return events;
}

export const typesOf = (events: readonly RuntimeEvent[]): string[] => events.map(({ type }) => type);

/** The result of a run, as the contract says. */
export async function resultOf(run: Promise<RuntimeRunResult>): Promise<RuntimeRunResult> {
  return runtimeRunResultSchema.parse(await run);
}
