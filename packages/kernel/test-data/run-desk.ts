// Runs with everything about them at hand: a clock, a store, tools, and a model that says what it was told to say.
import {
  type ContentDigest,
  type JournalRecord,
  journalRecordSchema,
  type JsonValue,
  parseJsonStrict,
  type RuntimeEvent,
  runtimeEventSchema,
} from "@spfunctions/contracts";
import { openOperator, type Operator } from "../src/approval/open-operator.ts";
import { verifyRecord } from "../src/journal/verify-stream.ts";
import type { ModelAdapter, ModelCompleteInput, ModelCompleteResult } from "../src/model/model-adapter.ts";
import { toldDigestIn } from "../src/run/model/conversation.ts";
import { foldRun, type Run } from "../src/run/state/fold-run.ts";
import type { RunsOptions } from "../src/run/open-run-host.ts";
import { runEvents } from "../src/run/state/run-events.ts";
import type { RunHandle } from "../src/run/run-handle.ts";
import { Runs } from "../src/run/runs.ts";
import type { Store, StoredRecord } from "../src/store/store.ts";
import { ManualClock } from "./call-clock.ts";
import { type Deck, type Deed, sharedDeck } from "./call-deck.ts";
import { installation, principalOf } from "./call-desk.ts";
import { countingIds } from "./call-ids.ts";
import { FaultyStore } from "./call-store.ts";

export type Proposal = { readonly name: string; readonly args?: JsonValue; readonly id?: string };
/** What a model says in its nth step: calls, its last word, or whatever else a model may give back. */
export type Saying = string | readonly Proposal[] | { readonly raw: unknown };
export type Script = (input: ModelCompleteInput, step: number) => Saying | Promise<Saying>;

/** A model that answers by what it sees alone, so that it says the same after a crash. */
export class ScriptedModel implements ModelAdapter {
  readonly name = "scripted";
  readonly offline = true;
  readonly asked: ModelCompleteInput[] = [];
  usage = { inputTokens: 10, outputTokens: 5 };
  readonly #script: Script;

  constructor(script: Script) {
    this.#script = script;
  }

  async complete(input: ModelCompleteInput): Promise<ModelCompleteResult> {
    this.asked.push(input);
    const step = input.messages.filter(({ role }) => role === "assistant").length + 1;
    const said = await this.#script(input, step);
    const { usage } = this;
    if (typeof said === "string") return { text: said, toolCalls: [], finish: "stop", usage };
    if ("raw" in said) return said.raw as ModelCompleteResult;
    const toolCalls = said.map(({ name, args = {}, id }, index) => ({
      id: id ?? `t${step}-${index}`,
      name,
      args,
    }));
    return { text: "", toolCalls, finish: "tool_calls", usage };
  }
}

/** Says these, one a step. */
export function saying(...said: readonly Saying[]): Script {
  return (_input, step) => said[step - 1] ?? "that is all";
}

/** Says these, one each time it is asked; what is an error is thrown. */
export function inTurn(...said: readonly (Saying | Error)[]): Script {
  let asked = 0;
  return () => {
    const next = said[asked++] ?? "that is all";
    if (next instanceof Error) throw next;
    return next;
  };
}

export const write = (text: string): Proposal => ({ name: "notes.write", args: { text } });
export const put = (text: string): Proposal => ({ name: "notes.put", args: { text } });
export const read: Proposal = { name: "notes.read" };

export const generous = { maxSideEffect: "user_write", maxCostEffect: "llm_cost" } as const;
export const asking = { ...generous, approvals: { requireForSideEffectAtOrAbove: "user_write" } } as const;
export const atOnce = (maxInFlight: number) => ({ type: "bounded_concurrent", maxInFlight }) as const;
export const inOrder = (maxInFlight: number) => ({ type: "ordered_batch", maxInFlight }) as const;

export const levelOf = (policy: object): RunsOptions["levels"] => [{ level: "agent", policy }];

export type RunDeskOptions = Partial<Omit<RunsOptions, "store" | "clock" | "model">> & {
  readonly script?: Script;
  readonly model?: Partial<RunsOptions["model"]>;
  readonly deck?: Deck;
  readonly deed?: Deed;
  readonly store?: FaultyStore;
  readonly clock?: ManualClock;
  /** Which process it is, where several share a store. */
  readonly life?: number;
};

