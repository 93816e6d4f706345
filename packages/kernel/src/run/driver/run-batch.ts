import type { ToolExecutionStrategy } from "@spfunctions/contracts";
import { Places } from "./places.ts";

/** What became of one item: a value, or whatever the act threw. */
export type BatchOutcome<Item, Value> = { readonly index: number; readonly item: Item } & (
  | { readonly status: "completed"; readonly value: Value }
  | { readonly status: "failed"; readonly error: unknown }
);

/** The first so many items were started, and every one of these was delivered; the others never began. */
export type BatchEnd = { readonly started: number };

/** The place in flight that an item has while it is acted on. */
export type Place = {
  /** Waits without it, so that another may have it meanwhile; one after the other, nobody may. */
  readonly idle: <Seen>(wait: () => Promise<Seen>) => Promise<Seen>;
};

/**
 * Acts on each item as the strategy says: `sequential` one after the other, `bounded_concurrent` at most `maxInFlight` at once and
 * delivered as they end, `ordered_batch` the same and delivered in the order of the items. One delivery is finished before the next
 * begins. An act that throws is delivered as its failure and stops nothing else. An abort stops what has not begun; what has is
 * waited for and delivered. If `deliver` throws, nothing more is begun or delivered, what was begun is waited for, and its fault
 * is thrown.
 */
export async function runBatch<Item, Value>(
  strategy: ToolExecutionStrategy,
  items: readonly Item[],
  act: (item: Item, index: number, place: Place) => Promise<Value>,
  deliver: (outcome: BatchOutcome<Item, Value>) => void | Promise<void>,
  signal: AbortSignal,
): Promise<BatchEnd> {
  const places = new Places(strategy.type === "sequential" ? 1 : strategy.maxInFlight);
  const place: Place = {
    idle: strategy.type === "sequential" ? async (wait) => await wait() : (wait) => places.without(wait),
  };
  const ended = new Map<number, BatchOutcome<Item, Value>>();
  const begun: Promise<void>[] = [];
  let awaited = 0;
  let deliveries = Promise.resolve();
  let isStopped = false;

  async function attempt(index: number): Promise<BatchOutcome<Item, Value>> {
    const item = items[index] as Item;
    try {
      return { index, item, status: "completed", value: await act(item, index, place) };
    } catch (error) {
      return { index, item, status: "failed", error };
    }
  }

  function hand(outcome: BatchOutcome<Item, Value>): void {
    deliveries = deliveries.then(() => deliver(outcome));
  }

  /** An outcome waits here until those before it have been handed over. */
  function handInOrder(outcome: BatchOutcome<Item, Value>): void {
    ended.set(outcome.index, outcome);
    for (let next = ended.get(awaited); next !== undefined; next = ended.get(++awaited)) {
      ended.delete(awaited);
      hand(next);
    }
  }

  /** Gives its place on only when nothing is left to deliver, so that a delivery that failed is the end of it. */
  async function work(index: number): Promise<void> {
    const outcome = await attempt(index);
    if (strategy.type === "ordered_batch") handInOrder(outcome);
    else hand(outcome);
    try {
      await deliveries;
    } catch {
      isStopped = true;
    } finally {
      places.give();
    }
  }

  for (const index of items.keys()) {
    // oxlint-disable-next-line no-await-in-loop -- the next begins when there is a place for it
    if (!places.takeNow()) await places.take();
    if (signal.aborted || isStopped) {
      places.give();
      break;
    }
    begun.push(work(index));
  }
  await Promise.allSettled(begun);
  await deliveries;
  return { started: begun.length };
}
