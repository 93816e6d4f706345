// J3: a run has one writer. What it writes is folded as it is written, and the list of runs changes in the same commit. J2: what ran
// and could not be written is written before anything else; where nobody can say whether something was, nothing more is.
import {
  type ContractTool,
  JournalAppendFailedError,
  type JournalRecord,
  type KeyedHash,
  LeaseLostError,
  RevisionConflictError,
  type RunDocument,
} from "@spfunctions/contracts";
import type { Signer } from "../../installation/installation.ts";
import type { CallJournal, CallSegment, Debt, Opened } from "../../journal/account-journal.ts";
import { placedRecord, type RecordDraft, requireReadable, timedDraft } from "../../journal/record-draft.ts";
import { sealRecord } from "../../journal/seal.ts";
import { keepContract } from "../../journal/segment.ts";
import type { Draft, StreamWriter, Written } from "../../journal/stream-writer.ts";
import { runKind } from "../../store/kernel-kinds.ts";
import type { DocumentWrite, Place, SealedRecord } from "../../store/store.ts";
import type { Clock } from "../../time/clock.ts";
import { TimeStamp } from "../../time/time-stamp.ts";
import { foldRun, type Run } from "../state/fold-run.ts";
import { Places } from "../driver/places.ts";
import { headProof, RunListing, runSeal, runWake } from "./run-document.ts";
import { TimePassed } from "./time-passed.ts";
import { noShape, type RunShape, shapeAfter } from "../state/run-shape.ts";
import { hasEnded, type RunState } from "../state/run-states.ts";

export type RunJournalParts = {
  readonly writer: StreamWriter;
  readonly clock: Clock;
  readonly signer?: Signer | undefined;
  readonly proves: KeyedHash;
  /** The run as far as it is written; nothing of one that begins here. */
  readonly run?: Run | undefined;
  readonly document: RunDocument;
  /** Of the document as it is kept; 0 before it is. */
  readonly revision: number;
  /** Told of every record once it is written and folded. */
  readonly told: (record: JournalRecord) => void;
};

export type RunSegment = CallSegment & Pick<StreamWriter, "accountId">;

/** A draft with what is written beside it, and what it makes of the run. */
type Ready = {
  readonly given: Draft;
  readonly draft: Draft;
  /** After each of its own records. */
  readonly shapes: readonly RunShape[];
};

/** Records that are sealed and folded, and are written with what comes next. */
type Held = {
  readonly given: readonly Draft[];
  readonly sealed: readonly SealedRecord[];
  readonly records: readonly JournalRecord[];
};

/** What is held, and no more. */
const nothingMore: Draft = { durability: "process", records: [] };
/** What adds up what others have counted: nobody could go on after one that cannot be read. */
const lastWords: ReadonlySet<JournalRecord["kind"]> = new Set(["run.ended", "subagent.ended"]);
const nothingHeld: Held = { given: [], sealed: [], records: [] };

export class RunJournal implements CallJournal {
  readonly segment: RunSegment;
  readonly #parts: RunJournalParts;
  readonly #listing: RunListing;
  readonly #stamp: TimeStamp;
  readonly #time: TimePassed;
  #shape: RunShape;
  /** The state that it is listed with. */
  #listedState: RunShape["state"];
  #run: Run | undefined;
  #revision: number;
  readonly #kept = new Set<string>();
  readonly #owed: Debt[] = [];
  #paying: Promise<void> | undefined;
  /** One after the other: what a record makes of the run is known before the next one is written. */
  readonly #turn = new Places(1);
  #held = nothingHeld;
  /** What nobody can say of whether it was written. */
  #doubt: Ready | undefined;
  /** What turned out to be written after its writer was told that nobody can say: the same again is not written twice. */
  readonly #found = new WeakMap<Draft, Written>();

  constructor(parts: RunJournalParts) {
    this.#parts = parts;
    this.#listing = new RunListing(parts.document);
    this.#stamp = new TimeStamp(parts.clock);
    this.#time = new TimePassed(parts.clock);
    this.#shape = parts.run?.shape ?? noShape;
    this.#listedState = this.#shape.state;
    this.#run = parts.run;
    this.#revision = parts.revision;
    const { stream, epoch, placeOf, accountId } = parts.writer;
    this.segment = { stream, epoch, placeOf, accountId, write: async (draft) => await this.write(draft) };
  }