export type RunDesk = {
  readonly runs: Runs;
  readonly model: ScriptedModel;
  readonly deck: Deck;
  readonly store: FaultyStore;
  readonly clock: ManualClock;
  readonly operator: Operator;
  /** Starts a run. */
  readonly start: () => Promise<RunHandle>;
  readonly records: (runId: string) => Promise<JournalRecord[]>;
  readonly kinds: (runId: string) => Promise<string[]>;
  /** Each record with its status, its error and what else tells it from others. */
  readonly labels: (runId: string) => Promise<string[]>;
  /** What a watcher is shown, read from what is kept. */
  readonly shown: (runId: string) => Promise<RuntimeEvent[]>;
  readonly events: (runId: string) => Promise<string[]>;
};

export function openRunDesk(options: RunDeskOptions = {}): RunDesk {
  const { script = saying("done"), deed, deck = sharedDeck(deed), life = 1, ...given } = options;
  const { store = new FaultyStore(), clock = new ManualClock(), model: terms, ...rest } = given;
  const model = new ScriptedModel(script);
  const runs = new Runs({
    packs: [deck.tools],
    levels: levelOf(generous),
    principal: principalOf(),
    agentId: "scribe",
    installation,
    ids: countingIds(life),
    ...rest,
    model: { adapter: model, ...terms },
    store,
    clock,
  });
  const operator = openOperator({
    store,
    clock,
    installation,
    ids: countingIds(life + 50),
    principal: boss,
  });
  const records = async (runId: string) => (await storedRun(store.inner, runId)).map(readRecord);
  return {
    runs,
    model,
    deck,
    store,
    clock,
    operator,
    start: async () => await runs.start({ objective: "take a note" }),
    records,
    kinds: async (runId) => (await records(runId)).map(({ kind }) => kind),
    labels: async (runId) => (await records(runId)).map(labelOf),
    shown: async (runId) => await shownOf(store.inner, runId),
    events: async (runId) => (await shownOf(store.inner, runId)).map(({ type }) => type),
  };
}

export const boss = principalOf("acct_1", { keyId: "boss", kind: "operator", scopes: ["admin"] });

/** The next life of a program on the same data. */
export function reopenRunDesk(desk: Pick<RunDesk, "store" | "clock">, options: RunDeskOptions = {}): RunDesk {
  return openRunDesk({ life: 2, ...options, clock: desk.clock, store: new FaultyStore(desk.store.inner) });
}

export async function storedRun(store: Store, runId: string): Promise<StoredRecord[]> {
  return await store.readStream({ stream: runId, accountId: "acct_1", limit: 100_000 });
}

/** The digests of what a model, or a child, was told, as far as they are there. */
export function toldIn(
  stored: readonly StoredRecord[],
): { readonly kind: string; readonly digest: string }[] {
  return stored.flatMap((one) => {
    const { told, kind } = readRecord(one) as { told?: ContentDigest; kind: string };
    const row = one.content.find(({ ref }) => ref === told?.ref);
    return row !== undefined && "text" in row ? [{ kind, digest: toldDigestIn(row.text) }] : [];
  });
}

function readRecord({ text }: StoredRecord): JournalRecord {
  return journalRecordSchema.parse(parseJsonStrict(text));
}

/** A run after each of its records. */
export function foldsOf(
  stored: readonly StoredRecord[],
): { readonly run: Run; readonly record: JournalRecord }[] {
  let run: Run | undefined;
  return stored.map((one) => {
    const verified = verifyRecord(one, one.seq);
    if (verified === undefined) throw new Error(`record ${one.seq} is broken`);
    run = foldRun(run, verified);
    return { run, record: verified.record };
  });
}

async function shownOf(store: Store, runId: string): Promise<RuntimeEvent[]> {
  const stored = await storedRun(store, runId);
  return foldsOf(stored).flatMap(({ run, record }, index) =>
    runEvents(run, record, stored[index]?.content ?? []).map((event) => runtimeEventSchema.parse(event)),
  );
}

function labelOf(record: JournalRecord): string {
  const { kind, status, held, error } = record as {
    kind: string;
    status?: string;
    held?: boolean;
    error?: { code: string };
  };
  return [kind, status, held === true ? "held" : undefined, error?.code]
    .filter((part) => part !== undefined)
    .join(" ");
}
