// The one way from HTTP to a tool: every tool route is this function, and what it calls is the kernel.
import {
  type ContractTool,
  inputReaderOf,
  isSimpleFunctionsError,
  MissingApiKeyError,
  type Origin,
  originSchema,
  RevisionConflictError,
  requiresIdentity,
  givenSessionIdSchema,
  type SimpleFunctionsError,
  travelsInQuery,
  InvalidInputError,
} from "@spfunctions/contracts";
import type { CallOutcome, CallRequest, Seat, Watch } from "@spfunctions/kernel";
import type { Caller } from "../identity/caller.ts";
import type { Seats } from "../seat/seats.ts";
import type { Named, UnderWay } from "../under-way.ts";
import { answerError, answerResult, type AnswerTerms, type Fault } from "./answer.ts";
import { eitherSignal } from "./either-signal.ts";
import { type Inquiry, queryOf } from "./inquiry.ts";
import { isForOperator } from "./shown-error.ts";
import { traceIdIn } from "./trace-parent.ts";
import { type Answered, enter, type Taken, takeQuota, type WayInHost } from "./way-in.ts";

export type ToolHost = WayInHost & {
  readonly seats: Seats;
  /** Told of what has changed or happened in an account. */
  readonly happened: (accountId: string, tool: ContractTool, outcome?: CallOutcome) => void;
  /** Wakes whoever listens to an account as a call of it goes on; nothing where nobody does. */
  readonly waking: (accountId: string) => Watch | undefined;
  readonly fault: Fault;
  /** Keeps what is under way, so that nothing is closed beneath it. */
  readonly underWay: UnderWay["add"];
  /** Aborted when what has not ended by now is not waited for any longer. */
  readonly cutting: AbortSignal;
  /** Told of a call that was cut off by that. */
  readonly cut: (call: CutCall) => void;
};

/** A call that was cancelled because the platform ended. */
export type CutCall = Named & { readonly callId: string | undefined; readonly requestId: string };

export type ToolAnswerer = (inquiry: Inquiry, params: Readonly<Record<string, string>>) => Promise<Response>;

/** A call that is ready to be made. */
export type ReadyCall = {
  readonly seat: Seat;
  readonly request: CallRequest;
  readonly quota: Taken;
  readonly caller: Caller;
  readonly terms: AnswerTerms;
  /** Aborted when whoever called has gone, where that ends it. */
  readonly gone: AbortSignal | undefined;
};

export function toolAnswerer(
  host: ToolHost,
  tool: ContractTool,
  stream: (call: ReadyCall, run: ToolRun) => Response,
): ToolAnswerer {
  const prepare = preparer(host, tool);
  const run = runner(host, tool);
  return async (inquiry, params) => {
    inquiry.note?.({ tool: tool.name });
    const ready = await prepare(inquiry, params);
    if (ready.type === "answered") return ready.answer;
    if (inquiry.header("accept") === "text/event-stream") return stream(ready, run);
    return answerOutcome(await run(ready), ready.terms);
  };
}

function answerOutcome(outcome: CallOutcome, terms: AnswerTerms): Response {
  if (outcome.type === "completed") return answerResult(outcome.result, terms);
  const { error, receipt, replayed } = outcome;
  return answerError(error, { ...terms, receipt, replayed });
}

/** Never throws: what was thrown is told to the operator, and is an outcome like any other. */
export type ToolRun = (call: ReadyCall, watch?: Watch) => Promise<CallOutcome>;

function runner(host: ToolHost, tool: ContractTool): ToolRun {
  const { underWay, happened, waking, fault, cutting } = host;
  return async ({ seat, request, quota, caller, terms: { requestId }, gone }, watch) => {
    const { accountId } = caller.principal;
    const named = { tool: tool.name, accountId };
    const either = gone && eitherSignal(gone, cutting);
    let outcome: CallOutcome | undefined;
    try {
      const call = { ...request, signal: either?.signal ?? cutting };
      outcome = await underWay(seat.call(call, both(watch, waking(accountId))), named);
      if (cutting.aborted && outcome.type !== "completed" && outcome.error.code === "cancelled")
        host.cut({ ...named, callId: outcome.receipt?.callId, requestId });
      // Only what ran is counted: no refusal, and no answer that is given again.
      const isAgain =
        outcome.type === "completed" ? outcome.result.replayed === true : outcome.replayed === true;
      if (outcome.type === "refused" || isAgain) quota.giveBack();
      if (outcome.type !== "completed" && !isAgain && isForOperator(outcome.error, "thrown"))
        fault(outcome.error, requestId);
      return outcome;
    } catch (thrown) {
      // A request that cannot be read runs nothing. Of whatever else was thrown nobody knows: the tool may have run before it.
      if (isSimpleFunctionsError(thrown) && thrown.code === "invalid_input") quota.giveBack();
      return { type: "failed", error: fault(thrown, requestId) };
    } finally {
      either?.release();
      happened(accountId, tool, outcome);
    }
  };
}

