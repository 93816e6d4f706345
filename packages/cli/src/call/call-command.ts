import type { Scope } from "@spfunctions/contracts";
import type { TraceStore } from "@spfunctions/kernel";
import { readQuestion } from "../approvals/read-question.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { type GivenNetwork, networkOf } from "../command-line/network-options.ts";
import { placeOf } from "../effects/what-to-do.ts";
import { readInput } from "../io/read-json.ts";
import { LateStore } from "../packs/late-store.ts";
import { loadPacks } from "../packs/load-packs.ts";
import { callerOf } from "../seat/caller.ts";
import { openLive, type OpenGoverned, openReplayed, runnerOn } from "../seat/open-governed.ts";
import { patienceOf } from "../seat/open-store.ts";
import { readPolicy } from "../seat/read-policy.ts";
import { storePlaceOf } from "../seat/store-place.ts";
import { traceTexts } from "../trace/open-trace.ts";
import { traceFileFor, tracedBy } from "../trace/record-trace.ts";
import { callViewFor } from "./call-view-for.ts";
import { runCall } from "./run-call.ts";

/** As they were given. */
export type GivenCallOptions = GivenNetwork & {
  readonly input?: string;
  readonly policy?: string;
  readonly pack?: readonly string[];
  readonly scope?: readonly Scope[];
  readonly account: string;
  readonly data?: string;
  readonly store?: string;
  readonly wait: number;
  readonly timeout?: number;
  readonly idempotencyKey?: string;
  readonly sign?: true;
  readonly session?: string;
  readonly waitForApproval?: true;
  readonly recordTrace?: string;
  readonly replayTrace?: readonly string[];
  readonly json?: true;
  readonly ndjson?: true;
};

export async function call(
  tool: string,
  options: GivenCallOptions,
  context: CommandContext,
): Promise<number> {
  const { io } = context;
  const store = storePlaceOf(options, io);
  const place = placeOf(store, options.account, io);
  const view = callViewFor(options, context, place);
  view.begun();
  const input = options.input === undefined ? undefined : await readInput(options.input, io);
  const open = await prepare(options, context);
  const trace = await traceFileFor(options.recordTrace, io);
  const runner = await tracedBy(trace, async (traced) => ({
    ...(await runnerOn(await open(traced))),
    question: (approvalId: string) => readQuestion(approvalId, store, options, context),
  }));
  const { timeout, idempotencyKey, sign, waitForApproval } = options;
  io.entering?.({ type: "tool", name: tool });
  return await runCall(
    runner,
    {
      tool,
      input,
      signal: io.signal,
      ...(timeout !== undefined && { timeoutMs: timeout }),
      ...(idempotencyKey !== undefined && { idempotencyKey }),
      ...(sign !== undefined && { signReceipt: sign }),
      ...(waitForApproval === true && { asking: "wait" }),
    },
    view,
  );
}

/** Reads everything that can be wrong before anything is opened. */
async function prepare(
  options: GivenCallOptions,
  context: CommandContext,
): Promise<(trace: TraceStore | undefined) => Promise<OpenGoverned>> {
  const { io } = context;
  const { pack = [], replayTrace, wait } = options;
  const policy = await readPolicy(options.policy, io);
  const late = new LateStore();
  const isReplay = pack.length === 0 && replayTrace !== undefined;
  const { tools, rules } = isReplay ? { tools: [], rules: [] } : await loadPacks(pack, io, late);
  const law = {
    tools,
    rules,
    policy,
    principal: callerOf(options.account, options.scope),
    ...networkOf(options),
    ...(options.session !== undefined && { sessionId: options.session }),
  };
  if (replayTrace !== undefined) {
    const traces = await traceTexts(replayTrace, context);
    return (trace) => openReplayed(law, traces, trace);
  }
  const terms = { place: storePlaceOf(options, io), io, late, patience: patienceOf(wait, context) };
  return (trace) => openLive(law, { ...terms, trace });
}
