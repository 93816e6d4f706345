import type { Scope } from "@spfunctions/contracts";
import type { CallRequest } from "@spfunctions/kernel";
import { type Command, Option } from "commander";
import type { CallView } from "../call/call-view.ts";
import { humanView } from "../call/human-view.ts";
import { jsonView } from "../call/json-view.ts";
import { ndjsonView } from "../call/ndjson-view.ts";
import { runCall } from "../call/run-call.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import {
  accountOption,
  dataOption,
  inputOption,
  jsonOption,
  milliseconds,
  packOption,
  policyOption,
  repeatable,
  scopeOption,
  waitOption,
} from "../command-line/options.ts";
import { readInput } from "../io/read-json.ts";
import { loadPacks } from "../packs/load-packs.ts";
import { callerOf } from "../seat/caller.ts";
import { openLiveSeat, openReplaySeat, type OpenSeat } from "../seat/open-seat.ts";
import { readPolicy } from "../seat/read-policy.ts";
import { readTraceFile } from "../trace/read-trace-file.ts";
import { createTraceFile } from "../trace/record-trace.ts";

type CallOptions = {
  readonly input?: string;
  readonly policy?: string;
  readonly pack?: readonly string[];
  readonly scope?: readonly Scope[];
  readonly account: string;
  readonly data?: string;
  readonly wait: number;
  readonly timeout?: number;
  readonly idempotencyKey?: string;
  readonly sign?: true;
  readonly recordTrace?: string;
  readonly replayTrace?: readonly string[];
  readonly json?: true;
  readonly ndjson?: true;
};

export function addCall(program: Command, context: CommandContext): void {
  program
    .command("call")
    .description("call a tool: judged, journaled, with a receipt")
    .argument("<tool>", "its canonical name, like notes.read")
    .addOption(inputOption())
    .addOption(policyOption())
    .addOption(packOption())
    .addOption(scopeOption())
    .addOption(accountOption())
    .addOption(dataOption())
    .addOption(waitOption())
    .addOption(new Option("--timeout <ms>", "how long the tool may take").argParser(milliseconds(1)))
    .option("--idempotency-key <key>", "the same key with the same input runs once")
    .addOption(new Option("--sign", "sign the receipt with the installation's key").conflicts("replayTrace"))
    .option("--record-trace <file>", "write what was journaled to a new file")
    .addOption(
      repeatable("--replay-trace <file>", "answer from a trace; nothing runs (repeatable)").conflicts([
        "data",
        "idempotencyKey",
      ]),
    )
    .addOption(jsonOption().conflicts("ndjson"))
    .option("--ndjson", "answer with the call's events, one JSON object a line")
    .addHelpText(
      "after",
      `
Examples:
  $ sf call notes.read --pack ./notes.ts --input '{"id": 7}'
  $ sf call notes.add --pack ./notes.ts --policy policy.json --input @note.json --sign --json
  $ echo '{"id": 7}' | sf call notes.read --pack ./notes.ts --input - --record-trace run.jsonl
  $ sf call notes.read --replay-trace run.jsonl --input '{"id": 7}'

Exit codes: 0 done, 1 failed, 2 bad usage, 3 refused, 4 approval required, 5 replay miss,
6 verification failed, 130 cancelled by Ctrl-C.`,
    )
    .action(async (tool: string, options: CallOptions) => {
      context.exit(await call(tool, options, context));
    });
}

async function call(tool: string, options: CallOptions, context: CommandContext): Promise<number> {
  const { io } = context;
  const view = viewOf(options, context);
  view.begun();
  const input = options.input === undefined ? undefined : await readInput(options.input, io);
  const open = await prepare(options, context);
  const trace =
    options.recordTrace === undefined ? undefined : await createTraceFile(options.recordTrace, io.cwd);
  try {
    const request = { ...requestOf(tool, options), input, signal: io.signal };
    const seat = await open();
    io.entering?.({ type: "tool", name: tool });
    return await runCall(seat, request, { view, trace });
  } finally {
    await trace?.leave();
  }
}

function viewOf({ json, ndjson }: CallOptions, { print, io }: CommandContext): CallView {
  if (ndjson === true) return ndjsonView(print, io.env, Date.now);
  return json === true ? jsonView(print, io.env) : humanView(print, io.env);
}

/** Reads everything that can be wrong before anything is opened. */
async function prepare(
  options: CallOptions,
  { io, print }: CommandContext,
): Promise<() => Promise<OpenSeat>> {
  const { pack = [], replayTrace, data, wait } = options;
  const policy = await readPolicy(options.policy, io);
  const tools = pack.length === 0 && replayTrace !== undefined ? [] : await loadPacks(pack, io);
  const law = { tools, policy, principal: callerOf(options.account, options.scope) };
  if (replayTrace !== undefined) {
    const traces = await Promise.all(
      replayTrace.map(async (file) => ({ file, text: await readTraceFile(file, io) })),
    );
    return () => openReplaySeat(law, traces);
  }
  const waiting = (why: string) => print.err({ text: `waiting: ${why}`, style: "dim" });
  return () => openLiveSeat(law, { data, io, patience: { waitMs: wait, signal: io.signal, waiting } });
}

function requestOf(tool: string, { timeout, idempotencyKey, sign }: CallOptions): CallRequest {
  return { tool, timeoutMs: timeout, idempotencyKey, signReceipt: sign };
}
