import { SimpleFunctionsAgent, type AgentOptions } from "@spfunctions/agent";
import type { ContractManifest } from "@spfunctions/contracts";
import { loadInstallation } from "@spfunctions/host/installation";
import { defaultCallLimits, type TraceStore } from "@spfunctions/kernel";
import { readQuestion } from "../approvals/read-question.ts";
import { callViewFor } from "../call/call-view-for.ts";
import { runCall } from "../call/run-call.ts";
import type { Runner } from "../call/runner.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { placeOf } from "../effects/what-to-do.ts";
import { showVerdict } from "../explain/show-verdict.ts";
import type { Printer } from "../io/printer.ts";
import { readInput } from "../io/read-json.ts";
import { requireApart } from "../seat/data-folder.ts";
import { held } from "../seat/held.ts";
import { openStore, patienceOf } from "../seat/open-store.ts";
import { readPolicy } from "../seat/read-policy.ts";
import type { StorePlace } from "../seat/store-place.ts";
import { traceTexts } from "../trace/open-trace.ts";
import { requireWholeTraces } from "../trace/read-trace-file.ts";
import { traceFileFor, tracedBy } from "../trace/record-trace.ts";
import { awayTold } from "./away-told.ts";
import { contractsOf } from "./contracts-of.ts";
import { ownJournalOf } from "./own-journal.ts";
import { platformOf } from "./platform-of.ts";
import { reachPlatform } from "./reach-platform.ts";

/** As they were given. */
export type AgentCommandOptions = {
  readonly tool: string;
  readonly input?: string;
  readonly policy?: string;
  readonly url?: string;
  readonly keyFile?: string;
  readonly pack?: readonly string[];
  readonly account: string;
  readonly data?: string;
  readonly store?: string;
  readonly wait: number;
  readonly timeout?: number;
  readonly idempotencyKey?: string;
  readonly session?: string;
  readonly waitForApproval?: true;
  readonly recordTrace?: string;
  readonly replayTrace?: readonly string[];
  readonly dryRun?: true;
  readonly json?: true;
  readonly ndjson?: true;
  readonly streamJson?: true;
};

export async function agent(options: AgentCommandOptions, context: CommandContext): Promise<number> {
  const { io } = context;
  const { tool, timeout, idempotencyKey, waitForApproval } = options;
  if (options.dryRun === true) return await dryRun(options, context);
  const journal = ownJournalOf(options, io);
  const place = { ...placeOf(journal, options.account, io), isAgents: true, ...platformOf(options, io) };
  const view = callViewFor({ ...options, ...(options.streamJson && { ndjson: true }) }, context, place);
  view.begun();
  const input = options.input === undefined ? undefined : await readInput(options.input, io);
  const open = await prepare(options, journal, context);
  const runner = await tracedBy(await traceFileFor(options.recordTrace, io), open);
  const how = {
    ...(timeout !== undefined && { timeoutMs: timeout }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(waitForApproval === true && { asking: "wait" as const }),
  };
  return await runCall(runner, { tool, input, signal: io.signal, ...how }, view);
}

/** What this side would decide. The contracts are all it takes. */
async function dryRun(options: AgentCommandOptions, context: CommandContext): Promise<number> {
  const { io } = context;
  const { tool } = options;
  const input = options.input === undefined ? {} : await readInput(options.input, io);
  const policy = await readPolicy(options.policy, io);
  const manifest = await contractsOf(options, "implemented", context);
  const inspecting = new SimpleFunctionsAgent({ mode: "inspectOnly", manifest, policy });
  return showVerdict(tool, await inspecting.explain(tool, input), options, context);
}

type Open = (trace: TraceStore | undefined) => Promise<Runner>;

/** Reads everything that can be wrong before anything is opened. */
async function prepare(
  options: AgentCommandOptions,
  journal: StorePlace,
  context: CommandContext,
): Promise<Open> {
  const { io } = context;
  const { account, replayTrace } = options;
  const policy = await readPolicy(options.policy, io);
  const law = {
    policy,
    account,
    signal: io.signal,
    ...(options.session !== undefined && { sessionId: options.session }),
  };
  if (replayTrace !== undefined) {
    const files = await traceTexts(replayTrace, context);
    await requireWholeTraces(files);
    const replay = files.map(({ text }) => text);
    return (trace) =>
      runnerOf({ mode: "replayOnly", replay, ...law, ...(trace && { trace }) }, async () => undefined);
  }
  return (trace) => openLive(options, { ...law, ...(trace && { trace }) }, journal, context);
}

async function openLive(
  options: AgentCommandOptions,
  law: Pick<AgentOptions, "policy" | "account" | "signal" | "trace" | "sessionId">,
  journal: StorePlace,
  context: CommandContext,
): Promise<Runner> {
  const { installation, path } = loadInstallation({ env: context.io.env });
  if (journal.type === "folder") requireApart(journal.folder, path);
  return await held(async (undo, leave) => {
    const { io, print } = context;
    const fetch = awayTold((text) => print.err({ text, style: "dim" }), io.signal);
    const { client, close, isEmbedded, where } = await reachPlatform(
      { ...options, fetch },
      "starter",
      context,
    );
    undo.push(close);
    const store = await openStore(journal, patienceOf(options.wait, context));
    undo.push(() => store.close());
    // Who gives it longer than usual means it.
    const callMs = Math.max(options.timeout ?? 0, defaultCallLimits.callMs);
    const runner = await runnerOf({ ...law, client, store, installation, limits: { callMs } }, leave);
    if (isEmbedded && options.pack === undefined) sayIfElsewhere(options.tool, runner.manifest, where, print);
    const question = async (approvalId: string) =>
      (await readQuestion(approvalId, journal, options, context)) ??
      (await client.approvals.get(approvalId, { signal: io.signal, timeoutMs: 5000 }).catch(() => undefined));
    return { ...runner, question, signer: installation.signer };
  });
}

/** Whoever called it a minute ago, while a platform was up with its pack, would look for a mistake in its name. */
function sayIfElsewhere(tool: string, { tools }: ContractManifest, where: string, print: Printer): void {
  if (tools.some(({ name }) => name === tool)) return;
  print.err(
    { text: "note", style: "yellow" },
    `: no platform is up in ${where}, and the one in this process has no ${tool}: name its module with --pack, or start sf up with it`,
  );
}

async function runnerOf(options: AgentOptions, leave: () => Promise<void>): Promise<Runner> {
  const made = new SimpleFunctionsAgent(options);
  const { settled } = await made.recover();
  return {
    manifest: await made.manifest(),
    recovery: { settled, unknown: await made.unknown() },
    stream: (tool, input, how) => made.stream(tool, input, how),
    close: () => made.close(),
    leave,
  };
}
