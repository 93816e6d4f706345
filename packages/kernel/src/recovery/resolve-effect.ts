// X1: an effect whose end nobody saw is a person's to decide about, once, in their own words.
import {
  canonicalJson,
  InvalidInputError,
  InvalidTransitionError,
  JournalCorruptError,
  NotFoundError,
  type Principal,
  redactText,
  type UnknownEffect,
} from "@spfunctions/contracts";
import { requireSomebody } from "../approval/may-answer.ts";
import type { AlsoWritten } from "../approval/approvals-host.ts";
import { claimedCall, claimKey, standingClaim, updateClaim } from "../call/claims.ts";
import type { AccountJournal } from "../journal/account-journal.ts";
import { lookUpCall } from "../journal/look-up-call.ts";
import { draftContent, draftRecord } from "../journal/record-draft.ts";
import { isRunStream, readRunSeal } from "../journal/run-seal.ts";
import { isListedAs, unknownEffectIn, unknownOf } from "../journal/unknown-effects.ts";
import { effectKind as kind } from "../store/kernel-kinds.ts";
import type { Store } from "../store/store.ts";
import type { Clock } from "../time/clock.ts";
import { contentRef, type Ids } from "../time/ids.ts";

/** What a person found out: whether it happened, and in their words how they know. */
export type Resolution = {
  readonly status: "completed" | "failed";
  readonly note: string;
  /** Also about one that recovery has left to somebody who could try it again: nobody does any more. */
  readonly givesUp?: boolean | undefined;
};

type Host = {
  readonly store: Store;
  readonly journal: AccountJournal;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly principal: Principal;
  /** What is written together with it. */
  readonly also?: AlsoWritten | undefined;
};

/** A person's decision about an unknown effect, kept with who made it; whoever comes with its key is told from then on. */
export async function resolveEffect(host: Host, effectId: string, resolution: Resolution): Promise<void> {
  const { store, journal, ids, principal } = host;
  requireSomebody(principal, "decides what became of an effect");
  const { status, note } = readResolution(resolution);
  const { accountId } = principal;
  const document = await store.document({ kind, accountId, id: effectId });
  if (document?.status !== "unknown") {
    throw new NotFoundError(`there is no unknown effect ${effectId} in this account`, {
      details: { effectId },
    });
  }
  const effect = unknownEffectIn(document);
  await requireAsRecorded(store, accountId, effect);
  await requireNoRun(store, accountId, effect);
  const words = draftContent(contentRef(ids.unique(), "note"), ids.salt(), note);
  const { runId, callId, stream } = effect;
  const names = { runId, callId, effectId: effect.effectId };
  const record = draftRecord(
    "call.resolved",
    { ...names, stream, status, by: principal, note: words.digest },
    { content: [words.row] },
  );
  const body = canonicalJson({ ...effect, resolved: status });
  const { revision } = document;
  const claim = await claimOf(host, effect);
  const write = { type: "put", kind, accountId, id: effectId, expects: revision, body } as const;
  const { documents = [], wakes = [] } = (await host.also?.(undefined)) ?? {};
  await journal.append({
    durability: "power",
    records: [record],
    documents: [{ ...write, status: "resolved" }, ...documents],
    wakes,
    ...(claim && {
      claims: (own) => {
        const before = claimedCall(claim).records ?? [];
        return [updateClaim(claim, [...before, ...own])];
      },
    }),
  });
}

/** B22: nothing is decided about a call that the list names and the journal does not. */
async function requireAsRecorded(store: Store, accountId: string, effect: UnknownEffect): Promise<void> {
  const { stream, callId, effectId } = effect;
  const found = await lookUpCall(store, { accountId, stream, callId });
  const recorded = found && unknownOf(found.call, stream);
  if (recorded !== undefined && isListedAs(effect, recorded)) return;
  throw new JournalCorruptError(
    `${effectId} is not listed as the journal has it: somebody has changed the list. Nothing was decided; verify the journal`,
    { details: { effectId, reason: "changed_effect" } },
  );
}

/** A run goes on by what its own records say: where one still can, it is decided there. */
async function requireNoRun(
  store: Store,
  accountId: string,
  { effectId, stream }: UnknownEffect,
): Promise<void> {
  if (!isRunStream(stream) || (await readRunSeal(store, accountId, stream)) !== undefined) return;
  throw new InvalidTransitionError(
    `${effectId} is of ${stream}, which has not ended and goes on by what is decided: runs.resolve("${stream}", "${effectId}", …)`,
    { details: { reason: "run_not_ended", effectId, runId: stream } },
  );
}

async function claimOf({ store, clock, principal }: Host, { tool, idempotencyKey, callId }: UnknownEffect) {
  const key = claimKey(principal.accountId, tool, idempotencyKey);
  return await standingClaim(store, key, callId, clock.now());
}

export function readResolution({ status, note, givesUp }: Resolution): Resolution {
  if (status !== "completed" && status !== "failed") {
    throw new InvalidInputError("an effect is resolved as completed or failed", {
      details: { path: "/status" },
    });
  }
  if (typeof note !== "string" || note.trim() === "" || !note.isWellFormed()) {
    throw new InvalidInputError("a resolution has a note: how you know", { details: { path: "/note" } });
  }
  return { status, note: redactText(note), givesUp: givesUp === true };
}
