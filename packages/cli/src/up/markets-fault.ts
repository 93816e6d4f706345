import { isErrorCode, redactText } from "@spfunctions/contracts";
import type { LogLine } from "@spfunctions/server";

/** Whose it is, and what it is about. */
const names = ["accountId", "intentId", "alertRuleId", "venue"] as const;

/** What the operator is told of something in the markets that could not be brought up to now. */
export function marketsFault(what: string, fault: unknown): LogLine {
  const given: Readonly<Record<string, unknown>> = Object(fault);
  const named = names.flatMap((name) => (typeof given[name] === "string" ? [[name, given[name]]] : []));
  const { code, message } = given;
  const said =
    what === "orders"
      ? {
          event: "markets.stopped",
          message: "markets: an armed order does not fire; it is listed as stopped, and can be armed again",
        }
      : {
          event: "markets.behind",
          message: `markets: the ${what} could not be brought up to now; tried again until it can, and told once`,
        };
  return {
    level: "warn",
    ...said,
    ...Object.fromEntries(named),
    error: {
      code: isErrorCode(code) ? code : "internal",
      ...(typeof message === "string" && { message: redactText(message) }),
    },
  };
}
