import { canonicalJson, type KeyedHash, type RunDocument, type SegmentSeal } from "@spfunctions/contracts";
import type { Signer } from "../installation/installation.ts";
import { runKind } from "../journal/run-seal.ts";
import { sealText } from "../journal/seal.ts";
import type { DocumentWrite, Head, Place } from "../store/store.ts";
import type { RunState } from "./run-states.ts";

/** What a run's writer listens to. */
export function runErrandWake(runId: string): string {
  return `for ${runId}`;
}

/** What whoever waits for a run listens to. */
export function runWake(runId: string): string {
  return `run ${runId}`;
}

export function putRun(document: RunDocument, expects: number, status: RunState): DocumentWrite {
  const { runId: id, starter } = document;
  const body = canonicalJson(document);
  return { type: "put", kind: runKind, accountId: starter.accountId, id, expects, status, body };
}

/** Where a run's stream ends. */
export function runSeal(place: Place, sealedAt: string, signer: Signer | undefined): SegmentSeal {
  const facts = { count: place.seq, head: place.hash, sealedAt };
  if (signer === undefined) return facts;
  return { ...facts, signature: { keyId: signer.keyId, sig: signer.sign(sealText(place.stream, facts)) } };
}

/** B22: what is under way can be gone on with only by whoever has the secret that this is made with. */
export function headProof(runId: string, state: RunState, { seq, hash }: Head, proves: KeyedHash): string {
  return proves(`simplefunctions run head v1\n${runId}\n${state}\n${seq}\n${hash}`);
}