function both(one: Watch | undefined, other: Watch | undefined): Watch | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return (event) => {
    one(event);
    other(event);
  };
}

type Prepared = ({ readonly type: "ready" } & ReadyCall) | Answered;

function preparer(host: ToolHost, tool: ContractTool) {
  const { seats } = host;
  const readInput = inputReaderOf(tool);
  let missing: SimpleFunctionsError | undefined;
  const missingKey = requiresIdentity(tool) ? () => (missing ??= missingKeyFor(tool)) : undefined;
  const hasBody = tool.http !== undefined && !travelsInQuery(tool.http);
  const isRead = tool.sideEffect === "none";
  const { name, costEffect } = tool;

  /** What is refused by the law, or was answered before, runs nothing: the law says so itself, and it is recorded. */
  const costsNothing = async (seat: Seat, idempotencyKey: string | undefined) =>
    seat.explain(name).outcome === "deny" ||
    (idempotencyKey !== undefined && (await seat.isClaimed(name, idempotencyKey)));

  return async (inquiry: Inquiry, params: Readonly<Record<string, string>>): Promise<Prepared> => {
    const entered = await enter(host, inquiry, { missingKey, hasBody });
    if (entered.type === "answered") return entered;
    const { request, header } = inquiry;
    const { caller, body, terms, refuse } = entered;
    const read = readWhole(() => {
      requireContract(tool, header("x-sf-tool-digest"));
      const input = readInput({ params, query: queryOf(request), body });
      const sessionId = sessionIn(header("x-sf-session"));
      const origin = originOf(caller, header("x-sf-origin"));
      return { input, origin, sessionId, withoutReceipt: isWithoutReceipt(header("x-sf-receipt")) };
    });
    if (read.type === "refused") return refuse("bad_request", read.error);
    const seat = seats.of(caller, read.origin, read.sessionId);
    const idempotencyKey = header("idempotency-key") ?? undefined;
    const isFree = () => costsNothing(seat, idempotencyKey);
    const quota = await takeQuota(host, entered, { costEffect, tool: name, isFree });
    if (quota.type === "answered") return quota;
    return {
      type: "ready",
      caller,
      quota,
      seat,
      terms: read.withoutReceipt ? { ...terms, withoutReceipt: true } : terms,
      request: {
        tool: name,
        input: read.input,
        idempotencyKey,
        traceId: traceIdIn(header("traceparent")),
        signReceipt: header("x-sf-sign-receipt") === "true",
      },
      // What changes something goes on to its end, whoever still listens.
      gone: isRead ? request.signal : undefined,
    };
  };
}

function readWhole<Read extends object>(
  read: () => Read,
): ({ readonly type: "read" } & Read) | { readonly type: "refused"; readonly error: SimpleFunctionsError } {
  try {
    return { type: "read", ...read() };
  } catch (error) {
    if (isSimpleFunctionsError(error)) return { type: "refused", error };
    throw error;
  }
}

/** Claimed by the caller: it can only make the law stricter. What a run does a model does, whatever it claims. */
function originOf({ principal }: Caller, header: string | null): Origin {
  const least = principal.kind === "run" ? "model" : "direct";
  const { success, data } = originSchema.safeParse(header ?? least);
  if (success) return data === "direct" ? least : data;
  throw new InvalidInputError(`x-sf-origin is not one of ${originSchema.options.join(", ")}`, {
    details: { reason: "bad_origin" },
  });
}

/** Which of its sessions a call belongs to is the caller's to say. */
function sessionIn(header: string | null): string | undefined {
  if (header === null) return undefined;
  const { error, data } = givenSessionIdSchema.safeParse(header);
  if (data !== undefined) return data;
  const [problem] = error.issues;
  throw new InvalidInputError(
    problem?.code === "custom"
      ? `x-sf-session: ${problem.message}`
      : "x-sf-session is no session's id: 1 to 128 letters, digits or . _ : @ -",
    { details: { reason: "bad_session" } },
  );
}

function isWithoutReceipt(header: string | null): boolean {
  if (header === null || header === "none") return header !== null;
  throw new InvalidInputError("x-sf-receipt is none, or left out", { details: { reason: "bad_receipt" } });
}

/** Two seats, one tool: what a caller has judged by another contract is not run. */
function requireContract({ name, digest }: ContractTool, judged: string | null): void {
  if (judged === null || judged === digest) return;
  throw new RevisionConflictError(
    `${name} has another contract by now than the one this call was judged by; load the manifest again`,
    { details: { tool: name, reason: "other_contract" } },
  );
}

function missingKeyFor({ name }: ContractTool): SimpleFunctionsError {
  return new MissingApiKeyError(`${name} needs a key: send Authorization: Bearer with one`, {
    details: { tool: name },
  });
}
