import { setImmediate } from "node:timers/promises";

/** Resolves when it is one's turn. Whoever computes long asks before each part, so that others are served in between. */
export type Turn = () => Promise<void>;

/** One turn in each round of the event loop, however many wait for one. */
export function takeTurns(): Turn {
  let last = Promise.resolve();
  return () => (last = last.then(() => setImmediate()));
}
