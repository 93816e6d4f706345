import { exitCodes, isSimpleFunctionsError, type SimpleFunctionsError } from "@spfunctions/contracts";
import type { CallOutcome, CallRequest } from "@spfunctions/kernel";
import { asBadUsage } from "../command-line/bad-usage.ts";
import { errorOf, exitOf } from "../io/report-error.ts";
import type { OpenSeat } from "../seat/open-seat.ts";
import type { TraceFile } from "../trace/record-trace.ts";
import type { CallView } from "./call-view.ts";

type Showing = {
  readonly view: CallView;
  readonly trace: TraceFile | undefined;
};

/** Makes one call, shows it, and says how `sf` is to exit. */
export async function runCall(
  open: OpenSeat,
  request: CallRequest & { readonly signal: AbortSignal },
  { view, trace }: Showing,
): Promise<number> {
  const { seat, report, signer } = open;
  try {
    view.opened(seat.manifest, { settled: report.settled, unknown: await seat.unknown() });
    const outcome = await callAndClose(open, request, view);
    // The answer of what has run is given, whatever becomes of the rest.
    const trouble = await faultOf(async () => {
      await seat.close();
      await trace?.write(seat.trace());
    });
    view.ended({ outcome, signer, trouble });
    return exitOfCall(outcome, trouble, request.signal);
  } finally {
    await open.leave();
  }
}

/** A call that throws could not be journaled as it should: the journal is closed as far as it can be. */
async function callAndClose({ seat }: OpenSeat, request: CallRequest, view: CallView): Promise<CallOutcome> {
  try {
    return await seat.call(request, view.event);
  } catch (error) {
    await faultOf(() => seat.close());
    const isMistake = isSimpleFunctionsError(error) && error.details?.reason === "bad_request";
    throw isMistake ? asBadUsage(error) : error;
  }
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
  outcome: CallOutcome,
  trouble: SimpleFunctionsError | undefined,
  signal: AbortSignal,
): number {
  if (outcome.type !== "completed") return exitOf(outcome.error, signal);
  return trouble === undefined ? exitCodes.done : exitOf(trouble, signal);
}