  get run(): Run {
    if (this.#run === undefined) throw new TypeError("nothing of this run is written yet");
    return this.#run;
  }

  /** Milliseconds since its last record. */
  get sinceLast(): number {
    return this.#time.since;
  }

  /** Finds out whether what is in doubt was written, and writes what is owed and held. Throws where the store does not answer yet. */
  async settle(): Promise<void> {
    await this.#settleDoubt();
    await this.begin();
    await this.flush();
  }

  async #settleDoubt(): Promise<void> {
    if (!this.#turn.takeNow()) await this.#turn.take();
    try {
      const doubt = this.#doubt;
      if (doubt === undefined) return;
      const records = await this.#parts.writer.look(doubt.draft);
      this.#doubt = undefined;
      if (records === undefined) return;
      const { given } = doubt;
      const written = this.#written(doubt, { type: "written", records });
      this.#found.set(given, written);
      // Whoever wrote it was told that nobody can say, and began nothing by it.
      const next = given.found?.(this.segment, written.records);
      if (next !== undefined) this.owe(next);
    } finally {
      this.#turn.give();
    }
  }

  async begin(): Promise<void> {
    while (this.#owed.length > 0) {
      this.#paying ??= this.#pay();
      // oxlint-disable-next-line no-await-in-loop -- until nothing is owed
      await this.#paying;
    }
  }

  async pay(): Promise<void> {
    await this.begin();
  }

  async #pay(): Promise<void> {
    try {
      for (let debt = this.#owed[0]; debt !== undefined; debt = this.#owed[0]) {
        // oxlint-disable-next-line no-await-in-loop -- in the order in which they happened
        await debt();
        this.#owed.shift();
      }
    } finally {
      this.#paying = undefined;
    }
  }

