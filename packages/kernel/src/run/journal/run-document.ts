import { canonicalJson, type KeyedHash, type RunDocument, type SegmentSeal } from "@spfunctions/contracts";
import type { Signer } from "../../installation/installation.ts";
import { type Fields, fieldsOf } from "../../journal/record-draft.ts";
import { sealText } from "../../journal/seal.ts";
import { runKind } from "../../store/kernel-kinds.ts";
import type { DocumentWrite, Head, Place } from "../../store/store.ts";
import type { RunState } from "../state/run-states.ts";

/** What a run's writer listens to. */
export function runErrandWake(runId: string): string {
  return `for ${runId}`;
}

/** What whoever waits for a run listens to. */
export function runWake(runId: string): string {
  return `run ${runId}`;
}

/** The same in the process that drives it: not woken before it has come to an end, or to where only a person can go on. */
export function restWake(runId: string): string {
  return `rest of ${runId}`;
}

/** The same, woken with every record. */
export function recordWake(runId: string): string {
  return `records of ${runId}`;
}

/** What processes of one package listen to: one of them closes, and gives up runs that have not ended. */
export function runsLeftWake(accountId: string, packageFingerprint: string): string {
  return `runs left ${accountId} ${packageFingerprint}`;
}

type Changing = Pick<RunDocument, "updatedAt" | "head" | "seal">;

/** How a run is listed: what of it never changes is written once. */
export class RunListing {
  readonly #document: RunDocument;
  readonly #written: Fields;
  readonly #keys: readonly string[];

  constructor(document: RunDocument) {
    this.#document = document;
    this.#written = fieldsOf(document);
    this.#keys = [...new Set([...Object.keys(this.#written), "updatedAt", "head", "seal"])].toSorted();
  }

  put(changing: Changing, expects: number, status: RunState): DocumentWrite {
    const { runId: id, starter } = this.#document;
    let body = "";
    for (const key of this.#keys) {
      const changed = changing[key as keyof Changing];
      const text = changed === undefined ? this.#written[key] : canonicalJson(changed);
      if (text !== undefined) body += `${body === "" ? "{" : ","}"${key}":${text}`;
    }
    return {
      type: "put",
      kind: runKind,
      accountId: starter.accountId,
      id,
      expects,
      status,
      body: `${body}}`,
    };
  }
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
