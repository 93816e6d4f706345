import type { AgentEvent } from "@spfunctions/contracts";

/**
 * Live events of a run or a call that wait for whoever looks.
 * @limit events.liveWaiting | the oldest are dropped; what is journaled comes all the same | fixed: nothing may be decided on them
 */
export const mostLiveWaiting = 10_000;

/** A call's events until somebody takes them: all that are journaled, and the newest of those that are live. */
export class WaitingEvents {
  readonly #waiting: AgentEvent[] = [];
  #live = 0;
  #isOver = false;
  /** Whoever waits for the next. */
  #sleeping: (() => void)[] = [];

  readonly push = (event: AgentEvent): void => {
    if (isLive(event)) this.#live += 1;
    if (this.#live > mostLiveWaiting)
      this.#taken(this.#waiting.splice(this.#waiting.findIndex(isLive), 1)[0]);
    this.#waiting.push(event);
    this.#wake();
  };

  /** There will be no more. */
  readonly end = (): void => {
    this.#isOver = true;
    this.#wake();
  };

  /** The next one, once there is one; nothing after the last. */
  async next(): Promise<AgentEvent | undefined> {
    while (this.#waiting.length === 0 && !this.#isOver) {
      // oxlint-disable-next-line no-await-in-loop -- others may have been faster
      await new Promise<void>((resolve) => {
        this.#sleeping.push(resolve);
      });
    }
    return this.#taken(this.#waiting.shift());
  }

  #taken(event: AgentEvent | undefined): AgentEvent | undefined {
    if (event !== undefined && isLive(event)) this.#live -= 1;
    return event;
  }

  #wake(): void {
    const woken = this.#sleeping;
    this.#sleeping = [];
    for (const go of woken) go();
  }
}

function isLive(event: AgentEvent): boolean {
  return "live" in event;
}
