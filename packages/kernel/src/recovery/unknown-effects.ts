// X1: never silently unknown. An effect whose end nobody saw is listed from the commit that says so until somebody has decided.
import {
  canonicalJson,
  InvalidInputError,
  InvalidTransitionError,
  NotFoundError,
  type Principal,
  redactText,
  type UnknownEffect,
  unknownEffectSchema,
} from "@spfunctions/contracts";
import type { Conclusion } from "../call/conclude.ts";
import { claimedCall, claimKey, standingClaim, updateClaim } from "../call/claims.ts";
import type { AccountJournal } from "../journal/account-journal.ts";
import { readKept } from "../journal/read-kept.ts";
import { isRunStream, readRunSeal } from "../journal/run-seal.ts";
import { effectKind } from "../journal/segment.ts";
import { draftContent, draftRecord } from "../journal/record-draft.ts";
import type { DocumentWrite, Store, StoredDocument } from "../store/store.ts";
import type { Clock } from "../time/clock.ts";
import { contentRef, type Ids } from "../time/ids.ts";

const kind = effectKind;

/** An effect that was begun with `opening`, as it is listed. */
export function unknownEffect(
  { runId, callId, tool }: Pick<UnknownEffect, "runId" | "callId" | "tool">,
  names: Pick<UnknownEffect, "stream" | "effectId" | "idempotencyKey">,
  { body, error }: Pick<Conclusion, "body" | "error">,
): UnknownEffect {
  const { externalOperationId, reconciliationRef } = body;
  return {
    ...names,
    runId,
    callId,
    tool,
    reason: error?.message ?? "the tool does not know",
    ...(externalOperationId === undefined ? {} : { externalOperationId }),
    ...(reconciliationRef === undefined ? {} : { reconciliationRef }),
  };
}

export function listUnknown(accountId: string, effect: UnknownEffect): DocumentWrite {
  const body = canonicalJson(effect);
  return { type: "put", kind, accountId, id: effect.effectId, expects: 0, status: "unknown", body };
}

export async function unknownEffects(store: Store, accountId: string): Promise<UnknownEffect[]> {
  const effects: UnknownEffect[] = [];
  for (let after = ""; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- page by page
    const page = await store.documents({ kind, accountId, status: "unknown", after, limit: 200 });
    effects.push(...page.map(effectIn));
    const last = page.at(-1);
    if (last === undefined || page.length < 200) return effects;
    after = last.id;
  }
}

function effectIn({ id, body }: StoredDocument): UnknownEffect {
  return readKept(unknownEffectSchema, body, `what is kept of the effect ${id}`);
}

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
};

/** A person's decision about an unknown effect, kept with who made it; whoever comes with its key is told from then on. */
export async function resolveEffect(host: Host, effectId: string, resolution: Resolution): Promise<void> {
  const { store, journal, ids, principal } = host;
  const { status, note } = readResolution(resolution);
  const { accountId } = principal;
  const document = await store.document({ kind, accountId, id: effectId });
  if (document?.status !== "unknown") {
    throw new NotFoundError(`there is no unknown effect ${effectId} in this account`, {
      details: { effectId },
    });
  }
  const effect = effectIn(document);
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
  await journal.append({
    durability: "power",
    records: [record],
    documents: [{ type: "put", kind, accountId, id: effectId, expects: revision, status: "resolved", body }],
    ...(claim && {
      claims: (own) => {
        const before = claimedCall(claim).records ?? [];
        return [updateClaim(claim, [...before, ...own])];
      },
    }),
  });
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

/** The listed effects of a call without what a tool said about them, for when its payloads are erased. */
export async function forgetReasons(
  store: Store,
  accountId: string,
  effectIds: readonly string[],
): Promise<DocumentWrite[]> {
  const documents = await store.documentsById(kind, accountId, effectIds);
  return documents.map((document) => {
    const { externalOperationId: _o, reconciliationRef: _r, ...effect } = effectIn(document);
    const { id, status, revision } = document;
    const body = canonicalJson({ ...effect, reason: "(erased)" });
    return { type: "put", kind, accountId, id, expects: revision, status, body };
  });
}
