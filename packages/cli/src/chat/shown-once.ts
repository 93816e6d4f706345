import type { SpectatorEvent } from "@spfunctions/agent/spectator";

/** A turn that goes on tells again what is on record of it: of that only is shown what was not. */
export class ShownOnce {
  readonly #since: number;
  readonly #last = new Map<string, { readonly seq: number; readonly index: number }>();

  /** `since`: what is older was shown by somebody else; milliseconds since 1970. */
  constructor(since: number) {
    this.#since = since;
  }

  isNew(event: SpectatorEvent): boolean {
    if (event.type !== "runtime" || !("seq" in event.event)) return true;
    const { runId, seq, index, ts } = event.event;
    const last = this.#last.get(runId);
    const isLater = last === undefined || seq > last.seq || (seq === last.seq && index > last.index);
    if (isLater) this.#last.set(runId, { seq, index });
    return isLater && Date.parse(ts) >= this.#since;
  }
}
