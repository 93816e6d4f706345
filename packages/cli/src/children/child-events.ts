// What a child does is in its own stream: it is told from there, in order and once, however often somebody says that there is more.
import { isSimpleFunctionsError, type RuntimeEvent } from "@spfunctions/contracts";
import { type RunHandle, runCursor } from "@spfunctions/kernel";
import { lastCursor } from "./last-cursor.ts";

export class ChildEvents {
  readonly #open: () => Promise<RunHandle>;
  #seen: string | undefined;
  #events: AsyncGenerator<RuntimeEvent> | undefined;

  /** `seen`: the last of its events that is not to be told. */
  constructor(open: () => Promise<RunHandle>, seen?: string) {
    this.#open = open;
    this.#seen = seen;
  }

  /** What was not told yet, up to the event that a cursor names; without one, all that is on record. */
  async since(cursor?: string): Promise<RuntimeEvent[]> {
    const found: RuntimeEvent[] = [];
    try {
      const handle = await this.#open();
      const until = cursor ?? (await lastCursor(handle));
      this.#events ??= handle.stream({ cursor: this.#seen });
      // It is there: nothing that is still to come is waited for.
      while (isAfter(until, this.#seen)) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const { value, done } = await this.#events.next();
        if (done === true) break;
        if ("seq" in value) this.#seen = runCursor(value);
        found.push(value);
      }
    } catch (error) {
      // One that has not begun has done nothing. What else is wrong with it is told by whoever drives it.
      if (!isSimpleFunctionsError(error)) throw error;
      this.#events = undefined;
    }
    return found;
  }
}

function isAfter(cursor: string | undefined, seen: string | undefined): boolean {
  const [seq, index] = placeIn(cursor);
  const [seenSeq, seenIndex] = placeIn(seen);
  return seq > seenSeq || (seq === seenSeq && index > seenIndex);
}

function placeIn(cursor = ""): readonly [number, number] {
  const [, seq = "0", index = "0"] = /:(\d+)\.(\d+)$/.exec(cursor) ?? [];
  return [Number(seq), Number(index)];
}
