// What no segment can say about itself alone.
import { signingKeyId } from "../installation/installation.ts";
import { effectKind } from "../store/kernel-kinds.ts";
import type { Store, StoredDocument } from "../store/store.ts";
import type { Segment } from "./look-at-segment.ts";
import { isCorrupt } from "./read-kept.ts";
import { readContracts } from "./segment.ts";
import { isListedAs, unknownEffectIn } from "./unknown-effects.ts";
import type { Broken } from "./verify-stream.ts";

type Segments = ReadonlyMap<string, Segment>;
type Check = (segment: Segment) => Broken | undefined;

/** Whoever signs goes on signing: a seal that nobody known has signed, behind one that somebody has, was put there by others. */
export function sealProblem(found: Segments, publicKeys: readonly string[]): Check {
  const keyIds = new Set<string>(publicKeys.map(signingKeyId));
  const behind = behindSigned(found);
  return ({ stream, seal, isSigned }) => {
    if (seal === undefined || isSigned) return undefined;
    const isForged = seal.signature !== undefined && keyIds.has(seal.signature.keyId);
    if (!isForged && !behind.has(stream)) return undefined;
    return {
      seq: seal.count,
      reason: "seal",
      message: "is under a seal that none of the known keys has signed",
    };
  };
}

/** The segments that come after a signed one, however many lie between. */
function behindSigned(found: Segments): ReadonlySet<string> {
  const next = new Map<string, string[]>();
  for (const { stream, previous } of found.values()) {
    if (previous !== undefined) next.set(previous.stream, [...(next.get(previous.stream) ?? []), stream]);
  }
  const behind = new Set<string>();
  const waiting = [...found.values()].flatMap(({ stream, isSigned }) => (isSigned ? [stream] : []));
  for (let stream = waiting.pop(); stream !== undefined; stream = waiting.pop()) {
    for (const one of next.get(stream) ?? []) {
      if (behind.has(one)) continue;
      behind.add(one);
      waiting.push(one);
    }
  }
  return behind;
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

function isListed(found: Segment["unknown"][number], document?: StoredDocument): boolean {
  if (document?.status !== "unknown") return false;
  const { seq: _, ...effect } = found;
  try {
    return isListedAs(unknownEffectIn(document), effect);
  } catch (error) {
    if (isCorrupt(error)) return false;
    throw error;
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
