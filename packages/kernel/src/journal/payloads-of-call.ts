// Where the payloads of a call lie: beside its own records, and wherever a run may quote it.
import {
  type ContentRow,
  type GrantId,
  type JournalRecord,
  journalRecordSchema,
  type RunId,
} from "@spfunctions/contracts";
import { claimKey } from "../call/claims.ts";
import type { ClaimKey, Erasure, Store, StoredRecord } from "../store/store.ts";
import { type Knowing, knowingRuns } from "./knowing-runs.ts";
import { readKept } from "./read-kept.ts";
import { readWholeStream } from "./read-stream.ts";
import { streamsOf } from "./verify-account.ts";

/** What is kept of a call, and what hangs on it. */
export type Payloads = {
  readonly erasures: Erasure[];
  readonly effectIds: Set<string>;
  /** Idempotency keys that it may have claimed, each once. */
  readonly keys: ReadonlyMap<string, ClaimKey>;
  /** Approvals that its records name. */
  readonly approvalIds: Set<string>;
  readonly answers: Answer[];
};

/** What a person has said to a question, whichever call it was about. */
type Answer = {
  readonly approvalId: string;
  readonly grantId: GrantId | undefined;
  readonly erasures: readonly Erasure[];
};

/** Nothing says in which streams a call's records are: they are looked through. */
export async function payloadsOf(store: Store, accountId: string, callId: string): Promise<Payloads> {
  const erasures: Erasure[] = [];
  const effectIds = new Set<string>();
  const keys = new Map<string, ClaimKey>();
  const approvalIds = new Set<string>();
  const answers: Answer[] = [];
  const opened: OpenedRun[] = [];
  const started: StartedChild[] = [];
  /** What the call has said to children, and what each child was told by whom. */
  const sent = new Set<string>();
  const told: Told[] = [];
  /** Where the call comes up first in a run. */
  const named = new Map<RunId, number>();
  for await (const stream of streamsOf(store, accountId)) {
    let run: OpenedRun | undefined;
    for await (const stored of readWholeStream(store, stream, accountId)) {
      const record = recordOf(stored, callId);
      if (record === undefined) continue;
      const present = presentIn(stored, stream, accountId);
      if (record.kind === "approval.answered") {
        answers.push({ ...record, grantId: record.grantId, erasures: present });
        continue;
      }
      if (record.kind === "run.opened") {
        run = record;
        opened.push(record);
        continue;
      }
      if (record.kind === "subagent.started") {
        started.push(record);
        continue;
      }
      if (record.kind === "run.told") {
        told.push({ ...record, erasures: present });
        continue;
      }
      if (record.kind === "subagent.message") sent.add(record.messageId);
      if (run !== undefined && !named.has(run.runId)) named.set(run.runId, record.seq);
      if (record.kind === "call.intended")
        keys.set(record.idempotencyKey, claimKey(accountId, record.tool, record.idempotencyKey));
      if ("effectId" in record) effectIds.add(record.effectId);
      if ("approval" in record && record.approval !== undefined) approvalIds.add(record.approval.approvalId);
      erasures.push(...present);
    }
  }
  for (const { runId, seq, erasures: words } of told.filter(({ messageId }) => sent.has(messageId))) {
    erasures.push(...words);
    named.set(runId, Math.min(named.get(runId) ?? seq, seq));
  }
  // Also where its own are gone: a run that was under way then has been told of it since.
  erasures.push(...(await quotesIn(store, accountId, knowingRuns(callId, named, { opened, started }))));
  return { erasures, effectIds, keys, approvalIds, answers };
}

type OpenedRun = Extract<JournalRecord, { kind: "run.opened" }>;
/** A message of its parent's as a child has it. */
type Told = Pick<Extract<JournalRecord, { kind: "run.told" }>, "runId" | "seq" | "messageId"> & {
  readonly erasures: readonly Erasure[];
};
type StartedChild = Extract<JournalRecord, { kind: "subagent.started" }>;

/** What runs that know of a call have been told that may quote it. */
async function quotesIn(
  store: Store,
  accountId: string,
  knowing: ReadonlyMap<RunId, Knowing>,
): Promise<Erasure[]> {
  const erasures: Erasure[] = [];
  for (const [stream, { after, isTold }] of knowing) {
    // oxlint-disable-next-line no-await-in-loop -- run by run
    for await (const stored of readWholeStream(store, stream, accountId, after + 1)) {
      if (!says(stored, quoting)) continue;
      const record = readRecord(stored);
      const mayQuote =
        record.kind === "context.condensed" ||
        record.kind === "model.intended" ||
        (record.kind === "run.opened" && isTold) ||
        (record.kind === "subagent.started" && knowing.has(record.childRunId));
      if (mayQuote) erasures.push(...presentIn(stored, stream, accountId));
    }
  }
  return erasures;
}

/** What has still a text. */
function presentIn({ seq, content }: StoredRecord, stream: string, accountId: string): Erasure[] {
  return content.filter(hasText).map(({ ref }) => ({ stream, accountId, seq, ref }));
}

/** Kinds that are looked at whether they name the call or not. */
const apart: readonly JournalRecord["kind"][] = [
  "approval.answered",
  "run.opened",
  "run.told",
  "subagent.started",
];
/** Kinds that may quote a call without naming it. */
const quoting: readonly JournalRecord["kind"][] = [
  "run.opened",
  "context.condensed",
  "model.intended",
  "subagent.started",
];

function says({ text }: StoredRecord, kinds: readonly JournalRecord["kind"][]): boolean {
  return kinds.some((kind) => text.includes(`"kind":"${kind}"`));
}

function readRecord({ seq, text }: StoredRecord): JournalRecord {
  return readKept(journalRecordSchema, text, `record ${seq}`);
}

function recordOf(stored: StoredRecord, callId: string): JournalRecord | undefined {
  if (!stored.text.includes(callId) && !says(stored, apart)) return undefined;
  const record = readRecord(stored);
  if (apart.includes(record.kind)) return record;
  // A call that was answered from it holds the same input, and so does what a model said when it proposed it.
  const isOf =
    (record.kind === "call.repeated" && record.of.callId === callId) ||
    (record.kind === "subagent.message" && record.call === callId) ||
    (record.kind === "model.settled" && record.calls.some((call) => call.callId === callId));
  return isOf || ("callId" in record && record.callId === callId) ? record : undefined;
}

/** Nothing about a row has been verified here. */
function hasText(row: ContentRow): boolean {
  return typeof row === "object" && row !== null && "text" in row;
}
