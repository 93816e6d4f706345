// The one way from HTTP to a tool: every tool route is this function, and what it calls is the kernel.
import {
  type ContractTool,
  inputReaderOf,
  isSimpleFunctionsError,
  MissingApiKeyError,
  type Origin,
  originSchema,
  RateLimitedError,
  RevisionConflictError,
  requiresIdentity,
  sessionIdSchema,
  type SimpleFunctionsError,
  travelsInQuery,
  InvalidInputError,
} from "@spfunctions/contracts";
import type { CallOutcome, CallRequest, Seat, Watch } from "@spfunctions/kernel";
import { traceIdIn } from "./trace-parent.ts";
import { anonymousAccount, type Caller } from "../identity/caller.ts";
import type { KeyUsage } from "../keys/key-usage.ts";
import type { PlatformLimits } from "../platform-limits.ts";
import { type KeyQuotas, type QuotaTake, untaken } from "../quota/key-quotas.ts";
import type { Seats } from "../seat/seats.ts";
import { answerClosing, answerError, answerResult, type ErrorTerms, type Fault } from "./answer.ts";
import type { Admission, Door } from "../door/door.ts";
import { eitherSignal } from "./either-signal.ts";
import { type Inquiry, queryOf } from "./inquiry.ts";
import { readBody } from "./read-body.ts";
import { isForOperator } from "./shown-error.ts";
import type { Named, UnderWay } from "../under-way.ts";

