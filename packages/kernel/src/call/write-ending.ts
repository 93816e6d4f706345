// What becomes true together when a call ends: its record, the answer of a claimed key, and that an unknown effect is listed.
import { RevisionConflictError } from "@spfunctions/contracts";
import type { RecordDraft } from "../journal/record-draft.ts";
import type { Draft, Written } from "../journal/stream-writer.ts";
import { listUnknown, type UnknownEffect } from "../recovery/unknown-effects.ts";
import type { Claim, Durability, Head, SealedRecord } from "../store/store.ts";
import { updateClaim } from "./claims.ts";

export type Ending = {
  readonly record: RecordDraft;
  readonly durability: Durability;
  readonly accountId: string;
  readonly stream: string;
  readonly callId: string;
  /** The call's records before this one. */
  readonly places: readonly Head[];
  readonly claim?: Claim | undefined;
  /** Not yet, while the output is held. */
  readonly isAnswered: boolean;
  readonly unknown?: UnknownEffect | undefined;
};

/** Anything that writes into the stream the call is in. */
export type EndingTarget = { readonly write: (draft: Draft) => Promise<Written> };

/** An ending that is ready to be written, once or as often as it takes: every attempt is with the same drafts. */
export function endingWriter(ending: Ending): (target: EndingTarget) => Promise<SealedRecord> {
  const { record, durability, accountId, unknown, claim, isAnswered, stream, callId, places } = ending;
  const plain: Draft = {
    durability,
    records: [record],
    ...(unknown && { documents: [listUnknown(accountId, unknown)] }),
  };
  const at = (head: Head) => ({ stream, seq: head.seq, hash: head.hash });
  const withClaim: Draft | undefined =
    claim === undefined || !isAnswered
      ? undefined
      : { ...plain, claims: (own) => [updateClaim(claim, { callId, records: [...places, ...own].map(at) })] };
  return async (target) => {
    const written = withClaim && (await target.write(withClaim));
    if (written?.type === "written") return written.records[0] as SealedRecord;
    // The claim has run out in the meantime: how the call ended is true without it.
    const alone = await target.write(plain);
    if (alone.type === "written") return alone.records[0] as SealedRecord;
    throw new RevisionConflictError(`how ${callId} ended is already written`);
  };
}
