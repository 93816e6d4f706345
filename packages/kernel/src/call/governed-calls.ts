// The governed path, in its order. J1: nothing that has an effect starts before its intent is committed, and no read is answered
// before it is recorded. G4: what was judged is what runs.
import {
  approvalIdSchema,
  CancelledError,
  type Explanation,
  explanationOf,
  HostConfigurationNeededError,
  InvalidInputError,
  isFreeRead,
  RevisionConflictError,
  type SimpleFunctionsError,
  secretInId,
  traceIdSchema,
  type Verdict,
} from "@spfunctions/contracts";
import type { Judgement } from "../judge/judge.ts";
import { type Replay, replayMiss } from "../replay/replay.ts";
import { replayCall } from "../replay/replay-call.ts";
import { nameCall } from "../time/ids.ts";
import { isAborted, isSignal } from "../time/abort-signal.ts";
import { allowCall } from "./allow-call.ts";
import { askApproval } from "./ask-approval.ts";
import type { CallHost, CallOutcome, CallRequest } from "./call-host.ts";
import type { Allowed, Call, PlacedCall, Watch } from "./call-in-progress.ts";
import { type CallCheck, checkCall, type CheckRequest } from "./check-call.ts";
import { effectCall, readCall } from "./effect-call.ts";
import { judgeInput } from "./judge-input.ts";
import { freeze, type Payload, recordedForm, type Unreadable } from "./payload.ts";
import { judgedForm, prepareInput } from "./prepare-input.ts";
import { refusalError } from "./refusal-error.ts";
import { type Refused, refuseCall } from "./refuse-call.ts";
import { reviseCall } from "./revise-call.ts";
import { safeText } from "./safe-text.ts";

/** The calls of one seat. */
export class GovernedCalls {
  readonly #host: CallHost;

  constructor(host: CallHost) {
    this.#host = host;
  }

  /** The verdict on a call, as far as it can be said at once; nothing runs. Without an input, what depends on it is not checked. */
  explain(name: string, input?: unknown): Explanation {
    return explanationOf(this.#verdictOn(name, input));
  }

  #verdictOn(name: string, input: unknown): Verdict {
    const { judge, registry, origin, keyedHash } = this.#host;
    const tool = registry.tools.get(name);
    if (tool === undefined || input === undefined) return judge.judge({ tool: name, origin }).verdict;
    const prepared = prepareInput(tool, freeze(input), keyedHash);
    const judged = { tool: name, origin, input: judgedForm(prepared), capability: "not_checked" } as const;
    return judge.judge(judged).verdict;
  }

