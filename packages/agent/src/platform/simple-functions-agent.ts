// The direct runner: `govern` over the tools of a platform. A call is judged and journaled on this side, then on the platform's.
import {
  CancelledError,
  type ContractManifest,
  type ContractTool,
  type Explanation,
  InvalidTransitionError,
  isSimpleFunctionsError,
  snapshotJson,
  type ToolCallResult,
  ToolNotCallableError,
  type UnknownEffect,
  withUnchecked,
} from "@spfunctions/contracts";
import {
  type AccountVerification,
  type CallCheck,
  describedTool,
  openReplay,
  type Pack,
  type RecoveryReport,
  type Resolution,
  unlessAborted,
} from "@spfunctions/kernel";
import { type EventStream, eventStream } from "../event-stream.ts";
import { govern, type Governed } from "../govern.ts";
import type {
  CallOptions,
  CallResult,
  CheckOptions,
  ToolInput,
  ToolNames,
  ToolOutput,
  ToolTree,
} from "../typed-tools.ts";
import { textsOf } from "../trace/trace-source.ts";
import type { AgentMode, AgentOptions } from "./agent-options.ts";
import { callerOf } from "./caller.ts";
import { namedCalls } from "./named-calls.ts";
import type { PlatformPacks } from "./platform-tools.ts";
import { readAgentOptions, type ReadOptions } from "./read-agent-options.ts";
import { remotePack } from "./remote-pack.ts";

/** The tools that the types know, and any other that a platform may have. */
type Name = ToolNames<PlatformPacks> | (string & {});
type Input<One extends Name> = ToolInput<PlatformPacks, One>;
type Answer<One extends Name> = CallResult<ToolOutput<PlatformPacks, One>>;
type Opened = Governed<readonly Pack[]>;

