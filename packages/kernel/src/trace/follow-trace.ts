// A trace while it is written: after each call the lines that the journal has got since, in the end the seal. Put together they are
// byte for byte what an export of the sealed segment gives.
import { type JournalRecord, JournalCorruptError, parseJsonStrict } from "@spfunctions/contracts";
import type { Signer } from "../installation/installation.ts";
import { readWholeStream } from "../journal/read-stream.ts";
import { readSeal } from "../journal/segment.ts";
import type { Store, StoredRecord } from "../store/store.ts";
import { headerLine, type Opened, recordLine, sealLine } from "./export-trace.ts";

/** What a trace has got since the last look: `more` lines, or the `whole` of it where a line that was said has become another. */
export type TraceGrowth = { readonly type: "more" | "whole"; readonly lines: readonly string[] };

type Followed = { readonly store: Store; readonly accountId: string; readonly stream: string };

export class TraceFollower {
  readonly #of: Followed;
  readonly #signer: Signer | undefined;
  readonly #digests = new Set<string>();
  /** Outputs that nobody has been given, by their call, and since which record a host's policy has had them to decide about. */
  readonly #held = new Map<string, { readonly ref: string; readonly undecidedSince?: number }>();
  #waiting: StoredRecord[] = [];
  #opened: Opened | undefined;
  #next = 1;
  /** The first line, once it was said, and how many tools it names. */
  #header: { readonly line: string; readonly tools: number } | undefined;
  /** Whether something that was read before has been erased since. */
  #isErased = false;

  constructor(of: Followed, signer?: Signer) {
    this.#of = of;
    this.#signer = signer;
  }

  /** What can be said now: nothing that comes after an output of which nobody has decided yet whether it is given. */
  async grow(): Promise<TraceGrowth> {
    await this.#read();
    const undecided = [...this.#held.values()].map(({ undecidedSince = Infinity }) => undecidedSince);
    return await this.#say(Math.min(...undecided));
  }

  /** The rest, once the segment is sealed. */
  async end(): Promise<TraceGrowth> {
    await this.#read();
    const { store, accountId, stream } = this.#of;
    const { type, lines } = await this.#say(Infinity);
    const seal = await readSeal(store, accountId, stream);
    if (seal === undefined || this.#header === undefined) return { type, lines };
    return { type, lines: [...lines, sealLine(stream, seal, this.#header.line, this.#signer)] };
  }

  /** What is new; all of it anew where the first line, or one that was said or waits, is another by now. */
  async #read(): Promise<void> {
    await this.#readOn();
    const isOther = this.#header !== undefined && this.#header.tools !== this.#digests.size;
    if (!isOther && !this.#isErased) return;
    this.#waiting = [];
    this.#held.clear();
    this.#header = undefined;
    this.#next = 1;
    await this.#readOn();
    this.#isErased = false;
  }

  async #readOn(): Promise<void> {
    const { store, stream, accountId } = this.#of;
    for await (const stored of readWholeStream(store, stream, accountId, this.#next)) {
      this.#next = stored.seq + 1;
      this.#waiting.push(stored);
      this.#note(recordIn(stored, stream));
    }
  }

  #note(record: JournalRecord): void {
    if (record.kind === "segment.opened" || record.kind === "run.opened") this.#opened = record;
    if ("toolDigest" in record && record.toolDigest !== undefined) this.#digests.add(record.toolDigest);
    if ("held" in record && record.held === true && record.output !== undefined)
      this.#held.set(record.callId, { ref: record.output.ref, undecidedSince: record.seq });
    if (record.kind === "call.released") this.#held.delete(record.callId);
    const withheld = record.kind === "call.withheld" ? this.#held.get(record.callId) : undefined;
    if (withheld !== undefined && "callId" in record) this.#held.set(record.callId, { ref: withheld.ref });
    if (record.kind === "content.erased" && record.stream === this.#of.stream) this.#isErased = true;
  }

  async #say(before: number): Promise<TraceGrowth> {
    const said = this.#waiting.filter(({ seq }) => seq < before);
    if (said.length === 0 || this.#opened === undefined) return { type: "more", lines: [] };
    const isFirst = this.#header === undefined;
    this.#header ??= await this.#firstLine(this.#opened);
    const unreleased = new Set([...this.#held.values()].map(({ ref }) => ref));
    const lines = said.map(({ text, content }) => recordLine(text, content, unreleased));
    // Only now: what could not be said is said the next time.
    this.#waiting = this.#waiting.slice(said.length);
    return isFirst ? { type: "whole", lines: [this.#header.line, ...lines] } : { type: "more", lines };
  }

  async #firstLine(opened: Opened): Promise<{ readonly line: string; readonly tools: number }> {
    const digests = [...this.#digests].toSorted();
    return { line: await headerLine(this.#of.store, opened, digests), tools: digests.length };
  }
}

function recordIn({ seq, text }: StoredRecord, stream: string): JournalRecord {
  try {
    return parseJsonStrict(text) as JournalRecord;
  } catch (cause) {
    throw new JournalCorruptError(`record ${seq} of ${stream} is not what was written; verify the journal`, {
      details: { stream, seq, reason: "unreadable" },
      cause,
    });
  }
}
