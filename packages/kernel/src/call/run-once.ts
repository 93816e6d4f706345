// One execution, ended by whoever is first: the tool, its caller, or the clock. What comes after that is late.
import {
  CancelledError,
  type ContractTool,
  errorFor,
  type RedactOptions,
  type SimpleFunctionsError,
  TimeoutError,
  UpstreamError,
} from "@spfunctions/contracts";
import type { Clock } from "../time/clock.ts";
import { isAborted, onAbort } from "../time/abort-signal.ts";
import { ownErrorOf, safeParts } from "./own-error.ts";
import { retryAdvice, withAdvice } from "./retry-advice.ts";

export type Execution =
  | { readonly status: "completed"; readonly output: unknown }
  | {
      readonly status: "failed" | "timed_out" | "cancelled" | "unknown" | "denied_before_execution";
      readonly error: SimpleFunctionsError;
      /** Unless it was called off before the tool was asked, or a person is asked where it would run. */
      readonly hasBegun?: false;
    };

/** Why an effect was denied before it was executed, where its call goes on: the reason in its record. */
export const waitsElsewhere = "waits_elsewhere";

export type RunLimits = {
  readonly tool: Pick<ContractTool, "name" | "sideEffect" | "idempotency"> & {
    readonly isElsewhere?: boolean;
    readonly seesItThrough?: boolean;
  };
  readonly redaction?: RedactOptions | undefined;
  readonly timeoutMs: number;
  /** What says so. */
  readonly boundBy: string;
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

/** Thrown by a tool that sees its calls through, where this process cannot: the call has no end yet. */
export class Unfinished extends Error {
  override readonly name = "Unfinished";
}

/** A tool that answers at once needs no clock. It never throws but what is unfinished: what has begun is told to have begun. */
export async function runOnce(run: (signal: RunSignal) => unknown, limits: RunLimits): Promise<Execution> {
  const { tool, signal } = limits;
  if (tool.seesItThrough === true) return await seeThrough(run, limits);
  if (isAborted(signal)) {
    const error = new CancelledError(`${tool.name}: cancelled before it began; nothing has happened`);
    return { status: "cancelled", error, hasBegun: false };
  }
  const controller = new LazySignal();
  try {
    const answer = run(controller);
    if (isThenable(answer)) return await runWithin(answer, controller, limits);
    return { status: "completed", output: answer };
  } catch (error) {
    return failureOf(limits, error);
  } finally {
    controller.end();
  }
}

/** It is told that it was cancelled, and waited for all the same. */
async function seeThrough(run: (signal: RunSignal) => unknown, limits: RunLimits): Promise<Execution> {
  const { tool, signal } = limits;
  const controller = new LazySignal();
  const stop = () => controller.abort(new CancelledError(`${tool.name}: cancelled`));
  const stopListening = signal && onAbort(signal, stop);
  if (isAborted(signal)) stop();
  try {
    return { status: "completed", output: await run(controller) };
  } catch (error) {
    if (error instanceof Unfinished) throw error;
    const failure = failureOf(limits, error);
    const isCancelled = failure.status === "failed" && failure.error.code === "cancelled";
    return isCancelled ? { ...failure, status: "cancelled" } : failure;
  } finally {
    stopListening?.();
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
  limits: RunLimits,
): Promise<Execution> {
  const { tool, timeoutMs, boundBy, clock, signal, late } = limits;
  return new Promise((resolve) => {
    let hasEnded = false;
    const end = (execution: Execution): void => {
      if (hasEnded) {
        late(execution);
        return;
      }
      hasEnded = true;
      cancelTimer();
      stopListening?.();
      resolve(execution);
    };
    const stop = (status: "timed_out" | "cancelled", error: SimpleFunctionsError): void => {
      if (hasEnded) return;
      // X1: of what may still happen in another place nobody will hear here.
      const isUnheard = tool.isElsewhere === true && tool.sideEffect !== "none";
      end({ status: isUnheard ? "unknown" : status, error });
      controller.abort(error);
    };
    const cancel = () =>
      stop(
        "cancelled",
        new CancelledError(
          `${tool.name}: cancelled while it ran; what it had begun may have happened`,
          retryAdvice("cancelled", tool),
        ),
      );
    const cancelTimer = clock.after(timeoutMs, () => {
      stop(
        "timed_out",
        new TimeoutError(
          `${tool.name}: no answer within ${timeoutMs} ms; what it had begun may have happened. The bound is ${boundBy}`,
          retryAdvice("timeout", tool),
        ),
      );
    });
    const stopListening = signal && onAbort(signal, cancel);
    Promise.resolve(answer).then(
      (output) => end({ status: "completed", output }),
      (error: unknown) => end(failureOf(limits, error)),
    );
    // The tool itself may have cancelled the call it was called by.
    if (isAborted(signal)) cancel();
  });
}

/** Whatever was thrown becomes an error of ours, made here: nothing of the one that was thrown is passed on unread. */
function failureOf({ tool, redaction }: RunLimits, thrown: unknown): Execution {
  const own = ownErrorOf(thrown, redaction);
  // Where it runs a key is looked for before anybody is asked: nothing has begun there.
  if (own?.code === "approval_required" && tool.isElsewhere === true) {
    const { code, message, details, cause } = own;
    const error = errorFor(code, message, { details: { ...details, reason: "asked_elsewhere" }, cause });
    return { status: "denied_before_execution", error, hasBegun: false };
  }
  // A tool that says `recovery_needed` does not know itself what became of its effect.
  if (own !== undefined) {
    const status = own.code === "recovery_needed" ? "unknown" : "failed";
    return { status, error: withAdvice(own, tool) };
  }
  const message = `${tool.name} failed: ${wordsOf(thrown) ?? "it threw something that says nothing"}`;
  const { message: words, cause } = safeParts({ message, cause: thrown }, redaction);
  const error = new UpstreamError(words, {
    details: { tool: tool.name, reason: "executor_failed" },
    ...retryAdvice("upstream_error", tool),
    cause,
  });
  return { status: "failed", error };
}

const mostCauses = 3;
const mostParts = 5;

/** Its words, or those of what it is made of, and what has caused it: `fetch failed` alone says nothing. */
function wordsOf(thrown: unknown, depth = 0): string | undefined {
  try {
    if (typeof thrown === "string") return thrown || undefined;
    if (typeof thrown !== "object" || thrown === null) return undefined;
    const { message, errors, cause, name } = thrown as Readonly<Record<string, unknown>>;
    const own = typeof message === "string" && message !== "" ? message : undefined;
    if (depth === mostCauses) return own;
    const parts = thrown instanceof AggregateError && Array.isArray(errors) ? errors.slice(0, mostParts) : [];
    const why = [cause, ...parts].flatMap((one) => wordsOf(one, depth + 1) ?? []).join("; ");
    const called = thrown instanceof Error && typeof name === "string" ? name : undefined;
    return why === "" || why === own ? (own ?? called) : `${own ?? called ?? "failed"} (${why})`;
  } catch {
    return undefined;
  }
}
