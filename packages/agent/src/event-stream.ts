// B24: a stream always ends. Its events are kept until somebody takes them, and its end comes with the call's, however that ends.
import type { AgentEvent } from "@spfunctions/contracts";
import { WaitingEvents } from "@spfunctions/kernel";

/** A call's events as they happen; iterating ends when the call has. `result` is the call's own answer. */
export type EventStream<Result> = AsyncIterable<AgentEvent> & { readonly result: Promise<Result> };

export function eventStream<Result>(
  call: (watch: (event: AgentEvent) => void) => Promise<Result>,
): EventStream<Result> {
  const waiting = new WaitingEvents();
  const result = call(waiting.push);
  // Both ways: a failed call ends its stream, and nobody has to look at `result`.
  result.then(waiting.end, waiting.end);
  async function* events(): AsyncGenerator<AgentEvent> {
    // oxlint-disable-next-line no-await-in-loop -- until there is nothing more
    for (let next = await waiting.next(); next !== undefined; next = await waiting.next()) yield next;
  }
  return { result, [Symbol.asyncIterator]: events };
}
