// What no segment can say about itself alone.
import { canonicalJson, parseJsonStrict, unknownEffectSchema } from "@spfunctions/contracts";
import { signingKeyId } from "../installation/installation.ts";
import type { Store, StoredDocument } from "../store/store.ts";
import type { Segment } from "./look-at-segment.ts";
import { effectKind, readContracts } from "./segment.ts";
import type { Broken } from "./verify-stream.ts";

type Segments = ReadonlyMap<string, Segment>;
type Check = (segment: Segment) => Broken | undefined;

/** Whoever signs goes on signing: a seal that nobody known has signed, behind one that somebody has, was put there by others. */
export function sealProblem(found: Segments, publicKeys: readonly string[]): Check {
  const keyIds = new Set<string>(publicKeys.map(signingKeyId));
  return ({ seal, isSigned, previous }) => {
    if (seal === undefined || isSigned) return undefined;
    const isForged = seal.signature !== undefined && keyIds.has(seal.signature.keyId);
    const follows = ancestorsOf(found, previous?.stream).some(
      ({ isSigned: isSignedBefore }) => isSignedBefore,
    );
    if (!isForged && !follows) return undefined;
    return {
      seq: seal.count,
      reason: "seal",
      message: "is under a seal that none of the known keys has signed",
    };
  };
}

/** The segments before one, the nearest first. */
function ancestorsOf(found: Segments, stream: string | undefined): Segment[] {
  const ancestors = new Set<Segment>();
  for (let at = stream; at !== undefined; ) {
    const segment = found.get(at);
    if (segment === undefined || ancestors.has(segment)) break;
    ancestors.add(segment);
    at = segment.previous?.stream;
  }
  return [...ancestors];
}

/** Erasing leaves a record. */
export function erasureProblem(said: readonly Pick<Segment, "erased">[]): Check {
  const erased = new Set(said.flatMap((segment) => segment.erased));
  return ({ gone }) => {
    const payload = gone.find(({ name }) => !erased.has(name));
    if (payload === undefined) return undefined;
    return {
      seq: payload.seq,
      reason: "content",
      message: "has lost content, and no record says who erased it",
    };
  };
}

/** What is listed of the effects that the segments leave unknown. Before anybody asks who has decided: a decision changes both. */
export async function listedEffects(
  store: Store,
  accountId: string,
  found: Segments,
): Promise<ReadonlyMap<string, StoredDocument>> {
  const ids = [...found.values()].flatMap(({ unknown }) => unknown.map(({ effectId }) => effectId));
  const documents = await store.documentsById(effectKind, accountId, ids);
  return new Map(documents.map((document) => [document.id, document]));
}

/** X1: an effect that nobody knows the end of is on the list until somebody has decided. */
export function listProblem(
  found: Segments,
  said: readonly Pick<Segment, "resolved">[],
  listed: ReadonlyMap<string, StoredDocument>,
): Check {
  const resolved = new Set(said.flatMap((segment) => segment.resolved));
  const open = [...found.values()].flatMap(({ unknown }) =>
    unknown.filter(({ callId }) => !resolved.has(callId)),
  );
  const lost = new Set(
    open.filter((effect) => !isListed(effect, listed.get(effect.effectId))).map(({ effectId }) => effectId),
  );
  return (segment) => {
    const effect = segment.unknown.find(({ effectId }) => lost.has(effectId));
    if (effect === undefined) return undefined;
    return {
      seq: effect.seq,
      reason: "unlisted",
      message: "leaves an effect unknown that is not listed any more",
    };
  };
}

function isListed(effect: Segment["unknown"][number], document: StoredDocument | undefined): boolean {
  if (document?.status !== "unknown") return false;
  try {
    const { effectId, callId, runId, stream, tool, idempotencyKey } = unknownEffectSchema.parse(
      parseJsonStrict(document.body),
    );
    return (
      canonicalJson({ effectId, callId, runId, stream, tool, idempotencyKey }) ===
      canonicalJson({ ...effect, seq: undefined })
    );
  } catch {
    return false;
  }
}

/** Which exact tool it was is in the contract that its digest names. */
export async function contractProblem(store: Store, found: Segments): Promise<Check> {
  const digests = new Set([...found.values()].flatMap(({ contracts }) => [...contracts.keys()]));
  const kept = new Set((await readContracts(store, [...digests])).map(({ digest }) => digest as string));
  return ({ contracts }) => {
    const [, seq] = [...contracts].find(([digest]) => !kept.has(digest)) ?? [];
    if (seq === undefined) return undefined;
    return { seq, reason: "contract", message: "is under a contract that is missing or was changed" };
  };
}
