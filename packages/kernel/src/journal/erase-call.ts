// Erasing takes a call's payloads and their salts; its records, their hashes and the chain stay as they are, and say so.
import {
  type CallId,
  type ContentRow,
  type GrantId,
  type JournalRecord,
  journalRecordSchema,
  NotFoundError,
  type Principal,
  type RunId,
} from "@spfunctions/contracts";
import type { Approvals } from "../approval/approvals.ts";
import type { Forgetting } from "../approval/forget-question.ts";
import { claimKey, forgetClaim } from "../call/claims.ts";
import { forgetReasons } from "../recovery/unknown-effects.ts";
import type { ClaimKey, ClaimWrite, Erasure, Store, StoredRecord } from "../store/store.ts";
import type { Clock } from "../time/clock.ts";
import type { AccountJournal } from "./account-journal.ts";
import { type Knowing, knowingRuns } from "./knowing-runs.ts";
import { readKept } from "./read-kept.ts";
import { readWholeStream } from "./read-stream.ts";
import { draftRecord } from "./record-draft.ts";
import { streamsOf } from "./verify-account.ts";

export type EraseHost = {
  readonly store: Store;
  readonly journal: AccountJournal;
  readonly principal: Principal;
  readonly approvals: Approvals;
  readonly clock: Clock;
};

/** Erases what was kept of a call's inputs, outputs and messages; how many payloads there were is the answer. */
export async function eraseCall(host: EraseHost, callId: string): Promise<number> {
  const { store, journal, principal } = host;
  const { accountId } = principal;
  const found = await payloadsOf(store, accountId, callId);
  if (found.erasures.length === 0)
    throw new NotFoundError(`there is no call ${callId} with payloads in this account`);
  const { forgetting, answers } = await forgetApprovals(host, callId, found);
  const erasures = [...found.erasures, ...answers];
  const erased = erasures.map(({ stream, seq, ref }) =>
    draftRecord("content.erased", { by: principal, stream, of: seq, ref: ref as never }),
  );
  const reasons = await forgetReasons(store, accountId, [...found.effectIds]);
  const claims = await forgetClaims(host, callId, found.keys);
  await journal.append({
    durability: "power",
    records: [...erased, ...forgetting.flatMap(({ records }) => records)],
    documents: [...reasons, ...forgetting.flatMap(({ documents }) => documents)],
    erasures,
    claims: () => claims,
    wakes: forgetting.flatMap(({ wakes }) => wakes),
  });
  return erasures.length;
}

type Payloads = {
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
async function payloadsOf(store: Store, accountId: string, callId: string): Promise<Payloads> {
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
  if (erasures.length > 0)
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

/** What has still a text. Nothing about a row has been verified here. */
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

/** A claim holds a digest of what its key was used for. */
async function forgetClaims(
  { store, clock }: EraseHost,
  callId: string,
  keys: Payloads["keys"],
): Promise<ClaimWrite[]> {
  const now = clock.now();
  const writes = [...keys.values()].map((key) => forgetClaim(store, key, callId as CallId, now));
  return (await Promise.all(writes)).flat();
}

/** A person was shown the call, and what they have said of it may quote it. */
async function forgetApprovals(
  { approvals, principal }: EraseHost,
  callId: string,
  { approvalIds, answers }: Payloads,
): Promise<{ readonly forgetting: readonly Forgetting[]; readonly answers: readonly Erasure[] }> {
  const forgetting: Forgetting[] = [];
  const erasures: Erasure[] = [];
  for (const approvalId of approvalIds) {
    // oxlint-disable-next-line no-await-in-loop -- one or two
    const forgotten = await approvals.forget(principal.accountId, approvalId, callId);
    if (forgotten === undefined) continue;
    forgetting.push(forgotten);
    for (const answer of answers.filter((one) => one.approvalId === approvalId)) {
      erasures.push(...answer.erasures);
      // oxlint-disable-next-line no-await-in-loop -- see above
      const grant = answer.grantId && (await approvals.forgetGrant(principal, answer.grantId));
      if (grant !== undefined) forgetting.push(grant);
    }
  }
  return { forgetting, answers: erasures };
}

/** Nothing about a row has been verified here. */
function hasText(row: ContentRow): boolean {
  return typeof row === "object" && row !== null && "text" in row;
}
