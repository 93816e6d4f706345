import type { ContentRow, JournalRecord } from "@spfunctions/contracts";

/** Payloads that a stream does not have any more, by what its own records say of that. */
export type GoneCounts = {
  /** A record of this very stream says who erased it. */
  readonly erased: number;
  /** An output that nobody was given: a trace gives it to nobody either. */
  readonly withheld: number;
  /** Nothing here says why. Another segment may: it was erased later than this one ended. */
  readonly absent: number;
};

/** Counts them, record by record. */
export class GonePayloads {
  readonly #gone = new Set<string>();
  readonly #erased = new Set<string>();
  /** Outputs that nobody was given, by their call. */
  readonly #held = new Map<string, string>();
  #stream = "";

  note(record: JournalRecord, content: readonly ContentRow[]): void {
    if (record.kind === "segment.opened" || record.kind === "run.opened") this.#stream = record.stream;
    if (record.kind === "content.erased") this.#erased.add(payloadName(record.stream, record.of, record.ref));
    if ("held" in record && record.held === true && record.output !== undefined)
      this.#held.set(record.callId, payloadName(this.#stream, record.seq, record.output.ref));
    if (record.kind === "call.released") this.#held.delete(record.callId);
    for (const { ref } of content.filter(isErased))
      this.#gone.add(payloadName(this.#stream, record.seq, ref));
  }

  counts(): GoneCounts {
    const held = new Set(this.#held.values());
    const unsaid = [...this.#gone].filter((name) => !this.#erased.has(name));
    const absent = unsaid.filter((name) => !held.has(name)).length;
    return { erased: this.#gone.size - unsaid.length, withheld: unsaid.length - absent, absent };
  }
}

export function isErased(row: ContentRow): boolean {
  return "erased" in row;
}

/** What a record of its erasure names it by. */
export function payloadName(stream: string, seq: number, ref: string): string {
  return `${stream} ${seq} ${ref}`;
}
