import { isSimpleFunctionsError, redactText } from "@spfunctions/contracts";

/** What can be told, in words that stay. */
export type LogEvent =
  | "request.answered"
  | "request.failed"
  | "call.cut"
  | "call.left"
  | "call.unknown"
  | "takeover.failed"
  | "tools.unserved"
  | "key_usage.unwritten"
  | "markets.behind"
  | "markets.stopped"
  | "runtime.unproven"
  | "socket.failed"
  | "store.lost";

/** What a platform has to say besides its answers: one plain object each. S1: it holds no key, no header, no input and no output. */
export type LogLine = {
  readonly level: "error" | "warn" | "info";
  readonly event: LogEvent;
  readonly message: string;
  readonly [field: string]: unknown;
};

/** What was thrown, as it may stand in a log. */
export function loggedError(error: unknown): object {
  return isSimpleFunctionsError(error) ? error.toJSON() : { message: redactText(String(error)) };
}
