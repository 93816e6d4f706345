// J3, X1: a process that stood still, or a machine that slept, may have been succeeded meanwhile, and its successor may have run what
// was about to run here. So before a tool starts the store is asked, unless its intent was written only just now.
import { JournalAppendFailedError, LeaseLostError } from "@spfunctions/contracts";
import type { StreamWriter } from "../journal/stream-writer.ts";
import type { Clock } from "../time/clock.ts";
import type { CallHost } from "./call-host.ts";

/** By both clocks: one of them may stand still while the machine sleeps, the other may be set. */
export type Moment = { readonly now: number; readonly elapsed: number };

export function momentOf({ now, elapsed }: Clock): Moment {
  return { now: now(), elapsed: elapsed() };
}

/** Whoever is succeeded has at least two thirds of its lease between an answer and the end of the lease. */
const shareOfLease = 3;
/** A store whose answers take longer than that each time answers nothing. */
const maxQuestions = 3;

/**
 * Throws unless this process still writes a stream, as of no more than a third of the lease ago. `since`: before its last record was
 * sent. Whatever follows without a pause happens under that lease.
 */
export async function requireLease(
  { store, clock }: Pick<CallHost, "store" | "clock">,
  { stream, epoch }: Pick<StreamWriter, "stream" | "epoch">,
  since: Moment,
  tool: string,
): Promise<void> {
  const longestMs = store.leaseMs() / shareOfLease;
  let known = since;
  for (let asked = 0; msSince(clock, known) > longestMs; asked++) {
    if (asked === maxQuestions) throw unanswered(tool, stream, tooLate());
    known = momentOf(clock);
    // oxlint-disable-next-line no-await-in-loop -- again where the answer came too late
    const isHeld = await store.renew(stream, epoch).catch((cause: unknown) => {
      throw unanswered(tool, stream, cause);
    });
    if (!isHeld) throw takenOver(tool, stream);
  }
}

/** Whether the lease may still stand: nobody could say. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof LeaseLostError && error.details?.["reason"] === "unanswered";
}

function msSince(clock: Clock, { now, elapsed }: Moment): number {
  return Math.max(clock.now() - now, clock.elapsed() - elapsed);
}

function takenOver(tool: string, stream: string): LeaseLostError {
  return new LeaseLostError(
    `${tool}: this process stood still, and another has taken over ${stream} meanwhile. The tool did not start here; whoever writes ${stream} now settles the call`,
    { details: { stream, reason: "taken_over" } },
  );
}

function tooLate(): JournalAppendFailedError {
  return new JournalAppendFailedError(
    `each of ${maxQuestions} answers of the store took longer than a third of the lease; make it faster, or the lease longer`,
    { details: { reason: "no_answer" } },
  );
}

function unanswered(tool: string, stream: string, cause: unknown): LeaseLostError {
  return new LeaseLostError(
    `${tool}: this process stood still, and the store did not say in time whether it still writes ${stream}. The tool did not start; the call is settled once the store answers`,
    { details: { stream, reason: "unanswered" }, cause },
  );
}
