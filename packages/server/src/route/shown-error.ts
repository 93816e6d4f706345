// The one law about what of an error may be shown over HTTP, to whoever asks or listens: in an answer, in the answer again, and
// among the events. It is no law for whoever embeds the kernel, who is the operator.
import {
  type ErrorCode,
  type ErrorDetails,
  InternalError,
  isSimpleFunctionsError,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";

/** `record`: as the journal keeps it. Records of old, and errors without one, have no reason there. */
export type ErrorSource = "thrown" | "record";

/** An error, whoever keeps it. */
export type KnownError = {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: ErrorDetails | undefined;
};

/** Errors that may name files of this machine, and the reasons with which they are written for whoever asks. */
const ofThisMachine: ReadonlyMap<ErrorCode, readonly string[]> = new Map([
  ["journal_append_failed", []],
  ["journal_corrupt", []],
  ["lease_lost", ["closing", "closed"]],
  ["host_configuration_needed", ["not_configured_here"]],
]);

/** What may be said of an error besides its code; and with which request it is in the log, where it was just written there. */
export function shownOf(
  error: KnownError,
  source: ErrorSource,
  requestId?: string,
): Omit<KnownError, "code"> {
  const { message, details } = error;
  return isForOperator(error, source) ? { message: hiddenWords(error, requestId) } : { message, details };
}

/**
 * Whether an error may name files of this machine, or say what a tool's function never meant for its caller: it is the operator's
 * then, and nobody else learns more than its code.
 */
export function isForOperator(
  { code, details }: Pick<KnownError, "code" | "details">,
  source: ErrorSource,
): boolean {
  const forCallers = ofThisMachine.get(code);
  if (forCallers !== undefined) return details?.reason === undefined || !forCallers.includes(details.reason);
  if (code !== "upstream_error") return false;
  // With an error of ours a tool says what its caller may know. Of a recorded one only its reason tells whose words they are.
  return details?.reason === "executor_failed" || (source === "record" && details?.reason === undefined);
}

function hiddenWords({ code, details }: KnownError, requestId: string | undefined): string {
  const inLog = requestId === undefined ? "" : `: in its log, under ${requestId}`;
  if (code === "upstream_error")
    return `${details?.tool ?? "the tool"} failed; why is for the operator of this platform to find out${inLog}`;
  return `something is wrong with the machine this platform runs on, and not with your request; what it is, its operator can find out${inLog}`;
}

/** What was thrown, as an error of ours: of a stranger's nothing is left. */
export function shownError(thrown: unknown): SimpleFunctionsError {
  if (isSimpleFunctionsError(thrown)) return thrown;
  return new InternalError("something went wrong here, and not with your request; it was written to the log");
}