  /** Asks every gate about a call, also the host's own rules and what was approved and granted. Nothing runs, and nothing is written. */
  async check(given: CheckRequest): Promise<CallCheck> {
    return await checkCall(this.#host, given);
  }

  /** `ready` is waited for after the input has been frozen: whatever its owner does to it from then on is too late. */
  async call(
    given: CallRequest,
    watch?: Watch,
    ready?: Promise<unknown>,
    placed?: PlacedCall,
  ): Promise<CallOutcome> {
    const frozen = freeze(given.input === undefined ? {} : given.input);
    const request = readRequest(given, this.#host);
    await ready;
    const { judge, registry, origin, keyedHash, ids } = this.#host;
    const unique = placed?.unique ?? ids.unique();
    const own = nameCall(unique, request.traceId);
    const names = placed === undefined ? own : { ...own, runId: placed.runId };
    const { idle, readBefore } = placed ?? {};
    const call: Call = { request, unique, names, watch, idle, readBefore };
    const tool = registry.tools.get(request.tool);
    const first = judge.judge({ tool: request.tool, origin, spent: this.#host.budget?.used() });
    if (tool === undefined && frozen.type === "payload" && this.#isUnrecorded(request.tool))
      return await this.#refuse(call, first, { error: this.#miss(request.tool, frozen) });
    if (tool === undefined || first.verdict.outcome !== "allow")
      return await this.#refuse(call, first, { tool });
    const proposed = prepareInput(tool, frozen, keyedHash);
    const { input, objection } = await reviseCall(this.#host, call, tool, proposed);
    const judgement = await judgeInput(this.#host, call.names, tool, input, { objection });
    const { verdict, said, reached } = judgement;
    if (verdict.outcome === "deny")
      return await this.#refuse(call, judgement, { tool, input, lacks: reached?.lacks });
    if (input.type === "unreadable") {
      return await this.#refuse(call, judgement, { tool, input, error: unreadableInput(input) });
    }
    if (isAborted(request.signal)) {
      const error = new CancelledError(`${request.tool}: cancelled before it began; nothing has happened`);
      return await this.#refuse(call, judgement, { tool, input, error });
    }
    if (verdict.outcome === "ask") return await askApproval(this.#host, { call, tool, input, verdict, said });
    const allowed = allowCall(this.#host, call, tool, input, verdict, reached?.use);
    if (this.#host.replay !== undefined) return await this.#replay(this.#host.replay, allowed, judgement);
    if (isOneRecord(allowed)) return await readCall(this.#host, allowed);
    return (await effectCall(this.#host, allowed)) ?? changedMeanwhile(request.tool);
  }

  async #refuse(call: Call, judgement: Judgement, known: Partial<Refused>): Promise<CallOutcome> {
    const { verdict } = judgement;
    const error = known.error ?? refusalError(call.request.tool, judgement);
    return await refuseCall(this.#host, call, { ...known, verdict, error });
  }

  /** A name that was called and is no tool's is refused as it was then; of another nobody has recorded what it is. */
  #isUnrecorded(tool: string): boolean {
    const { knowsRecordedOnly, replay } = this.#host;
    return knowsRecordedOnly === true && replay?.names.has(safeText(tool, 200)) === false;
  }

  #miss(tool: string, input: Payload): SimpleFunctionsError {
    const { hash } = recordedForm(input, { publicPaths: [], secretPaths: [] }, this.#host.keyedHash);
    return replayMiss(safeText(tool, 200), hash);
  }

  async #replay(replay: Replay, call: Allowed, judgement: Judgement): Promise<CallOutcome> {
    const { tool, input } = call;
    const hit = tool.contract.replay.replayable ? replay.take(tool.contract.name, input.recorded) : undefined;
    if (hit !== undefined) return await replayCall(this.#host, call, hit);
    const error = replayMiss(tool.contract.name, input.recorded.hash);
    return await this.#refuse(call, judgement, { tool, input, error });
  }
}

function changedMeanwhile(tool: string): never {
  throw new RevisionConflictError(
    `${tool}: what it was to be written with has changed; nothing has run, try again`,
  );
}

/** In a replay the input is not judged, and one that cannot be read was never recorded. */
function unreadableInput({ problem: { path, reason, message } }: Unreadable): SimpleFunctionsError {
  const where = path === "" ? "the input" : path;
  return new InvalidInputError(`${where} ${message}`, { details: { path, reason } });
}

/** What is used up, a key or a grant, is used up before anything runs by it. */
function isOneRecord({ tool: { contract }, request, use }: Allowed): boolean {
  return isFreeRead(contract) && request.idempotencyKey === undefined && use?.write === undefined;
}

/** The request as it is now: what its owner does to it from here on is too late (G4). */
function readRequest(given: CallRequest, { signer }: CallHost): CallRequest {
  const { tool, signal, timeoutMs, idempotencyKey, signReceipt, traceId, asking, approvalId } = given;
  if (typeof tool !== "string") throw bad("tool", "a tool is called by its canonical name, a string");
  if (idempotencyKey !== undefined) requireKey(idempotencyKey);
  if (timeoutMs !== undefined && !(Number.isFinite(timeoutMs) && timeoutMs > 0)) {
    throw bad("timeoutMs", "timeoutMs is not a number of milliseconds above 0");
  }
  if (signReceipt === true && signer === undefined) {
    throw new HostConfigurationNeededError(
      "receipts can be signed only with an installation's secret; open with one",
    );
  }
  if (signal !== undefined && !isSignal(signal))
    throw bad("signal", "signal is no AbortSignal; pass the signal of a controller");
  if (traceId !== undefined && !traceIdSchema.safeParse(traceId).success)
    throw bad("traceId", "a trace id has 32 lower-case hex digits, not all 0");
  const wrongTrace = traceId === undefined ? undefined : secretInId(traceId, "trace id");
  if (wrongTrace !== undefined) throw bad("traceId", wrongTrace);
  if (asking !== undefined && asking !== "wait" && asking !== "return")
    throw bad("asking", "a call waits for a person, or returns: asking is wait or return");
  if (approvalId !== undefined && !approvalIdSchema.safeParse(approvalId).success)
    throw bad("approvalId", "an approval's id begins with appr_; leave it out to be asked");
  return { tool, signal, timeoutMs, idempotencyKey, signReceipt, traceId, asking, approvalId };
}

/**
 * An idempotency key.
 * @limit call.idempotencyKeyChars | `invalid_input` | fixed: records and stores are made for it
 */
const maxKeyChars = 256;

function requireKey(key: unknown): void {
  if (!(typeof key === "string" && /^[\x21-\x7e]+$/.test(key) && key.length <= maxKeyChars)) {
    throw bad(
      "idempotencyKey",
      `an idempotency key has 1 to ${maxKeyChars} printable ASCII characters and no spaces`,
    );
  }
  // S1: it is kept as it is.
  const problem = secretInId(key, "idempotency key");
  if (problem !== undefined) throw bad("idempotencyKey", problem);
}

function bad(field: string, message: string): InvalidInputError {
  return new InvalidInputError(message, { details: { path: `/${field}`, reason: "bad_request" } });
}
