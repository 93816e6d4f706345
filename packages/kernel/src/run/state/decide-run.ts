// What a run does next, by its records alone: no clock, no store, no waiting. So a run that is resumed goes on as it would have.
import {
  ApprovalDeniedError,
  BudgetExceededError,
  CancelledError,
  errorFor,
  type JsonValue,
  readCanonicalJson,
  type RunEnd,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import { textOf } from "../../replay/recorded-answer.ts";
import { questionIn } from "../../subagent/question.ts";
import { hasNews, nextTurn, openCalls, type Run } from "./fold-run.ts";
import { spentSoFar } from "./run-budget.ts";
import { awaitedOf } from "./run-shape.ts";
import type { CallResult, ProposedCall, RunStep } from "./run-step.ts";

export type Command =
  | { readonly type: "ask_model"; readonly step: number; readonly attempt: number }
  | { readonly type: "call"; readonly calls: readonly ProposedCall[] }
  /** Others can go on: a person, its parent, its children. */
  | { readonly type: "rest" }
  | { readonly type: "ask_parent"; readonly question: string }
  | End;

export type End = {
  readonly type: "end";
  readonly status: RunEnd;
  readonly output?: JsonValue;
  readonly error?: SimpleFunctionsError;
};

export type DecideTerms = {
  /** Whether a run goes on after a person has denied one of its calls. */
  readonly onDenied: "continue" | "fail";
  /** How often the same call is refused before the run is stopped. */
  readonly repeatedCalls: number;
  /** How often in a row a model may fail. */
  readonly modelAttempts: number;
  /** How it ends by a model's last word: completed with that text unless given. */
  readonly answered?: ((text: string) => End) | undefined;
  /** How often a model is told that its last word is not what it must be, and asked for another. */
  readonly repairs: number;
};

export function decideRun(run: Run, terms: DecideTerms): Command {
  const calls = openCalls(run);
  const halt = haltOf(run, terms);
  const begun = calls.filter(isBegun(run));
  // What has begun is seen to its end, also when nothing more is to begin.
  if (halt !== undefined && begun.length > 0) return { type: "call", calls: begun };
  if (run.shape.state === "recovery_needed" && run.cancelledBy === undefined) return { type: "rest" };
  if (halt !== undefined) return halt;
  if (calls.length > 0) return { type: "call", calls };
  return afterLastWord(run) ?? stopOf(run, terms) ?? { type: "ask_model", ...nextTurn(run) };
}

function isBegun({ shape }: Run): (call: ProposedCall) => boolean {
  return ({ callId }) => {
    const phase = shape.calls.get(callId);
    return phase === "waiting" || phase === "running";
  };
}

/** Whether something is under way that ends by itself, or that a person may still let run. */
export function hasBegun(run: Run): boolean {
  return openCalls(run).some(isBegun(run));
}

/** Whether nobody knows what became of one of its effects. */
export function isInDoubt({ shape }: Run): boolean {
  return [...shape.calls.values()].includes("unknown");
}

/** Whether a call that was proposed may begin. X1: while nobody knows what became of one effect, no other does. */
export function mayBegin(run: Run, terms: DecideTerms): boolean {
  return !isInDoubt(run) && haltOf(run, terms) === undefined;
}

/** Why nothing more begins, whatever was proposed. */
function haltOf(run: Run, { onDenied }: DecideTerms): End | undefined {
  const { cancelledBy, isOverrun, steps } = run;
  if (cancelledBy !== undefined) return cancelled(cancelledBy.keyId);
  if (isOverrun) return overrun(run);
  const denied = steps.at(-1)?.results.find(({ refusal }) => refusal === "approval_denied");
  if (denied === undefined || onDenied !== "fail") return undefined;
  return { type: "end", status: "failed", error: new ApprovalDeniedError(messageIn(denied)) };
}

/** What comes before a last word counts: its children, and what it asks. */
function afterLastWord({ shape, steps, opening, isDetached }: Run): Command | undefined {
  if (shape.isAsking) return { type: "rest" };
  const last = steps.at(-1);
  if (!shape.hasSaid || last === undefined) return undefined;
  if (awaitedOf(shape).length > 0) return { type: "rest" };
  const question = opening.parent?.mayAsk === true && !isDetached ? questionIn(last.text) : undefined;
  return question === undefined ? undefined : { type: "ask_parent", question };
}

/** Why a model is not asked, after everything that it has proposed has ended. */
function stopOf(run: Run, terms: DecideTerms): End | undefined {
  const { steps, failures } = run;
  const last = steps.at(-1);
  if (failures > 0) return failedModel(run, terms);
  if (last === undefined) return undefined;
  if (last.calls.length === 0) return hasNews(run) ? undefined : lastWord(steps, last.text, terms);
  const error = usedUp(run) ?? repeatedRefusal(steps, terms.repeatedCalls);
  return error && { type: "end", status: "blocked", error };
}

/** Nothing where it may try again. */
function lastWord(
  steps: readonly RunStep[],
  text: string,
  { answered, repairs }: DecideTerms,
): End | undefined {
  const end = answered?.(text) ?? { type: "end", status: "completed", output: text };
  const isOnceMore = end.status === "failed" && steps.filter(isLastWord).length <= repairs;
  return isOnceMore ? undefined : end;
}

export function isLastWord({ calls }: RunStep): boolean {
  return calls.length === 0;
}

/** A model that fails again and again, or for a reason that will stay, is asked no more. */
function failedModel(
  { failures, lastFailure, content }: Run,
  { modelAttempts }: DecideTerms,
): End | undefined {
  const isMiss = lastFailure?.error?.code === "replay_miss";
  const isFinal = isMiss || lastFailure?.error?.reason === "not_retryable";
  if (failures < modelAttempts && !isFinal) return undefined;
  const digest = lastFailure?.error?.message;
  const words = digest && textOf(content.get(digest.ref));
  const said = words ?? `the model has failed ${failures} times in a row`;
  const error = errorFor(isMiss ? "replay_miss" : "provider_failed", said, {
    details: { attempts: failures },
  });
  return { type: "end", status: "failed", error };
}

/** B26: a model that was told that its calls are used up, and wants more of them, is asked no more. */
function usedUp(run: Run): SimpleFunctionsError | undefined {
  const last = run.steps.at(-1)?.results.find(isOverBudget);
  if (last === undefined || run.steps.filter(({ results }) => results.some(isOverBudget)).length < 2)
    return undefined;
  const { total: spent, on: spentOn } = run.spending;
  return new BudgetExceededError(
    `it was told once that it may call nothing more, and did so again: ${messageIn(last)}. ${spentSoFar(run)}`,
    { details: { limit: last.limit, spent, spentOn } },
  );
}

/** Whoever may start no other child may still do anything else. */
function isOverBudget({ refusal, limit }: CallResult): boolean {
  return refusal === "budget_exceeded" && limit !== "maxChildren";
}

/** B13: a model that asks for the same again and again, and is refused each time, has not understood and will not. */
function repeatedRefusal(steps: readonly RunStep[], most: number): SimpleFunctionsError | undefined {
  // It would have been stopped before, had it not been for its last step.
  if (steps.at(-1)?.results.every(({ refusal }) => refusal === undefined) !== false) return undefined;
  const counts = new Map<string, number>();
  for (const { calls, results } of steps) {
    for (const { callId, name, args } of calls) {
      const result = results.find((one) => one.callId === callId);
      if (result?.refusal === undefined) continue;
      const key = `${name} ${JSON.stringify(args)}`;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count >= most)
        return errorFor(
          result.refusal as "policy_denied",
          `the same call was refused ${count} times, the last time: ${messageIn(result)}`,
          { details: { reason: "repeated_calls" } },
        );
    }
  }
  return undefined;
}

function messageIn({ text }: CallResult): string {
  const { error } = readCanonicalJson(text) as { error?: { message?: string } };
  return error?.message ?? "no reason given";
}

function cancelled(by: string): End {
  const error = new CancelledError(`cancelled by ${by}; what had begun has ended`);
  return { type: "end", status: "cancelled", error };
}

function overrun(run: Run): End {
  const { total: spent, on: spentOn } = run.spending;
  const error = new BudgetExceededError(
    `the provider has billed more than the worst case that was reserved; nothing further is started. ${spentSoFar(run)}`,
    { details: { reason: "overrun", spent, spentOn } },
  );
  return { type: "end", status: "blocked", error };
}
