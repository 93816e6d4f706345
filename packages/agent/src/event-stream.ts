// B24: a stream always ends. Its events are kept until somebody takes them, and its end comes with the call's, however that ends.
import type { AgentEvent } from "@spfunctions/contracts";

/** A call's events as they happen; iterating ends when the call has. `result` is the call's own answer. */
export type EventStream<Result> = AsyncIterable<AgentEvent> & { readonly result: Promise<Result> };

export function eventStream<Result>(
  call: (watch: (event: AgentEvent) => void) => Promise<Result>,
): EventStream<Result> {
  const waiting: AgentEvent[] = [];
  let isOver = false;
  /** Whoever waits for the next event. */
  let sleeping: (() => void)[] = [];
  const wake = () => {
    const woken = sleeping;
    sleeping = [];
    for (const go of woken) go();
  };
  const result = call((event) => {
    waiting.push(event);
    wake();
  });
  const over = () => {
    isOver = true;
    wake();
  };
  // Both ways: a failed call ends its stream, and nobody has to look at `result`.
  result.then(over, over);
  async function* events(): AsyncGenerator<AgentEvent> {
    for (;;) {
      const next = waiting.shift();
      if (next !== undefined) yield next;
      else if (isOver) return;
      else {
        // oxlint-disable-next-line no-await-in-loop -- until there is something, or nothing more
        await new Promise<void>((resolve) => {
          sleeping.push(resolve);
        });
      }
    }
  }
  return { result, [Symbol.asyncIterator]: events };
}
