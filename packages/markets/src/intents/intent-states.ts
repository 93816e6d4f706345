// What can become of an intent. The table is the whole rule: code and test read the same one.
import { InvalidTransitionError } from "@spfunctions/contracts";

/**
 * `pending`: a draft, which nothing fires. `armed`: waits for its trigger. `triggered`: it held, and nothing is sent yet.
 * `stopped`: it does not fire, for the reason that it says, until somebody arms it again.
 * `executing`: its order is sent, and nothing of it is filled. `partial`: some is, the rest stands. Then how it ended: `rejected`
 * where the venue took no order, `cancelled` and `expired` where less was filled than was wanted.
 */
export const intentStates = [
  "pending",
  "armed",
  "triggered",
  "stopped",
  "executing",
  "partial",
  "filled",
  "expired",
  "cancelled",
  "rejected",
] as const;
export type IntentState = (typeof intentStates)[number];

export const intentTransitions: { readonly [From in IntentState]: readonly IntentState[] } = {
  pending: ["armed", "cancelled", "expired"],
  armed: ["triggered", "stopped", "cancelled", "expired"],
  triggered: ["executing", "stopped", "cancelled", "expired"],
  stopped: ["armed", "cancelled"],
  executing: ["partial", "filled", "cancelled", "expired", "rejected"],
  partial: ["filled", "cancelled", "expired"],
  filled: [],
  expired: [],
  cancelled: [],
  rejected: [],
};

export function requireTransition(from: IntentState, to: IntentState): void {
  if (!intentTransitions[from].includes(to)) throw badTransition(from, to);
}

/** Says what can be done instead. */
export function badTransition(from: IntentState, to: IntentState, remedy?: string): InvalidTransitionError {
  const open = intentTransitions[from];
  const advice =
    remedy ?? (open.length === 0 ? "it has ended; make another" : `it can become ${open.join(", ")}`);
  return new InvalidTransitionError(`an intent that is ${from} cannot become ${to}: ${advice}`, {
    details: { from, to },
  });
}
