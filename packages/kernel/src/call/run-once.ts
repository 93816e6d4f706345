// One execution, ended by whoever is first: the tool, its caller, or the clock. What comes after that is late.
import {
  CancelledError,
  cutText,
  redact,
  type SimpleFunctionsError,
  TimeoutError,
  UpstreamErrorError,
} from "@spfunctions/contracts";
import type { Clock } from "../time/clock.ts";
import { ownErrorOf } from "./own-error.ts";

export type Execution =
  | { readonly status: "completed"; readonly output: unknown }
  | {
      readonly status: "failed" | "timed_out" | "cancelled" | "unknown";
      readonly error: SimpleFunctionsError;
    };

export type RunLimits = {
  readonly tool: string;
  readonly timeoutMs: number;
  readonly clock: Clock;
  /** The caller's. */
  readonly signal: AbortSignal | undefined;
  /** Told what the tool did after all, if that was after the end. */
  readonly late: (execution: Execution) => void;
};

/** Most tools never look at their signal: it is made when somebody does. */
class LazySignal {
  #controller: AbortController | undefined;
  #reason: unknown;
  #isAborted = false;
  #isOver = false;

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#isAborted) this.#controller.abort(this.#reason);
    }
    return this.#controller.signal;
  }

  /** Whether the call has ended, however it did. */
  get isOver(): boolean {
    return this.#isOver;
  }

  end(): void {
    this.#isOver = true;
  }

  abort(reason: unknown): void {
    this.#isAborted = true;
    this.#reason = reason;
    this.#controller?.abort(reason);
  }
}

export type RunSignal = Pick<LazySignal, "signal" | "isOver">;

/** A tool that answers at once needs no clock. */
export async function runOnce(run: (signal: RunSignal) => unknown, limits: RunLimits): Promise<Execution> {
  const { tool, signal } = limits;
  if (signal?.aborted === true) {
    return {
      status: "cancelled",
      error: new CancelledError(`${tool}: cancelled before it began; nothing has happened`),
    };
  }
  const controller = new LazySignal();
  try {
    const answer = run(controller);
    if (isThenable(answer)) return await runWithin(answer, controller, limits);
    return { status: "completed", output: answer };
  } catch (error) {
    return failureOf(tool, error);
  } finally {
    controller.end();
  }
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return (
    typeof value === "object" && value !== null && typeof (value as { then?: unknown }).then === "function"
  );
}

function runWithin(
  answer: PromiseLike<unknown>,
  controller: LazySignal,
  { tool, timeoutMs, clock, signal, late }: RunLimits,
): Promise<Execution> {
  return new Promise((resolve) => {
    let hasEnded = false;
    const end = (execution: Execution): void => {
      if (hasEnded) {
        late(execution);
        return;
      }
      hasEnded = true;
      cancelTimer();
      signal?.removeEventListener("abort", cancel);
      resolve(execution);
    };
    const stop = (status: "timed_out" | "cancelled", error: SimpleFunctionsError): void => {
      if (hasEnded) return;
      end({ status, error });
      controller.abort(error);
    };
    const cancel = () =>
      stop(
        "cancelled",
        new CancelledError(`${tool}: cancelled while it ran; what it had begun may have happened`),
      );
    const cancelTimer = clock.after(timeoutMs, () => {
      stop(
        "timed_out",
        new TimeoutError(`${tool}: no answer within ${timeoutMs} ms; what it had begun may have happened`),
      );
    });
    signal?.addEventListener("abort", cancel, { once: true });
    Promise.resolve(answer).then(
      (output) => end({ status: "completed", output }),
      (error: unknown) => end(failureOf(tool, error)),
    );
    // The tool itself may have cancelled the call it was called by.
    if (signal?.aborted === true) cancel();
  });
}

const maxMessageChars = 2000;

/** Whatever was thrown becomes an error of ours, made here: nothing of the one that was thrown is passed on unread. */
function failureOf(tool: string, thrown: unknown): Execution {
  const own = ownErrorOf(thrown, maxMessageChars);
  // A tool that says `recovery_needed` does not know itself what became of its effect.
  if (own !== undefined) return { status: own.code === "recovery_needed" ? "unknown" : "failed", error: own };
  const safe = redact(thrown);
  const words = safe instanceof Error ? safe.message : safe;
  const message = typeof words === "string" ? words : "it threw something that is no error";
  const error = new UpstreamErrorError(cutText(`${tool} failed: ${message}`, maxMessageChars), {
    details: { tool, reason: "executor_failed" },
    cause: isHuge(safe) ? undefined : safe,
  });
  return { status: "failed", error };
}

function isHuge(error: unknown): boolean {
  return error instanceof Error && `${error.message}${error.stack}`.length > 10 * maxMessageChars;
}
