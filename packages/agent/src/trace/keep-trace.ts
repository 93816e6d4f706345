// A trace is written after each call, not at the end of everything: whoever dies in between has left what it did.
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import type { TraceFollower, TraceStore, Watch } from "@spfunctions/kernel";

/** What a trace is of: a seat's calls, or one run. */
type Followed = { readonly followTrace: () => TraceFollower | undefined };

export class KeptTrace {
  readonly #of: Followed;
  readonly #kept: TraceStore;
  #follower: TraceFollower | undefined;
  #writing: Promise<void> = Promise.resolve();
  #fault: HostConfigurationNeededError | undefined;

  constructor(of: Followed, kept: TraceStore) {
    this.#of = of;
    this.#kept = kept;
  }

  /** Nothing further begins where what was done before could not be written down. */
  requireKept(): void {
    if (this.#fault !== undefined) throw this.#fault;
  }

  /** Writes what the journal has got since. That it could not is told to whoever calls next, and in the end: a call's own answer is given. */
  async grow(): Promise<void> {
    await this.#write((follower) => follower.grow());
  }

  /** Also writes what is about to run, or to wait for a person: who dies in the middle of it has left at least that. */
  watching(watch: Watch | undefined): Watch {
    return (event) => {
      if (event.type === "tool.started" || event.type === "approval.required") void this.grow();
      watch?.(event);
    };
  }

  /** The rest, with the seal. */
  async seal(): Promise<void> {
    await this.#write((follower) => follower.end());
  }

  /** The same, and what is kept is let go of in any case, also where it is not whole. */
  async end(): Promise<void> {
    await this.seal();
    await this.#note(() => this.#kept.end());
    this.requireKept();
  }

  async #write(read: (follower: TraceFollower) => ReturnType<TraceFollower["grow"]>): Promise<void> {
    // One after the other: lines come in the order of their records.
    this.#writing = this.#writing.then(() =>
      this.#note(async () => {
        this.#follower ??= this.#of.followTrace();
        // After a line that could not be written no other makes sense.
        if (this.#follower === undefined || this.#fault !== undefined) return;
        const { type, lines } = await read(this.#follower);
        if (type === "whole") await this.#kept.replace(lines);
        else if (lines.length > 0) await this.#kept.append(lines);
      }),
    );
    await this.#writing;
  }

  /** Keeps the first thing that went wrong. */
  async #note(act: () => Promise<void>): Promise<void> {
    try {
      await act();
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : "it was refused";
      this.#fault ??= new HostConfigurationNeededError(
        `what was called is over and journaled; its trace could not be written (${why})`,
        { details: { reason: "trace_not_written" }, cause },
      );
    }
  }
}
