import { CancelledError, type TraceSeal } from "@spfunctions/contracts";
import { exportTrace, type TraceStore } from "@spfunctions/kernel";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import type { CliIo } from "../io/cli-io.ts";
import { installationIfAny } from "../seat/installation-if-any.ts";
import { findSegment, type FoundSegment, isJournalId, lastSegment } from "./find-segment.ts";
import { membersOf } from "./journaled-segments.ts";
import { withJournals } from "./open-journals.ts";
import { createProgress } from "./progress.ts";
import { traceFileFor } from "./record-trace.ts";

/** As they were given. */
export type TraceExportOptions = {
  readonly last?: true;
  readonly output: string;
  readonly data?: string;
  readonly store?: string;
  readonly account?: string;
  readonly json?: true;
};

/** Writes the segment that something is journaled in as a trace. */
export async function exportSegment(
  id: string | undefined,
  options: TraceExportOptions,
  context: CommandContext,
): Promise<void> {
  const { io, print } = context;
  const { output, json } = options;
  requireMeant(id, options);
  requireReadable(output, options, io);
  const written = await withJournals(options, context, async (journals) => {
    const segment =
      id === undefined
        ? await lastSegment(journals, options, io)
        : await findSegment(id, journals, options, io);
    return { ...facts(segment), ...(await write(segment, output, context)) };
  });
  if (json === true) print.json({ ok: true, ...written, file: output }, 2);
  else {
    const { segment, accountId, records, state, signedBy } = written;
    const signed = signedBy === undefined ? "not signed" : `signed by ${signedBy}`;
    const count = `${records} ${records === 1 ? "record" : "records"}`;
    print.err(`${segment} of account ${accountId}: ${count}, ${state}, ${signed}`);
  }
}

function facts({ stream, accountId, folder: where }: FoundSegment) {
  return { segment: stream, accountId, where };
}

function requireMeant(id: string | undefined, { last }: TraceExportOptions): void {
  if ((id === undefined) !== (last === true))
    throw badUsage("say which: the id of a segment, a run or a call, or --last");
  if (id !== undefined && !isJournalId(id))
    throw badUsage("that is no id of a segment (seg_…), a run (run_…) or a call (call_…)");
}

/** A trace is kept byte for byte, so that nothing in it can be made harmless for a screen. */
function requireReadable(output: string, { json }: TraceExportOptions, { isTerminal }: CliIo): void {
  if (output !== "-") return;
  if (json === true)
    throw badUsage("--json answers on the standard output: name a file for the trace with -o");
  if (isTerminal.stdout) throw badUsage("a trace is not for a screen: name a file with -o, or pipe it on");
}

type Written = {
  readonly records: number;
  readonly state: "open" | "sealed";
  readonly signedBy?: string;
};

async function write(
  { store, accountId, stream }: FoundSegment,
  output: string,
  { io, print }: CommandContext,
): Promise<Written> {
  const progress = createProgress(print);
  const lines = exportTrace(store, accountId, stream, installationIfAny(io)?.signer);
  // Before a file is made: what is broken is not exported (B22).
  const header = await lines.next();
  if (header.done === true) throw new Error("an export has at least its first line");
  const sink = output === "-" ? screenless(print.page) : await newFile(output, io);
  let [records, last] = [0, ""];
  try {
    await sink.replace([header.value]);
    for await (const line of lines) {
      await sink.append([line]);
      last = line;
      records += 1;
      progress(`wrote ${records} lines`);
      if (io.signal.aborted) throw cancelled(output, records);
    }
  } finally {
    await sink.end();
  }
  const seal = membersOf(last).seal as TraceSeal["seal"] | undefined;
  if (seal === undefined) return { records, state: "open" };
  const signedBy = seal.signature?.keyId;
  return { records: seal.count, state: "sealed", ...(signedBy !== undefined && { signedBy }) };
}

function cancelled(output: string, lines: number): CancelledError {
  const state = output === "-" ? "what was written" : output;
  return new CancelledError(
    `cancelled after ${lines} lines: ${state} is a trace without its end and its seal`,
  );
}

type Sink = Pick<TraceStore, "replace" | "append" | "end">;

async function newFile(name: string, io: CliIo): Promise<Sink> {
  return (await traceFileFor(name, io)) as TraceStore;
}

function screenless(page: CommandContext["print"]["page"]): Sink {
  const say = async (lines: readonly string[]) => page(`${lines.join("\n")}\n`, "stdout");
  return {
    replace: say,
    append: say,
    end: async () => undefined,
  };
}
