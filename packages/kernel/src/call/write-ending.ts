// What becomes true together when a call ends: its record, the answer of a claimed key, and that an unknown effect is listed.
import {
  type CallId,
  RevisionConflictError,
  type SideEffect,
  type UnknownEffect,
} from "@spfunctions/contracts";
import type { RecordDraft } from "../journal/record-draft.ts";
import type { Draft, Written } from "../journal/stream-writer.ts";
import { listUnknown } from "../recovery/unknown-effects.ts";
import type { Claim, Durability, Place, SealedRecord } from "../store/store.ts";
import { updateClaim } from "./claims.ts";

/** What changes something must survive a power cut; what only cost something, the death of the process. */
export function durabilityOf({ sideEffect }: { readonly sideEffect?: SideEffect | undefined }): Durability {
  return sideEffect === "none" ? "process" : "power";
}

export type Ending = {
  readonly record: RecordDraft;
  readonly durability: Durability;
  readonly accountId: string;
  readonly callId: CallId;
  /** The call's records before this one. */
  readonly places: readonly Place[];
  readonly claim?: Claim | undefined;
  /** What becomes of the claim: it has an answer, it has none yet, or nothing was done under it. */
  readonly answers: "now" | "later" | "never";
  readonly unknown?: UnknownEffect | undefined;
};

/** Anything that writes into the stream the call is in. */
export type EndingTarget = { readonly write: (draft: Draft) => Promise<Written> };

/** An ending that is ready to be written, once or as often as it takes: every attempt is with the same drafts. */
export function endingWriter(ending: Ending): (target: EndingTarget) => Promise<SealedRecord> {
  const { record, durability, accountId, unknown, claim, answers, callId, places } = ending;
  const plain: Draft = {
    durability,
    records: [record],
    ...(unknown && { documents: [listUnknown(accountId, unknown)] }),
  };
  const withClaim: Draft | undefined =
    claim === undefined || answers === "later"
      ? undefined
      : {
          ...plain,
          claims: (own) => [
            answers === "never"
              ? { ...claim, type: "release" }
              : updateClaim(claim, { callId, records: [...places, ...own] }),
          ],
        };
  return async (target) => {
    const written = withClaim && (await target.write(withClaim));
    if (written?.type === "written") return written.records[0] as SealedRecord;
    // The claim has run out in the meantime: how the call ended is true without it.
    const alone = await target.write(plain);
    if (alone.type === "written") return alone.records[0] as SealedRecord;
    throw new RevisionConflictError(`how ${callId} ended is already written`);
  };
}
