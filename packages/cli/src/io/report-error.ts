import {
  type ErrorCode,
  type ErrorDetails,
  errorCodes,
  errorHelp,
  exitCodes,
  InternalError,
  isSimpleFunctionsError,
  type OutputFrame,
  redact,
  type Retry,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import { isBadUsage } from "../command-line/bad-usage.ts";
import { asCommands } from "./as-commands.ts";
import type { CliIo } from "./cli-io.ts";
import type { Printer } from "./printer.ts";

/** How a command answers. */
export type Mode = "human" | "json" | "ndjson";

/** One line that says what was wrong, and below it what helps; `options` is what finds the place that it is about, `tools` what names the tools. */
export function printError(
  print: Printer,
  error: SimpleFunctionsError,
  env: CliIo["env"],
  options = "",
  tools = "",
): void {
  const message = asCommands(error.message, options, tools);
  print.err({ text: `error ${error.code}`, style: ["bold", "red"] }, `: ${message}`);
  for (const [name, text] of helpFor(error)) {
    print.err("  ", { text: `${name}:`, style: "dim" }, ` ${asCommands(text, options, tools)}`);
  }
  if (env.SF_DEBUG === "1") for (const line of (error.stack ?? "").split("\n")) print.err("  ", line);
}

/** An error that ended a command, in the form its caller reads. */
export function reportError(
  print: Printer,
  error: SimpleFunctionsError,
  mode: Mode,
  env: CliIo["env"],
): void {
  printError(print, error, env);
  if (mode === "json") print.json({ ok: false, error: error.toJSON() }, 2);
  if (mode === "ndjson") print.json(failedFrame(error));
}

export function failedFrame({ code, message }: SimpleFunctionsError): OutputFrame {
  return { type: "agent.final", ok: false, error: { code, message } };
}

/** Anything thrown, as one of our errors: what is none of them is a fault of ours or of a pack. */
export function errorOf(thrown: unknown): SimpleFunctionsError {
  if (isSimpleFunctionsError(thrown)) return thrown;
  const safe = redact(thrown);
  const message = safe instanceof Error ? safe.message : "something was thrown that is no error";
  const made = new InternalError(`something failed that should not: ${message}`, { cause: safe });
  if (safe instanceof Error && safe.stack !== undefined) made.stack = safe.stack;
  return made;
}

/** How a command ends that a signal has cancelled. */
export const exitsOfSignals: Readonly<Record<string, number>> = {
  /** Cancelled by a terminal that was closed, and journaled. */
  SIGHUP: 129,
  /** Cancelled by Ctrl-C, and journaled. */
  SIGINT: 130,
  /** Cancelled by SIGTERM, and journaled. */
  SIGTERM: 143,
};

/** The exit code of an error; of a call that a signal has cancelled, the one that shells know. */
export function exitOf(error: SimpleFunctionsError, signal: AbortSignal): number {
  const { code } = error;
  if (code === "cancelled" && signal.aborted)
    return exitsOfSignals[String(signal.reason)] ?? exitCodes.failed;
  return isBadUsage(error) ? exitCodes.badUsage : errorCodes[code].exit;
}

/** What helps in this very case; where its words cannot say it, what helps with its code. */
function helpFor(error: SimpleFunctionsError): [string, string][] {
  // What its words say already is not said twice.
  const own = helpIn(error.details ?? {}).filter(([, text]) => !error.message.includes(text));
  const isTold = own.some(([name]) => name !== "at") || saysWhatToDo.test(error.message);
  if (isTold || isBadUsage(error) || !saysOnlyWhat.has(error.code)) return own;
  return [...own, ["what to do", doNowFor(error).replaceAll("`", "")]];
}

/** Of what a tool has thrown, it alone says whether it may be tried again. */
function doNowFor({ code, retry }: SimpleFunctionsError): string {
  return code === "upstream_error"
    ? `${again[retry]}; the journal and the log of where it runs say why.`
    : errorHelp[code].doNow;
}

const again: Readonly<Record<Retry, string>> = {
  never: "Do not try again as it is",
  safe: "Try again",
  after_wait: "Try again later",
  after_user_action: "Change what is wrong before trying again",
};

/** As messages are written here, what to do follows what was wrong: after a semicolon, or in a sentence of its own. */
const saysWhatToDo = /; |\. [A-Z]/;

/** Whose words are those of a tool, a provider or a record, or are said wherever something is looked for: they know what, and no more. */
const saysOnlyWhat: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "contract_violation",
  "journal_corrupt",
  "not_found",
  "provider_failed",
  "upstream_error",
]);

function helpIn({ path, verdict, suggestions }: ErrorDetails): [string, string][] {
  const help: [string, string][] = [];
  if (typeof path === "string" && path !== "") help.push(["at", path]);
  if (verdict?.remedy !== undefined) help.push(["what would allow it", verdict.remedy]);
  if (Array.isArray(suggestions) && suggestions.length > 0)
    help.push(["did you mean", suggestions.join(", ")]);
  return help;
}
