import {
  type AgentPolicy,
  type ContractManifest,
  type ContractTool,
  errorFor,
  type Explanation,
  nearest,
  refuseUnknown,
  type ToolCallResult,
  type UnknownEffect,
  UnknownToolError,
} from "@spfunctions/contracts";
import {
  type AccountVerification,
  type Asked,
  type AskForTerms,
  type Asking,
  type CallCheck,
  type CallLimits,
  type CallOutcome,
  type CallRequest,
  type Clock,
  type EvaluatePostTool,
  type EvaluatePreTool,
  type GivenPrincipal,
  type HostRule,
  type Ids,
  type Installation,
  type NetworkOptions,
  type Pack,
  type RecoveryReport,
  type Replay,
  type Resolution,
  Seat,
  type Store,
  type TraceStore,
  type Watch,
} from "@spfunctions/kernel";
import { eraseCallOfAgents } from "./erase/erase-call.ts";
import { eraseTermsOf } from "./erase/erase-terms.ts";
import { type EventStream, eventStream } from "./event-stream.ts";
import { warnOfMisspeltDenials } from "./policy/warn-of-misspelt-denials.ts";
import { KeptTrace } from "./trace/keep-trace.ts";
import { traceStoreOf, type TakeLine } from "./trace/take-lines.ts";
import type {
  CallableName,
  CallOptions,
  CallResult,
  CheckOptions,
  ToolInput,
  ToolOutput,
  ToolTree,
} from "./typed-tools.ts";

export type GovernOptions<Packs extends readonly Pack[]> = {
  /** Lists of tools, or single ones; in a replay, unless given, those that its traces know. */
  readonly packs?: Packs;
  /** What may be called. Without a ceiling nothing is changed and nothing traded. */
  readonly policy: AgentPolicy;
  /** Who calls. */
  readonly principal: GivenPrincipal;
  /** Where the journal is kept; in memory unless given. Whoever opened it closes it. */
  readonly store?: Store;
  /** Where a trace is kept: it grows with every call, and is sealed when this is closed. A function gets every line then. */
  readonly trace?: TraceStore | TakeLine;
  /** For receipts that are signed, and hashes that outlive this process. */
  readonly installation?: Installation;
  /** Answers come from recorded traces, and nothing runs. */
  readonly replay?: Replay;
  /** Calls are explained, and none is made. */
  readonly inspects?: boolean;
  /** Rules of your own, asked after the judge; they can only object. Each has an id and a version. */
  readonly rules?: readonly HostRule[];
  /** The same without an id and a version: what a person approves under it is approved in this process only. */
  readonly evaluatePreTool?: EvaluatePreTool;
  /** The same for outputs: nobody gets one before it has answered. */
  readonly evaluatePostTool?: EvaluatePostTool;
  /** Where a person must approve a call: whether it waits for them, or is refused with `approval_required`, as it is unless given. */
  readonly asking?: Asking;
  /** Under which name a person can approve what is like it for a while; without one every call is asked about. */
  readonly sessionId?: string;
  /** What is said of the network: which hosts `net` reaches, and which local ones are opened. What may be reached, operators grant. */
  readonly network?: NetworkOptions;
  readonly limits?: Partial<CallLimits>;
  readonly clock?: Clock;
  readonly ids?: Ids;
};

