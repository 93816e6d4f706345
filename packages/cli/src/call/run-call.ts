import {
  type AgentEvent,
  type Approval,
  errorFor,
  exitCodes,
  isSimpleFunctionsError,
  type Receipt,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import type { CallOptions } from "@spfunctions/agent";
import { asBadUsage } from "../command-line/bad-usage.ts";
import { errorOf, exitOf } from "../io/report-error.ts";
import type { CallView, EndedCall } from "./call-view.ts";
import type { Runner } from "./runner.ts";

export type AskedCall = CallOptions & {
  readonly tool: string;
  readonly input: unknown;
  readonly signal: AbortSignal;
};

/** Makes one call, shows it, and says how `sf` is to exit. */
export async function runCall(runner: Runner, call: AskedCall, view: CallView): Promise<number> {
  let fault: SimpleFunctionsError | undefined;
  let exit: number;
  try {
    exit = await callAndShow(runner, call, view);
  } finally {
    // Also where the call is thrown: what fails while everything is let go of is told, and takes no answer's place.
    fault = await faultOf(() => runner.leave());
    if (fault !== undefined) view.left(fault);
  }
  return exit === exitCodes.done && fault !== undefined ? exitCodes.failed : exit;
}

async function callAndShow(runner: Runner, call: AskedCall, view: CallView): Promise<number> {
  const outcome = await callAndClose(runner, call, view);
  // The answer of what has run is given, whatever becomes of the rest.
  const trouble = await faultOf(() => runner.close());
  view.ended({ outcome, signer: runner.signer, trouble });
  return exitOfCall(outcome, trouble, call.signal);
}

/** A call that throws without a receipt could not be journaled as it should: the journal is closed as far as it can be. */
async function callAndClose(
  runner: Runner,
  { tool, input, ...options }: AskedCall,
  view: CallView,
): Promise<EndedCall["outcome"]> {
  try {
    view.opened(runner.manifest, runner.recovery);
    const stream = runner.stream(tool, input, options);
    for await (const event of stream) view.event(event, await questionIn(event, runner, options));
    return { type: "completed", result: await stream.result };
  } catch (thrown) {
    const failed = isSimpleFunctionsError(thrown) ? failureOf(thrown) : undefined;
    if (failed !== undefined) return failed;
    await faultOf(() => runner.close());
    const isMistake = isSimpleFunctionsError(thrown) && thrown.details?.reason === "bad_request";
    throw isMistake ? asBadUsage(thrown) : thrown;
  }
}

/** The question that a call waits for, or has waited for. */
async function questionIn(
  event: AgentEvent,
  { question }: Runner,
  { asking }: CallOptions,
): Promise<Approval | undefined> {
  const isAbout = event.type === "approval.required" || event.type === "approval.resolved";
  return isAbout && asking === "wait" ? await question?.(event.approvalId) : undefined;
}

/** A refusal or a failure that was recorded: its receipt stands beside the error, not in it. */
function failureOf(thrown: SimpleFunctionsError): EndedCall["outcome"] | undefined {
  const { code, message, retry, cause, stack } = thrown;
  const { receipt, ...details } = (thrown.details ?? {}) as { readonly receipt?: Receipt };
  if (receipt === undefined) return undefined;
  const error = errorFor(code, message, { details, retry, cause });
  if (stack !== undefined) error.stack = stack;
  return { type: "failed", error, receipt };
}

async function faultOf(act: () => Promise<void>): Promise<SimpleFunctionsError | undefined> {
  try {
    await act();
    return undefined;
  } catch (error) {
    return errorOf(error);
  }
}

function exitOfCall(
  outcome: EndedCall["outcome"],
  trouble: SimpleFunctionsError | undefined,
  signal: AbortSignal,
): number {
  if (outcome.type !== "completed") return exitOf(outcome.error, signal);
  return trouble === undefined ? exitCodes.done : exitOf(trouble, signal);
}
