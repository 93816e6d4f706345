import {
  ContractViolationError,
  type JsonValue,
  type Origin,
  type Principal,
  type RedactOptions,
} from "@spfunctions/contracts";
import { authorize } from "../capability/reach.ts";
import type { DocumentWrite } from "../store/store.ts";
import type { CallNames } from "../time/ids.ts";
import type { Tool } from "../tool/define-tool.ts";
import type { CallHost, CallRequest } from "./call-host.ts";
import type { Watch } from "./call-in-progress.ts";
import type { Attempted } from "./conclude.ts";
import {
  idempotencyOf,
  isElsewhere,
  type Permit,
  seesItThrough,
  timeLimitOf,
  type ToolContext,
} from "./executors.ts";
import { emit } from "./emit.ts";
import { type Execution, type RunLimits, type RunSignal, runOnce } from "./run-once.ts";
import { safeText } from "./safe-text.ts";
import { readChanges } from "./tool-changes.ts";

/** One attempt at a call. */
export type Attempt = {
  readonly names: CallNames;
  readonly tool: Tool;
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly request?: Pick<CallRequest, "signal" | "timeoutMs">;
  readonly watch?: Watch | undefined;
  /** What was hidden of its input is hidden in whatever the tool says, too. */
  readonly redaction?: RedactOptions | undefined;
  /** The grant of a capability that it runs by. */
  readonly ranBy?: string | undefined;
  /** The approval that it runs by. */
  readonly approvalId?: string | undefined;
  /** Whether the tool is only asked what became of an effect, and changes nothing by its answer. */
  readonly isAsked?: true;
  /** Told what the tool did after its time was over. */
  readonly late?: (execution: Execution) => void;
};

type External = { operationId?: string; reconciliationRef?: string };
/** What a tool leaves besides its output. */
type Left = { readonly external: External; readonly documents: DocumentWrite[] };

type Act = (permitted: Permit, input: JsonValue, context: ToolContext) => unknown;

/** Runs a tool's function, or asks it what became of an effect, within the time it has. */
export async function executeTool(
  host: CallHost,
  attempt: Attempt,
  act: Act,
  permitted: Permit,
  input: JsonValue,
): Promise<Attempted> {
  const { clock } = host;
  const left: Left = { external: {}, documents: [] };
  const begun = clock.elapsed();
  const { timeoutMs, boundBy } = timeLimit(host, attempt);
  const execution = await runOnce(
    (signal) => act(permitted, input, new CallContext(host, attempt, { signal, timeoutMs }, left)),
    {
      tool: routeOf(attempt.tool),
      redaction: attempt.redaction,
      timeoutMs,
      boundBy,
      clock,
      signal: attempt.request?.signal,
      late: attempt.late ?? (() => {}),
    },
  );
  const durationMs = Math.max(0, clock.elapsed() - begun);
  const isChanging = execution.status === "completed" && left.documents.length > 0;
  return {
    execution,
    durationMs,
    external: { ...left.external },
    ...(isChanging && { documents: [...left.documents] }),
  };
}

function routeOf(tool: Tool): RunLimits["tool"] {
  const { name, sideEffect } = tool.contract;
  return {
    name,
    sideEffect,
    idempotency: idempotencyOf(tool),
    isElsewhere: isElsewhere(tool),
    seesItThrough: seesItThrough(tool),
  };
}

type TimeLimit = Pick<RunLimits, "timeoutMs" | "boundBy">;

/** The least of what is said; what the host says holds where neither tool nor caller says anything. */
function timeLimit({ judge, limits }: CallHost, { tool, request }: Attempt): TimeLimit {
  const own = timeLimitOf(tool);
  const called = request?.timeoutMs;
  let least: TimeLimit =
    own === undefined && called === undefined
      ? { timeoutMs: limits.callMs, boundBy: "limits.callMs; a timeoutMs of the call gives it more" }
      : { timeoutMs: 2 ** 31 - 1, boundBy: "what a timer can wait" };
  const stated = [
    [own, "the tool's own timeoutMs"],
    [called, "the call's timeoutMs"],
    [judge.budget.maxWallMs, "the policy's budget.maxWallMs"],
  ] as const;
  for (const [ms, boundBy] of stated)
    if (ms !== undefined && ms < least.timeoutMs) least = { timeoutMs: Math.max(1, ms), boundBy };
  return least;
}

