import { type Clock, passed } from "@spfunctions/kernel";
import { tickAt, tickMs } from "../simulation/simulated-market.ts";

/** Resolves when the next tick begins, and with false as soon as the signal says that nobody waits any more. */
export async function nextTick(clock: Clock, signal: AbortSignal | undefined): Promise<boolean> {
  const now = clock.now();
  return await passed(clock, (tickAt(now) + 1) * tickMs - now, [signal]);
}
