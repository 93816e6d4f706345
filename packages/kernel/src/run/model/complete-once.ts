// A model is outside: it has its time, it can be told to stop, and whatever comes of it is an answer or a failure that is known.
import {
  CancelledError,
  ProviderFailedError,
  type SimpleFunctionsError,
  type Spent,
  TimeoutError,
} from "@spfunctions/contracts";
import { isAborted, onAbort } from "../../time/abort-signal.ts";
import { maxErrorChars, ownErrorOf } from "../../call/own-error.ts";
import { safeText } from "../../call/safe-text.ts";
import type { ModelCompleteInput } from "../../model/model-adapter.ts";
import type { LiveRun } from "../driver/live-run.ts";
import { type ModelAnswer, readAnswer, readUsage } from "./read-answer.ts";
import { streamOnce } from "./stream-once.ts";

/** `spent`: only where somebody knows. */
export type ModelFailure = {
  readonly status: "failed" | "cancelled";
  readonly error: SimpleFunctionsError;
  readonly spent?: Spent | undefined;
  /** How long its provider asks to be left alone. */
  readonly retryAfterMs?: number | undefined;
};

/** One answer within its time, read as what comes from outside. */
export async function completeOnce(
  { host, signal }: Pick<LiveRun, "host" | "signal">,
  input: Pick<ModelCompleteInput, "messages" | "tools" | "maxTokens">,
  tell?: (text: string) => void,
): Promise<ModelAnswer | ModelFailure> {
  const { adapter } = host.model;
  const { modelMs, callsPerStep } = host.runLimits;
  // It is not asked at all, so that nothing is spent.
  if (isAborted(signal)) return { ...givenUp(), spent: {} };
  const controller = new AbortController();
  const stopped = Promise.withResolvers<ModelFailure>();
  const stop = (failure: ModelFailure) => {
    stopped.resolve(failure);
    controller.abort(failure.error);
  };
  const callOff = host.clock.after(modelMs, () => stop(tooLate(adapter.name, modelMs)));
  const stopListening = onAbort(signal, () => stop(givenUp()));
  const request = { ...input, output: host.output, signal: controller.signal };
  const answering = (async () => {
    try {
      const said =
        tell === undefined || adapter.stream === undefined
          ? await adapter.complete(request)
          : await streamOnce(adapter.stream.bind(adapter), request, tell);
      return read(said, callsPerStep);
    } catch (thrown) {
      return thrownBy(adapter.name, thrown);
    }
  })();
  try {
    return await Promise.race([stopped.promise, answering]);
  } finally {
    callOff();
    stopListening();
  }
}

function tooLate(name: string, modelMs: number): ModelFailure {
  const error = new TimeoutError(
    `${name} gave no answer within ${modelMs} ms; runLimits.modelMs gives it more`,
  );
  return { status: "failed", error };
}

function givenUp(): ModelFailure {
  return { status: "cancelled", error: new CancelledError("cancelled while the model was asked") };
}

/** What cannot be read may still say what it has cost. */
function read(given: unknown, mostCalls: number): ModelAnswer | ModelFailure {
  try {
    return readAnswer(given, mostCalls);
  } catch (thrown) {
    const error = ownErrorOf(thrown);
    // What threw while it was looked at was not ours.
    if (error?.code !== "provider_failed") throw thrown;
    return { status: "failed", error, spent: readUsage(given) };
  }
}

/**
 * Whatever an adapter throws, made anew: one that cannot be read has thrown all the same (B24). Only an error of ours says that the provider has refused, so that nothing was spent, and whether it
 * is worth asking again.
 */
function thrownBy(name: string, thrown: unknown): ModelFailure {
  const own = ownErrorOf(thrown);
  const said = own !== undefined && !isUnclear(own) ? own : undefined;
  // R1: what was not recorded is not asked for once more.
  if (said?.code === "replay_miss") return { status: "failed", error: said, spent: {} };
  const isFinal =
    said?.retry === "never" ||
    said?.retry === "after_user_action" ||
    said?.details?.["reason"] === "not_retryable";
  // It has answered, and nobody knows what that has cost.
  const isUnpriced = said?.details?.["reason"] === "unknown_usage";
  const words = wordsOf(thrown);
  const text = words.startsWith(name) ? words : `${name} failed: ${words}`;
  const error = new ProviderFailedError(safeText(text, maxErrorChars), {
    details: { reason: isFinal ? "not_retryable" : "provider_error" },
  });
  const retryAfterMs = said?.details?.["retryAfterMs"];
  return {
    status: "failed",
    error,
    ...(said && !isUnpriced && { spent: {} }),
    ...(typeof retryAfterMs === "number" && retryAfterMs > 0 && { retryAfterMs }),
  };
}

/** Nobody has heard what became of it. */
function isUnclear({ code }: SimpleFunctionsError): boolean {
  return code === "timeout" || code === "cancelled";
}

function wordsOf(thrown: unknown): string {
  try {
    const words: unknown = thrown instanceof Error ? thrown.message : undefined;
    if (typeof words === "string") return words;
  } catch {
    // An error that cannot be asked is one without words.
  }
  return "it threw something that is no error";
}
