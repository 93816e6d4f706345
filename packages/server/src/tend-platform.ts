// What a platform does from time to time, whoever asks it for something meanwhile.
import { type Clock, tendInboxes } from "@spfunctions/kernel";
import { familyOf } from "./keys/key-family.ts";
import { loggedError } from "./log-line.ts";
import type { PlatformParts } from "./platform-parts.ts";
import { accountsTakenOver } from "./seat/take-over-accounts.ts";

export type Tending = {
  /** Nothing is begun from here on. */
  readonly rest: () => void;
  /** Ends what may still be written. */
  readonly stop: () => Promise<void>;
};

export function tend(parts: PlatformParts): Tending {
  const { clock, limits, usage, underWay, closing, log } = parts;
  // Whoever stands beside this process at the same store leaves an operator's word there.
  const inboxes = tendInboxes({ ...parts, familyOf: (by) => familyOf(parts, by) });
  const flush = async () => {
    try {
      await usage.flush();
    } catch (error) {
      const message = "when keys were last used cannot be written";
      log({ level: "error", event: "key_usage.unwritten", message, error: loggedError(error) });
    }
  };
  const takeOver = accountsTakenOver({
    ...parts,
    isClosing: () => closing.signal.aborted,
    failed: (error, accountId) => {
      const message = "what other platforms may have left cannot be looked at";
      log({ level: "error", event: "takeover.failed", message, accountId, error: loggedError(error) });
    },
  });
  const stopFlushing = every(clock, limits.keyUsageMs, flush);
  const stopTakingOver = every(clock, limits.sweepMs, () => underWay.add(takeOver()));
  return {
    rest: () => {
      stopFlushing();
      stopTakingOver();
    },
    stop: () => inboxes.stop(),
  };
}

/** Again and again, until it is called off. What fails is tried again the next time. */
function every(clock: Clock, ms: number, act: () => Promise<void>): () => void {
  let cancel: (() => void) | undefined;
  let isOver = false;
  const next = () => {
    if (isOver) return;
    cancel = clock.after(ms, () => void act().finally(next));
  };
  next();
  return () => {
    isOver = true;
    cancel?.();
  };
}