  async open(draft: Draft, uses?: ContractTool): Promise<Opened> {
    if (this.#owed.length > 0) await this.begin();
    const isNew = uses !== undefined && !this.#kept.has(uses.digest);
    const whole = isNew ? { ...draft, documents: [...(draft.documents ?? []), keepContract(uses)] } : draft;
    const written = await this.write(whole);
    if (isNew && written.type === "written") this.#kept.add(uses.digest);
    return { written, segment: this.segment };
  }

  async append(draft: Draft, uses?: ContractTool) {
    const { segment, written } = await this.open(draft, uses);
    if (written.type === "written")
      return { segment, records: written.records as [SealedRecord, ...SealedRecord[]] };
    throw changedMeanwhile(segment.stream);
  }

  /** Only where that is still so when it is its turn: whether it was written. */
  async appendIf(isStill: () => boolean, draft: Draft): Promise<boolean> {
    if (this.#owed.length > 0) await this.begin();
    if (!this.#turn.takeNow()) await this.#turn.take();
    try {
      if (!isStill()) return false;
      const written = await this.#write(draft);
      if (written.type === "conflict") throw changedMeanwhile(this.segment.stream);
      return true;
    } finally {
      this.#turn.give();
    }
  }

  owe(debt: Debt): void {
    this.#owed.push(debt);
  }

  async write(given: Draft): Promise<Written> {
    if (!this.#turn.takeNow()) await this.#turn.take();
    try {
      return this.#hold(given) ?? (await this.#write(given));
    } finally {
      this.#turn.give();
    }
  }

  /** What was held is on record from here on. */
  async flush(): Promise<void> {
    if (this.#held !== nothingHeld) await this.write(nothingMore);
  }

  /**
   * What changes nothing outside is written with what comes next, or with the end of this turn of the event loop: what a model wants
   * called, and the last read that it waits for. J1: whatever acts on them is itself a record, and is committed together with them.
   */
  #hold(given: Draft): Written | undefined {
    const [draft, ...others] = given.records;
    if (draft === undefined || others.length > 0 || !mayBeHeld(given, draft)) return undefined;
    if (this.#doubt !== undefined) return undefined;
    const shape = shapeAfter(this.#shape, draft);
    if (shape.state !== (draft.kind === "call.read" ? "assembling" : "calling")) return undefined;
    const { given: drafts, sealed: before, records } = this.#held;
    const ts = this.#stamp.now();
    const timed = timedDraft(draft, this.#time.seal());
    const sealed = sealRecord(before.at(-1) ?? this.#parts.writer.head, timed, ts);
    const record = placedRecord(timed, sealed, ts);
    // What cannot be written then is in the way of whatever is written next, which says so.
    if (this.#held === nothingHeld) setImmediate(() => void this.flush().catch(() => undefined));
    this.#held = { given: [...drafts, given], sealed: [...before, sealed], records: [...records, record] };
    this.#fold(sealed, record, shape);
    return { type: "written", records: [sealed], ts };
  }

  async #write(given: Draft): Promise<Written> {
    const { writer } = this.#parts;
    // Written by somebody else meanwhile.
    if (given === nothingMore && this.#held === nothingHeld) return { type: "written", records: [] };
    const found = this.#found.get(given);
    if (found !== undefined) return found;
    if (this.#doubt !== undefined && this.#doubt.given !== given) throw doubtful(writer.stream);
    const ready = this.#doubt ?? this.#prepare(given);
    const written = await this.#commit(ready);
    if (written.type === "conflict") {
      if (written.on === "document" && written.key.kind === runKind) throw takenOver(writer.stream);
      return written;
    }
    return this.#written(ready, written);
  }

  /** Folds what was committed of a draft, and tells of it. */
  #written(
    ready: Ready,
    written: Extract<Written, { type: "written" }>,
  ): Extract<Written, { type: "written" }> {
    const { given, shapes } = ready;
    this.#revision += 1;
    this.#listedState = (shapes.at(-1) ?? this.#shape).state;
    const records = written.records.slice(this.#held.records.length);
    const drafts = given.records.map((draft, index) =>
      index === 0 ? timedDraft(draft, this.#time.said) : draft,
    );
    this.#release();
    for (const [index, sealed] of records.entries()) {
      const record = recordIn(sealed, drafts[index], written.ts);
      this.#fold(sealed, record, shapes[index]);
      this.#parts.told(record);
    }
    return { ...written, records };
  }

  #release(): void {
    const { records } = this.#held;
    this.#held = nothingHeld;
    for (const record of records) this.#parts.told(record);
  }

  /** The same draft again is known again by the writer: it is not written twice. */
  async #commit(ready: Ready): Promise<Written> {
    const { writer } = this.#parts;
    try {
      const written = await writer.write(ready.draft);
      this.#doubt = undefined;
      return written;
    } catch (error) {
      this.#doubt = writer.isDoubtful ? ready : undefined;
      throw error;
    }
  }

  #prepare(given: Draft): Ready {
    const { runId } = this.#parts.document;
    const shapes: RunShape[] = [];
    let shape = this.#shape;
    for (const draft of given.records) {
      shapes.push((shape = shapeAfter(shape, draft)));
      if (lastWords.has(draft.kind)) requireReadable(draft, this.#parts.writer.head, this.#stamp.now());
    }
    const state = shape.state as RunState;
    const isNews = state !== this.#listedState || hasEnded(state);
    const draft = {
      ...withHeld(given, this.#held),
      passedMs: this.#time.seal,
      placed: (places: readonly Place[]) => [this.#listed(state, places)],
      wakes: isNews ? [...(given.wakes ?? []), runWake(runId)] : given.wakes,
    };
    return { given, draft, shapes };
  }

  #listed(state: RunState, places: readonly Place[]): DocumentWrite {
    const { document, signer, proves } = this.#parts;
    const updatedAt = this.#stamp.now();
    const { seq, hash, ...last } = places.at(-1) as Place;
    const head = { seq, hash, proof: headProof(document.runId, state, { seq, hash }, proves) };
    // A note after the end is under the seal, too.
    const seal = hasEnded(state) ? { seal: runSeal({ seq, hash, ...last }, updatedAt, signer) } : {};
    return this.#listing.put({ updatedAt, head, ...seal }, this.#revision, state);
  }

  #fold({ hash, content }: SealedRecord, record: JournalRecord, shape: RunShape | undefined): void {
    this.#run = foldRun(this.#run, { record, hash, content }, shape);
    this.#shape = this.#run.shape;
    this.#time.written();
  }
}

function mayBeHeld(
  { durability, erasures, wakes, until, claims }: Draft,
  { kind, body }: RecordDraft,
): boolean {
  if (durability !== "process" || erasures || wakes || until !== undefined || claims) return false;
  return kind === "call.read" || (kind === "model.settled" && body["status"] === "completed");
}

function withHeld(given: Draft, held: Held): Draft {
  if (held === nothingHeld) return given;
  const { claims } = given;
  const all = [...held.given, given];
  return {
    ...given,
    records: all.flatMap(({ records }) => records),
    sealed: held.sealed,
    documents: all.flatMap(({ documents = [] }) => documents),
    ...(claims && { claims: (places: readonly Place[]) => claims(places.slice(held.sealed.length)) }),
  };
}

/** Just written by us, and so known to be what it says. */
function recordIn(
  sealed: SealedRecord,
  draft: RecordDraft | undefined,
  ts: string | undefined,
): JournalRecord {
  if (draft === undefined || ts === undefined) return JSON.parse(sealed.text) as JournalRecord;
  return placedRecord(draft, sealed, ts);
}

function changedMeanwhile(stream: string): RevisionConflictError {
  return new RevisionConflictError(`the journal of ${stream} was changed at the same time; try again`);
}

function takenOver(stream: string): LeaseLostError {
  return new LeaseLostError(`another process has taken over ${stream}; nothing was written here`, {
    details: { stream },
  });
}

function doubtful(stream: string): JournalAppendFailedError {
  return new JournalAppendFailedError(
    `nobody can say whether the last record of ${stream} was written; resume the run, to read it again`,
    { details: { stream, reason: "in_doubt" } },
  );
}