/** Functions under law: every call is judged, journaled and receipted. */
export type Governed<Packs extends readonly Pack[]> = {
  /** Runs a tool. What is refused or fails is thrown, with its code, its verdict and its receipt. */
  call<const Name extends string>(
    name: CallableName<Packs, Name>,
    input?: ToolInput<Packs, Name>,
    options?: CallOptions,
  ): Promise<CallResult<ToolOutput<Packs, Name>>>;
  /** The same call as events; `result` is its answer. */
  stream<const Name extends string>(
    name: CallableName<Packs, Name>,
    input?: ToolInput<Packs, Name>,
    options?: CallOptions,
  ): EventStream<CallResult<ToolOutput<Packs, Name>>>;
  /**
   * The verdict on a call, as far as it can be said at once; nothing runs. Where a gate is not asked that could refuse the call, the
   * outcome is `unchecked`: rules of your own and what was granted are not asked, and without an input nothing that depends on it.
   */
  explain<const Name extends string>(
    name: CallableName<Packs, Name>,
    input?: ToolInput<Packs, Name>,
  ): Explanation;
  /** What would become of the call: every gate is asked, also rules of your own. Nothing runs, and nothing is written or used up. */
  check<const Name extends string>(
    name: CallableName<Packs, Name>,
    input?: ToolInput<Packs, Name>,
    options?: CheckOptions,
  ): Promise<CallCheck>;
  /** The contracts of all tools. */
  readonly manifest: ContractManifest;
  /** A tool's contract. */
  describe<const Name extends string>(name: CallableName<Packs, Name>): ContractTool;
  /** Every tool as a function. */
  readonly tools: ToolTree<Packs>;
  /** What becomes of a call that waits for a person, or has waited, also in a process that is gone; waits for their answer if need be. */
  resume(runId: string, options?: { readonly signal?: AbortSignal }): Promise<ToolCallResult>;
  /** Asks an operator for a capability, like `net:example.com`. Nothing is reached by asking. */
  askFor(capability: string, terms?: AskForTerms): Promise<Asked>;
  /** Settles what a crash has left; the first call does it otherwise. */
  recover(): Promise<RecoveryReport>;
  /** Effects of which nobody knows what became. */
  unknown(): Promise<UnknownEffect[]>;
  /** Keeps what a person found out about one. */
  resolve(effectId: string, resolution: Resolution): Promise<void>;
  /**
   * Erases what was kept of a call's payloads, here and in the trace, with what long-lived agents have made of it; its records, and the
   * proof, stay. `eraseCall` also tells what that was.
   */
  erase(callId: string): Promise<number>;
  /** Looks through the account's whole journal: every record against its seal. */
  verify(): Promise<AccountVerification>;
  /** Waits for calls under way, and seals journal and trace. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
};

const optionNames =
  `packs policy principal store trace installation replay inspects rules evaluatePreTool evaluatePostTool asking sessionId network limits
  clock ids`.split(/\s+/);

/** Puts functions under law: who calls, which exact tool, may it, at what price, and can it be proven. */
export function govern<const Packs extends readonly Pack[]>(options: GovernOptions<Packs>): Governed<Packs> {
  refuseUnknown(options, optionNames, "option");
  const { policy, trace: kept, ...rest } = options;
  const seat = new Seat({
    ...rest,
    levels: [{ level: "agent", policy }],
    // A trace is one segment.
    limits: kept ? { ...rest.limits, segmentRecords: Number.MAX_SAFE_INTEGER } : rest.limits,
    origin: "direct",
    surface: "agent",
  });
  const eraseTerms = eraseTermsOf(seat, options);
  const contracts = new Map(seat.manifest.tools.map((tool) => [tool.name, tool]));
  warnOfMisspeltDenials(policy, [...contracts.keys()]);
  const trace = kept && new KeptTrace(seat, traceStoreOf(kept));
  const run = async (name: string, input: unknown, callOptions?: CallOptions, watch?: Watch) => {
    const request = requestOf(name, input, callOptions);
    trace?.requireKept();
    try {
      return answerOf(await seat.call(request, trace === undefined ? watch : trace.watching(watch)));
    } finally {
      await trace?.grow();
    }
  };
  const call = (name: string, input?: unknown, callOptions?: CallOptions) => run(name, input, callOptions);
  const stream = (name: string, input?: unknown, callOptions?: CallOptions) =>
    eventStream((watch) => run(name, input, callOptions, watch));
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= (async () => {
      try {
        // A segment that cannot begin leaves no trace; closing says nothing of it.
        if (trace !== undefined) await seat.beginSegment().catch(() => undefined);
        await seat.close();
      } finally {
        await trace?.end();
      }
    })();
    return closing;
  };
  return Object.freeze({
    call: call as Governed<Packs>["call"],
    stream: stream as Governed<Packs>["stream"],
    explain: (name: string, input?: unknown) => seat.explain(name, input),
    check: async (name: string, input?: unknown, checkOptions?: CheckOptions) => {
      if (checkOptions !== undefined) refuseUnknown(checkOptions, ["approvalId"], "check option");
      return await seat.check({ ...checkOptions, tool: name, input });
    },
    manifest: seat.manifest,
    describe: (name: string) => contracts.get(name) ?? unknownTool(name, contracts.keys()),
    tools: toolTree(contracts.keys(), call) as ToolTree<Packs>,
    resume: async (runId: string, resumeOptions?: { readonly signal?: AbortSignal }) => {
      try {
        return answerOf(await seat.resume(runId, { signal: resumeOptions?.signal }));
      } finally {
        await trace?.grow();
      }
    },
    askFor: (capability, terms) => seat.askFor(capability, terms),
    recover: () => seat.open(),
    unknown: () => seat.unknown(),
    resolve: (effectId: string, resolution: Resolution) => seat.resolve(effectId, resolution),
    erase: async (callId: string) => {
      const { payloads } = await eraseCallOfAgents(eraseTerms, callId);
      await trace?.grow();
      return payloads;
    },
    verify: () => seat.verify(),
    close,
    [Symbol.asyncDispose]: close,
  });
}

const callNames = [
  "signal",
  "timeoutMs",
  "idempotencyKey",
  "signReceipt",
  "asking",
  "approvalId",
] satisfies (keyof CallOptions)[];

/** G4: options say how a call is made, and never which. */
function requestOf(tool: string, input: unknown, options: CallOptions | undefined): CallRequest {
  if (options !== undefined) refuseUnknown(options, callNames, "call option");
  return { ...options, tool, input };
}

function answerOf(outcome: CallOutcome): ToolCallResult {
  if (outcome.type === "completed") return outcome.result;
  const { error, receipt } = outcome;
  const { code, message, details, retry, cause } = error;
  throw errorFor(code, message, { details: { ...details, receipt }, retry, cause });
}

function unknownTool(name: string, names: Iterable<string>): never {
  const suggestions = nearest(name, names);
  const hint = suggestions.length === 0 ? "" : `; did you mean ${suggestions.join(" or ")}?`;
  throw new UnknownToolError(`there is no tool of this name${hint}`, { details: { suggestions } });
}

type Branch = { [word: string]: Branch };

/** Own properties only: a tool's name is chosen by somebody else. No name is the namespace of another. */
function toolTree(
  names: Iterable<string>,
  call: (name: string, input?: unknown, options?: CallOptions) => unknown,
): Branch {
  const root: Branch = Object.create(null) as Branch;
  for (const name of names) {
    const words = name.split(".");
    const last = words.pop() ?? "";
    let branch = root;
    for (const word of words) branch = branch[word] ?? grow(branch, word, Object.create(null));
    grow(branch, last, (input?: unknown, options?: CallOptions) => call(name, input, options));
  }
  return root;
}

function grow(branch: Branch, word: string, twig: unknown): Branch {
  Object.defineProperty(branch, word, { value: twig, enumerable: true });
  return twig as Branch;
}
