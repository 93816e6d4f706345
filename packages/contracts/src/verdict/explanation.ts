import type { Gate, Verdict } from "./verdict.ts";

/** What was not asked: a gate of this side, or everything that a platform asks on its own side. */
export type UncheckedPart = Gate | "platform";

/**
 * A verdict on a call that nobody has made. Where something was not asked that could still refuse the call, the outcome is `unchecked`
 * in place of `allow` or `ask`, and the reason begins with that word.
 */
export type Explanation = Omit<Verdict, "outcome" | "code"> & {
  readonly outcome: Verdict["outcome"] | "unchecked";
  /** `unchecked` in place of `allowed`. Where a person must approve the call in any case, that code stays. */
  readonly code: Verdict["code"] | "unchecked";
  /** What was not asked and could still refuse the call. Absent where everything was asked, or the call is refused in any case. */
  readonly unchecked?: readonly UncheckedPart[];
};

/** Says in the first word of a verdict that not every gate was asked. Gates after the one that stopped the call are not asked by a call either. */
export function explanationOf(verdict: Verdict): Explanation {
  const stoppedAt = verdict.gates.findIndex(({ result }) => result === "stopped");
  const before = stoppedAt === -1 ? verdict.gates : verdict.gates.slice(0, stoppedAt);
  const unasked = before.filter(({ result }) => result === "not_checked").map(({ gate }) => gate);
  return withUnchecked<Explanation>(verdict, ...unasked);
}

/** The same explanation with something more that was not asked. A refusal is final whatever else would be asked. */
export function withUnchecked<Given extends Explanation>(given: Given, ...more: UncheckedPart[]): Given {
  if (given.outcome === "deny" || more.length === 0) return given;
  const { unchecked: before = [] } = given;
  const unchecked = [...before, ...more];
  const isAllowed = given.code === "allowed" || given.code === "unchecked";
  const rest = isAllowed ? "nothing else stopped it" : given.reason.slice(beginning(before).length);
  return {
    ...given,
    outcome: "unchecked",
    code: isAllowed ? "unchecked" : given.code,
    reason: `${beginning(unchecked)}${rest}`,
    unchecked,
  };
}

function beginning(parts: readonly UncheckedPart[]): string {
  return parts.length === 0 ? "" : `unchecked: ${parts.join(", ")}; `;
}
