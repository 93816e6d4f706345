// X1, I1: a key is claimed in the commit of the intent, within one account and tool. Whoever comes again with it gets the
// recorded answer, and nothing runs. What a key was used for is kept as a digest with a salt, and erased with the call.
import {
  type CallId,
  canonicalJson,
  type ClaimedCall,
  claimedCallSchema,
  type ContentRow,
  type Digest,
  hashText,
  IdempotencyConflictError,
  IdempotencyInProgressError,
  InvalidTransitionError,
  JournalCorruptError,
  NotFoundError,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import { type CallsState, type CallState, foldCalls } from "../journal/fold-calls.ts";
import { readKept, unlessCorrupt } from "../journal/read-kept.ts";
import { contentDigest } from "../journal/record-draft.ts";
import { type VerifiedRecord, verifyRecord } from "../journal/verify-stream.ts";
import { type RecordedAnswer, recordedAnswer } from "../replay/recorded-answer.ts";
import type { Claim, ClaimKey, ClaimWrite, Store } from "../store/store.ts";
import type { Tool } from "../tool/define-tool.ts";
import type { CallHost } from "./call-host.ts";
import type { Allowed } from "./call-in-progress.ts";

type RecordPlace = NonNullable<ClaimedCall["records"]>[number];

export function claimKey(accountId: string, tool: string, key: string): ClaimKey {
  return { accountId, scope: `call:${tool}`, key };
}

/** What a key is used for. */
type Use = { readonly toolDigest: Digest; readonly inputHash: Digest };

/** The same key stands for the same contract and the same recorded input. Nothing where a call has no key. */
export function claimFor(
  { principal, clock, limits, ids }: Pick<CallHost, "principal" | "clock" | "limits" | "ids">,
  { tool, request, input, names }: Pick<Allowed, "tool" | "request" | "input" | "names">,
): Extract<ClaimWrite, { type: "take" }> | undefined {
  if (request.idempotencyKey === undefined) return undefined;
  const { name, digest: toolDigest } = tool.contract;
  const key = claimKey(principal.accountId, name, request.idempotencyKey);
  const salt = ids.salt();
  const digest = claimDigest(salt, { toolDigest, inputHash: input.recorded.hash });
  const ref = canonicalJson({ callId: names.callId, salt } satisfies ClaimedCall);
  return { type: "take", ...key, digest, expiresAt: clock.now() + limits.claimMs, ref };
}

function claimDigest(salt: string | undefined, { toolDigest, inputHash }: Use): Digest {
  const use = `${toolDigest}\n${inputHash}`;
  return salt === undefined ? hashText(use) : contentDigest(salt, use);
}

/** Where a claimed call has come to, to be written with the record that says so. */
export function updateClaim(claim: Claim, records: readonly RecordPlace[]): ClaimWrite {
  return { ...claim, type: "update", ref: canonicalJson({ ...claimedCall(claim), records }) };
}

/** What is to be written so that nothing tells what a call's key was used for. It stays taken: nothing runs by it again. */
export async function forgetClaim(
  store: Store,
  key: ClaimKey,
  callId: CallId,
  now: number,
): Promise<ClaimWrite[]> {
  // One that has run out counts as not there, and still lies there.
  const claim = await store.claim(key, 0);
  if (claim === undefined || unlessCorrupt(() => claimedCall(claim).callId) !== callId) return [];
  const ref = canonicalJson({ callId, erased: true } satisfies ClaimedCall);
  const forgotten: ClaimWrite = { ...claim, type: "take", digest: ofNothing, ref };
  return claim.expiresAt > now ? [{ ...claim, type: "release" }, forgotten] : [forgotten];
}

const ofNothing = hashText("");

/** The claim that was taken for a call, if it still stands. */
export async function standingClaim(
  store: Store,
  key: ClaimKey,
  callId: string,
  now: number,
): Promise<Claim | undefined> {
  const claim = await store.claim(key, now);
  return claim !== undefined && claimedCall(claim).callId === callId ? claim : undefined;
}

export function claimedCall({ scope, ref }: Claim): ClaimedCall {
  return readKept(claimedCallSchema, ref, `what is kept of an idempotency key of ${scope}`);
}

export type Answered =
  | { readonly type: "refused"; readonly error: SimpleFunctionsError }
  | {
      readonly type: "answered";
      readonly of: RecordPlace & Pick<ClaimedCall, "callId">;
      readonly answer: RecordedAnswer;
    };

/** What somebody gets who comes with a key that is taken. */
export async function answerClaimed(
  store: Store,
  standing: Claim,
  { contract: { name, digest: toolDigest } }: Tool,
  wantedHash: Digest,
): Promise<Answered> {
  const { callId, records, salt, erased } = claimedCall(standing);
  if (erased === true) return { type: "refused", error: usedForErased(name) };
  if (claimDigest(salt, { toolDigest, inputHash: wantedHash }) !== standing.digest)
    return { type: "refused", error: usedOtherwise(name) };
  const [first] = records ?? [];
  if (records === undefined || first === undefined)
    return { type: "refused", error: stillRunning(name, callId) };
  const { call, answer } = await readAnswer(store, standing.accountId, callId, records);
  // The claim is not the record: what it points to must be a call of this very tool, with this very input.
  const of = answer.type === "completed" ? answer.result.receipt : answer.receipt;
  const isOther = of.inputHash !== undefined && of.inputHash !== wantedHash;
  const { idempotencyKey } = call.opening as { idempotencyKey?: string };
  if (of.tool !== name || of.toolDigest !== toolDigest || idempotencyKey !== standing.key || isOther)
    throw damaged(first.stream, call.openedAt.seq);
  return { type: "answered", of: { ...first, callId }, answer };
}

/** From the call's own records, each looked at before it is believed. */
async function readAnswer(
  store: Store,
  accountId: string,
  callId: string,
  places: readonly RecordPlace[],
): Promise<{ readonly call: CallState; readonly answer: RecordedAnswer }> {
  const rows: ContentRow[] = [];
  const state: CallsState = new Map();
  for (const { stream, seq, hash } of places) {
    // oxlint-disable-next-line no-await-in-loop -- two or three, in order
    const [found] = await store.readStream({ stream, accountId, from: seq, limit: 1 });
    const verified = found?.hash === hash ? verifyRecord(found, seq) : undefined;
    if (verified === undefined) throw damaged(stream, seq);
    if (!canFold(state, verified)) throw damaged(stream, seq);
    rows.push(...verified.content);
  }
  const call = [...state.values()].find((one) => one.callId === callId);
  if (call === undefined) throw damaged(places[0]?.stream ?? "", places[0]?.seq ?? 0);
  return { call, answer: recordedAnswer(call, (digest) => rows.find(({ ref }) => ref === digest?.ref)) };
}

function canFold(state: CallsState, verified: VerifiedRecord): boolean {
  try {
    foldCalls(state, verified);
    return true;
  } catch (error) {
    if (error instanceof InvalidTransitionError) return false;
    throw error;
  }
}

function usedOtherwise(tool: string): IdempotencyConflictError {
  return new IdempotencyConflictError(
    `${tool}: this idempotency key was used for another input, or before the tool was changed; take a new key`,
    {
      details: { tool },
    },
  );
}

function usedForErased(tool: string): NotFoundError {
  return new NotFoundError(
    `${tool}: what this idempotency key was used for was erased, and nothing runs by it again; take a new key`,
    { details: { tool, reason: "erased" } },
  );
}

function stillRunning(tool: string, callId: string): IdempotencyInProgressError {
  return new IdempotencyInProgressError(
    `${tool}: the call with this idempotency key has not ended; ask again later`,
    { details: { tool, callId } },
  );
}

function damaged(stream: string, seq: number): JournalCorruptError {
  return new JournalCorruptError(`record ${seq} of ${stream} is not what was written; verify the journal`, {
    details: { stream, seq },
  });
}
