// B23, R1: everything is answered from the fixture, and nothing runs.
import {
  type ContractTool,
  isSimpleFunctionsError,
  type JsonValue,
  ReplayMissError,
} from "@spfunctions/contracts";
import { memoryTrace, readTrace, traceEntries, type TraceStore } from "@spfunctions/kernel";
import { explainMiss } from "./explain-miss.ts";
import { type FixtureText, shownFile } from "./fixture-file.ts";
import type { FixtureWay, ToolsNow } from "./fixture-way.ts";
import { RecordedCalls, receiptOf } from "./recorded-calls.ts";

/** Replays a fixture. With `requiresAll` it is an error to end before everything in it was asked for. */
export function openPlayback(file: string, { traces, trace }: FixtureText, requiresAll: boolean): FixtureWay {
  const recorded = new RecordedCalls(trace === undefined ? [] : traceEntries(trace));
  // A miss is explained by what was asked, and its recorded form is in the journal.
  const asked = memoryTrace();
  const explained = async (tool: string, error: unknown, now: ToolsNow) => {
    const isRecorded = recorded.failed(error);
    if (isRecorded || !isSimpleFunctionsError(error)) return error;
    const isMiss = error.code === "replay_miss" || (error.code === "unknown_tool" && now.areRecorded);
    if (!isMiss) return error;
    const contract = await contractOf(tool, now);
    const input = await inputOf(asked, receiptOf(error)?.callId);
    return explainMiss({ file: shownFile(file), tool, recorded, asked: input, contract }, error);
  };
  return {
    trace: asked,
    replays: traces,
    watch: async (tool, answer, now) => {
      try {
        const result = await answer;
        recorded.answered(result.receipt);
        return result;
      } catch (error) {
        throw await explained(tool, error, now);
      }
    },
    unused: () =>
      recorded
        .unused()
        .map(({ tool, callId, inputHash }) => ({ tool, callId, ...(inputHash && { inputHash }) })),
    end: async () => {
      if (requiresAll) requireAllUsed(file, recorded);
    },
    release: () => undefined,
  };
}

async function contractOf(tool: string, { describe }: ToolsNow): Promise<ContractTool | undefined> {
  try {
    return await describe(tool);
  } catch {
    return undefined;
  }
}

/** The input of a call in recorded form: what was refused is journaled, too. */
async function inputOf(trace: TraceStore, callId: string | undefined): Promise<JsonValue | undefined> {
  const entries = traceEntries(await readTrace(await trace.text()));
  return entries.find((entry) => entry.callId === callId)?.input as JsonValue | undefined;
}

function requireAllUsed(file: string, recorded: RecordedCalls): void {
  const left = recorded.unused();
  if (left.length === 0) return;
  const calls = left.length === 1 ? "1 recorded call" : `${left.length} recorded calls`;
  const tools = [...new Set(left.map(({ tool }) => tool))].join(", ");
  throw new ReplayMissError(
    `nobody has asked for ${calls} of ${tools} in the fixture ${shownFile(file)}; if the test is right, record it anew: run it with SF_RECORD=all`,
    { details: { reason: "unused_calls", file: shownFile(file) } },
  );
}