/** An agent's hands: the platform's tools, each call of which is decided, recorded and proven on both sides. */
export class SimpleFunctionsAgent {
  readonly mode: AgentMode;
  /** Every tool as a function: `tools.world.read({})`. */
  readonly tools: ToolTree<PlatformPacks>;
  readonly #options: ReadOptions;
  /** Tools of the platform that it has no route for. */
  #routeless: ReadonlySet<string> = new Set();
  #opened: Opened | undefined;
  #opening: Promise<Opened> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: AgentOptions = {}) {
    this.#options = readAgentOptions(options);
    this.mode = this.#options.mode;
    this.tools = namedCalls((name, input, callOptions) =>
      this.call(name, input, callOptions),
    ) as ToolTree<PlatformPacks>;
  }

  /** Calls a tool. What is refused or fails is thrown, with its code, its verdict and its receipt. */
  call<const One extends Name>(name: One, input?: Input<One>, options?: CallOptions): Promise<Answer<One>>;
  async call(name: string, input?: unknown, options?: CallOptions): Promise<ToolCallResult> {
    if (this.#opened !== undefined && !this.#routeless.has(name))
      return await this.#opened.call(name, input, options);
    const [kept, keptOptions] = [keep(input), { ...options }];
    const opened = await this.#openFor(name);
    return await opened.call(name, kept(), keptOptions);
  }

  /** The same call as events; `result` is its answer. */
  stream<const One extends Name>(
    name: One,
    input?: Input<One>,
    options?: CallOptions,
  ): EventStream<Answer<One>>;
  stream(name: string, input?: unknown, options?: CallOptions): EventStream<ToolCallResult> {
    if (this.#opened !== undefined && !this.#routeless.has(name))
      return this.#opened.stream(name, input, options);
    return eventStream(async (watch) => {
      const [kept, keptOptions] = [keep(input), { ...options }];
      const opened = await this.#openFor(name);
      const stream = opened.stream(name, kept(), keptOptions);
      for await (const event of stream) watch(event);
      return await stream.result;
    });
  }

  /**
   * The verdict of this side on a call, as far as it can be said at once; nothing runs. What the platform says about the call is not
   * asked: unless this side refuses it, the outcome is `unchecked`.
   */
  explain<const One extends Name>(name: One, input?: Input<One>): Promise<Explanation>;
  async explain(name: string, input?: unknown): Promise<Explanation> {
    const kept = keep(input);
    const opened = await this.#open();
    return beforePlatform(opened.explain(name, kept()), this.mode);
  }

  /** The same with every gate of this side asked, also rules of your own. Nothing runs, and nothing is written or used up. */
  check<const One extends Name>(name: One, input?: Input<One>, options?: CheckOptions): Promise<CallCheck>;
  async check(name: string, input?: unknown, options?: CheckOptions): Promise<CallCheck> {
    const [kept, keptOptions] = [keep(input), { ...options }];
    const opened = await this.#open();
    return beforePlatform(await opened.check(name, kept(), keptOptions), this.mode);
  }

  /** A tool's contract. */
  async describe(name: Name): Promise<ContractTool> {
    return (await this.#open()).describe(name);
  }

  /** The contracts of all tools. */
  async manifest(): Promise<ContractManifest> {
    return (await this.#open()).manifest;
  }

  /** What becomes of a call that waits for a person, here or at the platform, or has waited; waits for their answer if need be. */
  async resume(runId: string, options: { readonly signal?: AbortSignal } = {}): Promise<ToolCallResult> {
    return await (await this.#open()).resume(runId, options);
  }

  /** Settles what a crash has left; the first call does it otherwise. */
  async recover(): Promise<RecoveryReport> {
    const { signal } = this.#options;
    const recovered = (await this.#open()).recover();
    // What goes on is not waited for any longer; what of it is not done, the next start does.
    return await (signal === undefined ? recovered : unlessAborted(recovered, signal, cancelled));
  }

  /** Effects of which nobody knows what became. */
  async unknown(): Promise<UnknownEffect[]> {
    return await (await this.#open()).unknown();
  }

  /** Keeps what a person found out about one. */
  async resolve(effectId: string, resolution: Resolution): Promise<void> {
    await (await this.#open()).resolve(effectId, resolution);
  }

  /** Erases what was kept here of a call's payloads; its records, and the proof, stay. */
  async erase(callId: string): Promise<number> {
    return await (await this.#open()).erase(callId);
  }

  /** Looks through this side's whole journal: every record against its seal. */
  async verify(): Promise<AccountVerification> {
    return await (await this.#open()).verify();
  }

  /** Waits for calls under way, and seals journal and trace. Nothing is called afterwards. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      const opened = this.#opened ?? (await this.#opening?.catch(() => undefined));
      // Where nothing was ever called, what was given to keep a trace is let go of all the same.
      await (opened === undefined ? this.#options.trace?.end() : opened.close());
    })();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** A tool that the platform has and does not serve is no unknown one. */
  async #openFor(name: string): Promise<Opened> {
    const opened = await this.#open();
    if (this.#routeless.has(name)) throw withoutRoute(name);
    return opened;
  }

  /** Once, when it is first needed; where it fails, whoever comes next tries again. */
  #open(): Promise<Opened> {
    if (this.#opened === undefined && this.#closing !== undefined) return Promise.reject(closed());
    this.#opening ??= open(this.#options).then(
      ({ opened, routeless }) => {
        this.#routeless = routeless;
        this.#opened = opened;
        return opened;
      },
      (error: unknown) => {
        this.#opening = undefined;
        throw error;
      },
    );
    return this.#opening;
  }
}

/** A platform judges a call once more, by rules that this side does not know. In a replay no platform is called. */
function beforePlatform<Given extends Explanation>(given: Given, mode: AgentMode): Given {
  return mode === "replayOnly" ? given : withUnchecked(given, "platform");
}

async function open(
  options: ReadOptions,
): Promise<{ readonly opened: Opened; readonly routeless: ReadonlySet<string> }> {
  const { client, mode, manifest, account, replay, signal, ...rest } = options;
  const credentialId = mode === "live" ? client?.credentialId() : undefined;
  const replayed = replay && (await openReplay(await textsOf(replay)));
  // A trace replays alone: its own contracts are enough, where no others are given.
  const tools =
    manifest?.tools ?? (replayed ? undefined : (await client?.manifest.list({}, { signal }))?.tools);
  const isLive = mode === "live" && client !== undefined;
  const pack =
    tools &&
    (isLive
      ? remotePack(client, tools, { sessionId: rest.sessionId })
      : tools.map((contract) => describedTool(contract)));
  const opened = govern<readonly Pack[]>({
    ...rest,
    ...(pack && { packs: [pack] }),
    principal: callerOf(account, credentialId),
    ...(mode === "inspectOnly" && { inspects: true }),
    ...(replayed !== undefined && { replay: replayed }),
  });
  const unserved = isLive ? (tools ?? []).filter(({ http }) => http === undefined) : [];
  return { opened, routeless: new Set(unserved.map(({ name }) => name)) };
}

function withoutRoute(name: string): ToolNotCallableError {
  return new ToolNotCallableError(
    `${name} has no route on the platform: its contract has no http member, and it runs in a process that has its pack; nothing was called`,
    { details: { tool: name, reason: "no_route" } },
  );
}

/**
 * G4: what its owner does to an input while the contracts are asked for is too late. One that cannot be read is refused by whoever
 * reads it next, in words of its own; also where something has been made of it since that could be read.
 */
function keep(input: unknown): () => unknown {
  const kept = readNow(input);
  if (kept !== undefined) return () => kept.value;
  return () => (readNow(input) === undefined ? input : Symbol("an input that could not be read"));
}

function readNow(input: unknown): { readonly value: unknown } | undefined {
  try {
    return { value: input === undefined ? undefined : snapshotJson(input) };
  } catch (error) {
    if (isSimpleFunctionsError(error)) return undefined;
    throw error;
  }
}

function closed(): InvalidTransitionError {
  return new InvalidTransitionError("it is closed; make another agent to go on");
}

function cancelled(): CancelledError {
  return new CancelledError("cancelled before anything was called");
}
