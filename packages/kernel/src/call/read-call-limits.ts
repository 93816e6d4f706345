import { InvalidInputError, refuseUnknown } from "@spfunctions/contracts";
import { type CallLimits, defaultCallLimits } from "./call-host.ts";

const longestWaitMs = 2 ** 31 - 1;

/** Times that a clock can keep, and a count. */
export function readCallLimits(given: Partial<CallLimits> = {}): CallLimits {
  refuseUnknown(given, Object.keys(defaultCallLimits), "limit");
  const limits = { ...defaultCallLimits, ...given };
  for (const [name, limit] of Object.entries(limits)) {
    const isTimer = name === "callMs" || name === "policyMs";
    const most = isTimer ? longestWaitMs : Number.MAX_SAFE_INTEGER;
    if (Number.isFinite(limit) && limit > 0 && limit <= most) continue;
    throw new InvalidInputError(`limits.${name} is not a number from 1 to ${most}`, {
      details: { path: `/limits/${name}` },
    });
  }
  return limits;
}
