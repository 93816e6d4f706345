// What the runs of an account say of each other: who started whom, who has told whom what, and where a call comes up.
import {
  isJsonObject,
  type JournalRecord,
  journalRecordSchema,
  type JsonValue,
  parseJsonStrict,
  type RunId,
} from "@spfunctions/contracts";
import {
  documentsOf,
  readKept,
  runKind,
  segmentsOf,
  type Store,
  type StoredRecord,
  unlessCorrupt,
} from "@spfunctions/kernel";

type Opening = Extract<JournalRecord, { kind: "run.opened" }>;

export type RunFacts = {
  readonly opening: Opening;
  /** The revision that a turn goes on from, and the memories that its model was shown. */
  readonly base: number | undefined;
  readonly shown: readonly string[];
  /** Of a run that makes a summary: of which revision. Earlier versions did not say. */
  readonly condenses: { readonly sessionId: string; readonly revision: number } | undefined;
  /** Where the call comes up first. */
  readonly named: number | undefined;
  readonly children: readonly {
    readonly childRunId: RunId;
    readonly seq: number;
    readonly call: string | undefined;
    readonly isTold: boolean;
  }[];
  /** From where on it has heard of a child. */
  readonly heard: ReadonlyMap<RunId, number>;
  readonly isOver: boolean;
};

export type AccountFacts = {
  readonly runs: ReadonlyMap<RunId, RunFacts>;
  /** What went into the call and came out of it, as far as it is still there. */
  readonly payloads: readonly JsonValue[];
};

/** Every stream is read once. */
export async function readAccountFacts(
  store: Store,
  accountId: string,
  callId: string,
): Promise<AccountFacts> {
  const runs = new Map<RunId, RunFacts>();
  const payloads: JsonValue[] = [];
  for await (const { id } of documentsOf(store, runKind, accountId)) {
    const facts = await readRun(store, accountId, id, callId, payloads);
    if (facts !== undefined) runs.set(facts.opening.runId, facts);
  }
  for await (const stream of segmentsOf(store, accountId))
    for await (const stored of recordsIn(store, stream, accountId))
      if (stored.text.includes(callId)) takePayloads(payloads, readRecord(stored), stored, callId);
  return { runs, payloads };
}

async function readRun(
  store: Store,
  accountId: string,
  stream: string,
  callId: string,
  payloads: JsonValue[],
): Promise<RunFacts | undefined> {
  let opening: Opening | undefined;
  let objective: JsonValue = null;
  let named: number | undefined;
  let isOver = false;
  const children: RunFacts["children"][number][] = [];
  const heard = new Map<RunId, number>();
  const startedBy = new Map<string, RunId>();
  const hear = (childRunId: RunId, seq: number) => heard.set(childRunId, heard.get(childRunId) ?? seq);
  for await (const stored of recordsIn(store, stream, accountId)) {
    const record = readRecord(stored);
    if (record === undefined) continue;
    const { seq } = record;
    if (isOf(record, callId)) named ??= seq;
    takePayloads(payloads, record, stored, callId);
    if (record.kind === "run.opened") {
      opening = record;
      objective = textIn(stored, record.input.ref);
    } else if (record.kind === "run.ended") isOver = true;
    else if (record.kind === "subagent.started") {
      const { childRunId, call, handoff } = record;
      const isTold = call !== undefined || handoff.variant !== "none";
      children.push({ childRunId, seq, call, isTold });
      if (call !== undefined) startedBy.set(call, childRunId);
    } else if (record.kind === "subagent.ended") hear(record.childRunId, seq);
    else if (record.kind === "subagent.message" && record.type === "clarification")
      hear(record.childRunId, seq);
    else if (endingKinds.has(record.kind) && "callId" in record) {
      const child = startedBy.get(record.callId);
      if (child !== undefined) hear(child, seq);
    }
  }
  return opening && { opening, ...readObjective(objective), named, children, heard, isOver };
}

/** Records that say what a call came to. */
export const endingKinds: ReadonlySet<string> = new Set<JournalRecord["kind"]>([
  "call.settled",
  "call.read",
  "call.late",
  "call.resolved",
  "call.repeated",
]);

/** Whether a record is about the call, or proposes it. */
export function isOf(record: JournalRecord, callId: string): boolean {
  if ("callId" in record && record.callId === callId) return true;
  if (record.kind === "call.repeated") return record.of.callId === callId;
  if (record.kind === "subagent.message" || record.kind === "subagent.started") return record.call === callId;
  return record.kind === "model.settled" && record.calls.some((call) => call.callId === callId);
}

function takePayloads(
  payloads: JsonValue[],
  record: JournalRecord | undefined,
  { content }: StoredRecord,
  callId: string,
): void {
  if (record === undefined || !("callId" in record) || !isOf(record, callId)) return;
  for (const row of content) if ("text" in row) payloads.push(readPayload(row.text));
}

function readObjective(objective: JsonValue): Pick<RunFacts, "base" | "shown" | "condenses"> {
  const messages = Array.isArray(objective) ? objective : [];
  const data = messages.map((one) => (isJsonObject(one) ? one["data"] : undefined)).find(isJsonObject);
  const turn = data?.["turn"];
  const condenses = data?.["condenses"];
  const base = isJsonObject(turn) && isJsonObject(turn["base"]) ? turn["base"]["revision"] : undefined;
  const shown = isJsonObject(turn) && Array.isArray(turn["shown"]) ? turn["shown"] : [];
  return {
    base: typeof base === "number" ? base : undefined,
    shown: shown.filter((one) => typeof one === "string"),
    condenses:
      isJsonObject(condenses) &&
      typeof condenses["sessionId"] === "string" &&
      typeof condenses["revision"] === "number"
        ? { sessionId: condenses["sessionId"], revision: condenses["revision"] }
        : undefined,
  };
}

function textIn({ content }: StoredRecord, ref: string): JsonValue {
  const row = content.find((one) => one.ref === ref);
  return row !== undefined && "text" in row ? readPayload(row.text) : null;
}

/** Nothing of one that is not what was written: it says nothing that can be relied on, and verifying names it. */
export function readRecord({ seq, text }: StoredRecord): JournalRecord | undefined {
  return unlessCorrupt(() => readKept(journalRecordSchema, text, `record ${seq}`));
}

function readPayload(text: string): JsonValue {
  try {
    return parseJsonStrict(text);
  } catch {
    // It was changed: its words are looked for as they stand.
    return text;
  }
}

const page = 256;

export async function* recordsIn(
  store: Store,
  stream: string,
  accountId: string,
): AsyncGenerator<StoredRecord> {
  for (let from = 1; ; from += page) {
    // oxlint-disable-next-line no-await-in-loop -- page by page
    const records = await store.readStream({ stream, accountId, from, limit: page });
    yield* records;
    if (records.length < page) return;
  }
}
