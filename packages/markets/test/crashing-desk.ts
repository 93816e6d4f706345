// Calls of processes that die at every write in turn, and what the next process finds and says of them.
import { createMemoryStore, type Store } from "@spfunctions/kernel";
import { storedIn } from "../../kernel/test-data/call-desk.ts";
import { FaultyStore, kindsIn } from "../../kernel/test-data/call-store.ts";
import { expect } from "vitest";
import { fireIntents } from "../src/intents/fire-intents.ts";
import { Prices } from "../test-data/trading-desk.ts";
import { keptIn } from "../test-data/trading-floor.ts";
import { type Calls, processOn } from "./one-process.ts";

/** A call, what is there before it, and how many days its market is open. */
export type Crash = {
  readonly tool: string;
  readonly days?: number;
  /** Gives the input of the call. */
  readonly prepare: (calls: Calls) => Promise<object>;
};

/** How a call ended, without times, and with names that do not depend on who gave them. */
export type End = { readonly status: string; readonly output?: unknown };

/** The world before the call, and the call by a process whose writes can be counted and cut off. */
async function crashingDesk({ tool, days = 30, prepare }: Crash) {
  const prices = new Prices();
  const ground = { prices, days, about: tool.startsWith("paper.") ? "paper" : "live" } as const;
  const inner = createMemoryStore();
  const first = processOn(inner, 1, ground);
  const input = await prepare(first.calls);
  await first.calls.close();
  const before = await keptIn(inner);
  const store = new FaultyStore(inner);
  const { calls } = processOn(store, 2, ground);
  return {
    prices,
    store,
    before,
    call: async () => await calls.call(tool, input, { idempotencyKey: "once" }).catch(() => undefined),
    next: () => processOn(inner, 3, ground),
  };
}

/** How the last call of the account ended, by its journal. */
async function lastEnd(store: Store): Promise<End> {
  for (const { text, content } of (await storedIn(store, "ann")).toReversed()) {
    const { kind, status } = JSON.parse(text) as { readonly kind: string; readonly status: string };
    if (kind !== "call.settled") continue;
    const [row] = content;
    return status === "completed" && row !== undefined && "text" in row
      ? { status, output: withoutTimes(row.text) }
      : { status };
  }
  throw new Error("no call has ended");
}

function withoutTimes(text: string): unknown {
  return JSON.parse(text.replaceAll(/"20\d\d-[^"]*Z"/g, '"a time"').replaceAll(/ord_[\w-]+/g, "an order"));
}

/** What recovery has said of a call that a process had died in. */
export type Told = {
  readonly by: string;
  readonly outcome: string;
  readonly unknown: readonly unknown[];
  readonly end: End;
  /** How many orders there are more, and whether everything else at the exchange is as it was before the call. */
  readonly orders: number;
  readonly isUntouched: boolean;
};

/**
 * How the call ends that nobody interrupts, and what recovery says of each that dies at a write once it is begun: before and
 * after that write is kept.
 */
export async function everyDeath(
  crash: Crash,
  meanwhile: (prices: Prices) => void = () => undefined,
): Promise<{ readonly end: End; readonly told: readonly Told[] }> {
  const whole = await crashingDesk(crash);
  await whole.call();
  const { units } = whole.store;
  const begun = units.findIndex((unit) => kindsIn(unit).includes("call.intended"));
  const deaths = units.flatMap((_, at) => [false, true].map((written) => ({ at, written })));
  const told: Told[] = [];
  for (const death of deaths.slice(2 * begun + 1, -1)) {
    // oxlint-disable-next-line no-await-in-loop -- one world after the other
    told.push(await toldOf(crash, death, meanwhile));
  }
  return { end: await lastEnd(whole.store.inner), told };
}

async function toldOf(
  crash: Crash,
  { at, written }: { readonly at: number; readonly written: boolean },
  meanwhile: (prices: Prices) => void,
): Promise<Told> {
  const { store, call, prices, next, before } = await crashingDesk(crash);
  store.failNext({ type: "die", written }, at);
  void call();
  await store.died.promise;
  meanwhile(prices);
  const process = next();
  const { settled } = await process.calls.recover();
  const kept = await keptIn(store.inner);
  // Whatever was said, nothing comes after it.
  await fireIntents(process);
  expect(await keptIn(store.inner)).toStrictEqual(kept);
  expect(settled).toHaveLength(1);
  const { by = "", outcome = "" } = settled[0] ?? {};
  const isUntouched = JSON.stringify(kept) === JSON.stringify(before);
  const unknown = await process.calls.unknown();
  const orders = orderCount(kept) - orderCount(before);
  return { by, outcome, unknown, end: await lastEnd(store.inner), orders, isUntouched };
}

function orderCount(kept: readonly [string, string][]): number {
  return kept.filter(([name]) => name.includes('.order"')).length;
}