/** Data is its own; what a tool rarely asks for is made when it does, and works also when taken out of it. */
class CallContext implements ToolContext {
  readonly runId: string;
  readonly callId: string;
  readonly effectId: string;
  readonly traceId: string;
  readonly approvalId: string | undefined;
  readonly idempotencyKey: string;
  readonly attempt: number;
  readonly principal: Principal;
  readonly origin: Origin;
  readonly timeoutMs: number;
  readonly #signal: RunSignal;
  readonly #progress: (message: string) => void;
  readonly #left: Left;
  readonly #attempt: Attempt;
  readonly #host: CallHost;

  constructor(
    host: CallHost,
    attempt: Attempt,
    { signal, timeoutMs }: { readonly signal: RunSignal; readonly timeoutMs: number },
    left: Left,
  ) {
    const { names } = attempt;
    this.runId = names.runId;
    this.callId = names.callId;
    this.effectId = names.effectId;
    this.traceId = names.traceId;
    this.approvalId = attempt.approvalId;
    this.idempotencyKey = attempt.idempotencyKey;
    this.attempt = attempt.attempt;
    this.principal = host.principal;
    this.origin = host.origin;
    this.timeoutMs = timeoutMs;
    this.#signal = signal;
    this.#left = left;
    this.#attempt = attempt;
    this.#host = host;
    this.#progress = (message) => {
      if (!signal.isOver) emitProgress(host, attempt, message);
    };
    Object.freeze(this);
  }

  get signal(): AbortSignal {
    return this.#signal.signal;
  }

  get progress(): ToolContext["progress"] {
    return this.#progress;
  }

  get external(): ToolContext["external"] {
    return ({ operationId, reconciliationRef }) => {
      if (operationId !== undefined) this.#left.external.operationId = this.#kept(operationId);
      if (reconciliationRef !== undefined)
        this.#left.external.reconciliationRef = this.#kept(reconciliationRef);
    };
  }

  get commit(): ToolContext["commit"] {
    return (documents) => {
      const why = this.#whyNothingChanges();
      if (why !== undefined)
        throw new ContractViolationError(`${this.#attempt.tool.contract.name}: nothing is changed, ${why}`);
      for (const write of readChanges(this.principal, documents)) this.#left.documents.push(write);
    };
  }

  get authorize(): ToolContext["authorize"] {
    return async (url) => {
      const { tool, names, ranBy, isAsked } = this.#attempt;
      const { name } = tool.contract;
      if (this.#signal.isOver || isAsked === true || tool.contract.capability === undefined)
        throw new ContractViolationError(`${name}: nothing is reached, ${this.#whyNothingIsReached()}`);
      return await authorize(this.#host, { callId: names.callId, tool: name, ranBy }, url);
    };
  }

  #whyNothingIsReached(): string {
    if (this.#attempt.tool.contract.capability === undefined)
      return "because it does not say that it needs to";
    return this.#signal.isOver
      ? "because its call is over"
      : "because it was only asked what became of an effect";
  }

  #whyNothingChanges(): string | undefined {
    if (this.#attempt.tool.contract.sideEffect === "none") return "because it says that it changes nothing";
    if (this.#attempt.isAsked === true) return "because it was only asked what became of an effect";
    return this.#signal.isOver ? "because its call is over" : undefined;
  }

  #kept(text: unknown): string {
    return safeText(String(text), 512, this.#attempt.redaction);
  }
}

function emitProgress(
  { clock }: CallHost,
  { watch, names, tool, redaction }: Attempt,
  message: unknown,
): void {
  if (watch === undefined) return;
  const { runId, callId } = names;
  const { name, digest, sideEffect, costEffect } = tool.contract;
  const ts = new Date(clock.now()).toISOString();
  const call = { runId, callId, ts, tool: name, toolDigest: digest, sideEffect, costEffect };
  emit(watch, {
    type: "tool.progress",
    live: true,
    ...call,
    message: safeText(String(message), 2000, redaction),
  });
}
