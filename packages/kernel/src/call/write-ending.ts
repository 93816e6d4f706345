// What becomes true together when a call ends: its record, the answer of a claimed key, what its tool has changed, and that an
// unknown effect is listed.
import {
  type CallId,
  RevisionConflictError,
  type SideEffect,
  type UnknownEffect,
} from "@spfunctions/contracts";
import type { RecordDraft } from "../journal/record-draft.ts";
import type { Draft, DraftConflict, Written } from "../journal/stream-writer.ts";
import { listUnknown } from "../journal/unknown-effects.ts";
import type { Claim, DocumentWrite, Durability, Place, SealedRecord } from "../store/store.ts";
import { updateClaim } from "./claims.ts";
import type { Conclusion } from "./conclude.ts";
import type { Execution } from "./run-once.ts";

/** What changes something must survive a power cut; what only cost something, the death of the process. */
export function durabilityOf({ sideEffect }: { readonly sideEffect?: SideEffect | undefined }): Durability {
  return sideEffect === "none" ? "process" : "power";
}

/** What an ending is written with, however the call ended. */
export type EndingTerms = {
  readonly durability: Durability;
  readonly accountId: string;
  readonly callId: CallId;
  /** The call's records before this one. */
  readonly places: readonly Place[];
  readonly claim?: Claim | undefined;
  /** Of a call that has waited for a person, and may be waited for. */
  readonly wakes?: readonly string[] | undefined;
};

export type Ending = {
  readonly record: RecordDraft;
  /** What the call goes on with, where its effect has ended and the call has not. */
  readonly next?: RecordDraft | undefined;
  /** What becomes of the claim: it has an answer, it has none yet, or nothing was done under it. */
  readonly answers: "now" | "later" | "never";
  readonly unknown?: UnknownEffect | undefined;
};

/** What becomes of the claim by how an effect came out: nothing was done where it never began. */
export function answersOf(execution: Execution, { body }: Conclusion): Ending["answers"] {
  if ("hasBegun" in execution) return "never";
  return body.held === true ? "later" : "now";
}

/** What the tool has changed by its call, and how the call ended if somebody else has changed it meanwhile. */
export type Changes<Kind> = {
  readonly documents: readonly DocumentWrite[];
  readonly otherwise: () => Kind;
};

export type WrittenEnding<Kind> = {
  readonly ending: Kind;
  readonly record: SealedRecord;
  readonly next?: SealedRecord | undefined;
};

/** Anything that writes into the stream the call is in. */
export type EndingTarget = { readonly write: (draft: Draft) => Promise<Written> };

type Ready<Kind> = {
  readonly terms: EndingTerms;
  readonly ending: Kind;
  readonly changes?: Changes<Kind> | undefined;
  readonly draft: Draft;
};

/** An ending that is ready to be written, once or as often as it takes: what an attempt has decided stays decided. */
export function endingWriter<Kind extends Ending>(
  terms: EndingTerms,
  ending: Kind,
  changes?: Changes<Kind>,
): (target: EndingTarget) => Promise<WrittenEnding<Kind>> {
  let ready = prepare(terms, ending, changes);
  return async (target) => {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- again only with less than before
      const written = await target.write(ready.draft);
      if (written.type === "written") {
        const [record, next] = written.records as [SealedRecord, SealedRecord?];
        return { ending: ready.ending, record, next };
      }
      ready = instead(ready, written);
    }
  };
}

function instead<Kind extends Ending>(
  { terms, ending, changes }: Ready<Kind>,
  { on }: DraftConflict,
): Ready<Kind> {
  // The claim has run out in the meantime: how the call ended is true without it.
  if (on === "claim" && terms.claim !== undefined)
    return prepare({ ...terms, claim: undefined }, ending, changes);
  if (on === "document" && changes !== undefined) return prepare(terms, changes.otherwise());
  throw new RevisionConflictError(`how ${terms.callId} ended is already written`);
}

function prepare<Kind extends Ending>(
  terms: EndingTerms,
  ending: Kind,
  changes?: Changes<Kind>,
): Ready<Kind> {
  const { durability, accountId, places, claim, wakes } = terms;
  const { record, next, answers, unknown } = ending;
  const records = next === undefined ? [record] : [record, next];
  const documents = [...(unknown ? [listUnknown(accountId, unknown)] : []), ...(changes?.documents ?? [])];
  const claims: Draft["claims"] = (own) =>
    claim === undefined || answers === "later"
      ? []
      : [answers === "never" ? { ...claim, type: "release" } : updateClaim(claim, [...places, ...own])];
  return { terms, ending, changes, draft: { durability, records, documents, claims, wakes } };
}