export type ToolHost = {
  readonly door: Door;
  readonly seats: Seats;
  readonly usage: KeyUsage;
  readonly quotas: KeyQuotas;
  readonly limits: PlatformLimits;
  readonly requestId: () => string;
  /** Told of what has changed or happened in an account. */
  readonly happened: (accountId: string, tool: ContractTool, outcome?: CallOutcome) => void;
  /** Wakes whoever listens to an account as a call of it goes on; nothing where nobody does. */
  readonly waking: (accountId: string) => Watch | undefined;
  readonly fault: Fault;
  /** Whether nothing new begins here any more. */
  readonly isClosing: () => boolean;
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

type Admitted = Extract<Admission, { type: "admitted" }>;

/** A call that is ready to be made. */
export type ReadyCall = {
  readonly seat: Seat;
  readonly request: CallRequest;
  readonly quota: Extract<QuotaTake, { type: "taken" }>;
  readonly caller: Caller;
  /** Aborted when whoever called has gone, where that ends it. */
  readonly gone: AbortSignal | undefined;
};

export function toolAnswerer(
  host: ToolHost,
  tool: ContractTool,
  stream: (call: ReadyCall, run: ToolRun, terms: ErrorTerms) => Response,
): ToolAnswerer {
  const prepare = preparer(host, tool);
  const run = runner(host, tool);
  return async (inquiry, params) => {
    const requestId = host.requestId();
    const admission = await host.door.admit(inquiry);
    if (admission.type === "refused") return answerError(admission.error, { requestId, ...admission });
    const terms = { requestId, headers: admission.headers };
    const ready = await prepare(inquiry, params, admission);
    if (ready.type === "refused") return answerError(ready.error, { ...terms, ...ready });
    // What was still arriving when the end began has not begun itself.
    if (host.isClosing()) return answerClosing(terms);
    if (inquiry.header("accept") === "text/event-stream") return stream(ready, run, terms);
    return answerOutcome(await run(ready, requestId), terms);
  };
}

function answerOutcome(outcome: CallOutcome, terms: ErrorTerms): Response {
  if (outcome.type === "completed") return answerResult(outcome.result, terms);
  const { error, receipt, replayed } = outcome;
  return answerError(error, { ...terms, receipt, replayed });
}

/** Never throws: what was thrown is told to the operator, and is an outcome like any other. */
export type ToolRun = (call: ReadyCall, requestId: string, watch?: Watch) => Promise<CallOutcome>;

function runner(host: ToolHost, tool: ContractTool): ToolRun {
  const { underWay, happened, waking, usage, fault, cutting } = host;
  return async ({ seat, request, quota, caller, gone }, requestId, watch) => {
    const { accountId, keyId } = caller.principal;
    if (accountId !== anonymousAccount) usage.note(accountId, keyId);
    const named = { tool: tool.name, accountId };
    const either = gone && eitherSignal(gone, cutting);
    let outcome: CallOutcome | undefined;
    try {
      const call = { ...request, signal: either?.signal ?? cutting };
      outcome = await underWay(seat.call(call, watch ?? waking(accountId)), named);
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
      return { type: "failed", error: fault(thrown, requestId) };
    } finally {
      either?.release();
      happened(accountId, tool, outcome);
    }
  };
}

type Prepared =
  | ({ readonly type: "ready" } & ReadyCall)
  | {
      readonly type: "refused";
      readonly error: SimpleFunctionsError;
      readonly status?: number;
      readonly headers?: Record<string, string>;
    };

function preparer({ door, seats, quotas, limits }: ToolHost, tool: ContractTool) {
  const readInput = inputReaderOf(tool);
  const isOpen = !requiresIdentity(tool);
  let missingKey: SimpleFunctionsError | undefined;
  const hasBody = tool.http !== undefined && !travelsInQuery(tool.http);
  const isRead = tool.sideEffect === "none";
  const quotasOf = ({ quotas: own }: Caller) =>
    own === undefined ? limits.quotas : { ...limits.quotas, ...own };

  /** What is refused by the law, or was answered before, runs nothing: the law says so itself, and it is recorded. */
  const costsNothing = async (seat: Seat, idempotencyKey: string | undefined) =>
    seat.explain(tool.name).outcome === "deny" ||
    (idempotencyKey !== undefined && (await seat.isClaimed(tool.name, idempotencyKey)));

  return async (
    inquiry: Inquiry,
    params: Readonly<Record<string, string>>,
    { caller, headers }: Admitted,
  ): Promise<Prepared> => {
    const { request, header } = inquiry;
    if (caller.principal.kind === "anonymous" && !isOpen)
      return door.refuse("missing_api_key", (missingKey ??= missingKeyFor(tool)), headers);
    const body = hasBody ? await readBody(inquiry, limits.requestBodyBytes) : undefined;
    if (body?.type === "refused") return door.refuse("bad_body", body.error, headers, body.status);
    const read = readWhole(() => {
      requireContract(tool, header("x-sf-tool-digest"));
      const input = readInput({ params, query: queryOf(request), body: body?.text });
      const sessionId = sessionIn(header("x-sf-session"));
      return { input, origin: originOf(caller, header("x-sf-origin")), sessionId };
    });
    if (read.type === "refused") return door.refuse("bad_request", read.error, headers);
    const seat = seats.of(caller, read.origin, read.sessionId);
    const idempotencyKey = header("idempotency-key") ?? undefined;
    const taken = await quotas.take(caller.principal, tool.costEffect, quotasOf(caller));
    const quota = taken.type === "used_up" && (await costsNothing(seat, idempotencyKey)) ? untaken : taken;
    if (quota.type === "used_up")
      return door.refuse("quota", usedUp(tool, quota), {
        ...headers,
        "Retry-After": String(Math.ceil(quota.resetMs / 1000)),
      });
    return {
      type: "ready",
      caller,
      quota,
      seat,
      request: {
        tool: tool.name,
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
  if (header === null || sessionIdSchema.safeParse(header).success) return header ?? undefined;
  throw new InvalidInputError("x-sf-session is no session's id: 1 to 128 letters, digits or . _ : @ -", {
    details: { reason: "bad_session" },
  });
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

function usedUp(
  { name, costEffect }: ContractTool,
  { limit, resetMs }: Extract<QuotaTake, { type: "used_up" }>,
): SimpleFunctionsError {
  return new RateLimitedError(
    `${name}: the ${limit} calls of class ${costEffect} that this key has a day are used up; they are there again in ${Math.ceil(resetMs / 60_000)} min`,
    { details: { tool: name, reason: "quota", costEffect, retryAfterMs: resetMs } },
  );
}
