// How a call ended is shown with which tool it was, and that only the record says which opened the call.
import { JournalCorruptError, journalRecordSchema } from "@spfunctions/contracts";
import type { Opening } from "../journal/fold-calls.ts";
import { readKept } from "../journal/read-kept.ts";
import type { Store } from "../store/store.ts";
import { recordsNamingBefore } from "./records-naming.ts";

type Later = { readonly seq: number; readonly callId: string };

/** A call that has begun: with which key, and the record that says so, where that was looked at. */
export type Begun = {
  readonly callId: string;
  readonly keyId: string;
  readonly record?: Opening | undefined;
};

const maxKept = 256;

/** What opened the calls that have been seen to begin and not to end. The oldest are forgotten, and read again when needed. */
export class Openings {
  readonly #kept = new Map<string, Begun>();

  get size(): number {
    return this.#kept.size;
  }

  /** `isPending`: whether more is to come of its call. */
  note(stream: string, begun: Begun, isPending: boolean | undefined): void {
    const name = nameOf(stream, begun);
    if (isPending === true) this.#kept.set(name, begun);
    else this.#kept.delete(name);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) this.#kept.delete(oldest);
  }

  /** What opened the call that a later record is about. A call's records are in the segment that it began in. */
  async of(store: Store, accountId: string, stream: string, later: Later): Promise<Opening> {
    const kept = this.#kept.get(nameOf(stream, later))?.record;
    if (kept !== undefined) return kept;
    const record = await openingBefore(store, accountId, stream, later);
    this.note(stream, begunBy(record), true);
    return record;
  }

  /** The key that it was called with. */
  async keyOf(store: Store, accountId: string, stream: string, later: Later): Promise<string> {
    const kept = this.#kept.get(nameOf(stream, later));
    return kept?.keyId ?? (await this.of(store, accountId, stream, later)).principal.keyId;
  }
}

export function begunBy(record: Opening): Begun {
  return { callId: record.callId, keyId: record.principal.keyId, record };
}

async function openingBefore(
  store: Store,
  accountId: string,
  stream: string,
  { seq, callId }: Later,
): Promise<Opening> {
  for await (const stored of recordsNamingBefore(store, accountId, { stream, seq }, callId)) {
    const record = readKept(journalRecordSchema, stored.text, `record ${stored.seq} of ${stream}`);
    const isOpening = record.kind === "call.intended" || record.kind === "call.read";
    if (isOpening && record.callId === callId) return record;
  }
  throw new JournalCorruptError(
    `record ${seq} of ${stream} ends a call that was never begun; verify the journal`,
    { details: { stream, seq, reason: "impossible_record" } },
  );
}

function nameOf(stream: string, { callId }: { readonly callId: string }): string {
  return `${stream} ${callId}`;
}
