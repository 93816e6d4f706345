import { exitCodes, NotFoundError, type TraceEntry } from "@spfunctions/contracts";
import { readTrace, traceEntries } from "@spfunctions/kernel";
import type { Command } from "commander";
import { durationText } from "../call/five-answers.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { jsonOption } from "../command-line/options.ts";
import type { Printer } from "../io/printer.ts";
import { visible } from "../io/visible-text.ts";
import { printVerification } from "../trace/print-verification.ts";
import { readTraceFile } from "../trace/read-trace-file.ts";

type ShowOptions = { readonly call?: string; readonly json?: true };

export function addTraceShow(trace: Command, context: CommandContext): void {
  trace
    .command("show")
    .description("show the calls in a trace, once it was found to be what was written")
    .argument("<file>", "a trace, or - for the standard input")
    .option("--call <callId>", "show one call whole")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf trace show run.jsonl
  $ sf trace show run.jsonl --call call_0190a7c4-8d5e-7f3a-9b1c-2d3e4f5a6b7c

Exit codes: 0 shown, 1 there is no such call, 2 bad usage, 6 the trace is broken.`,
    )
    .action(async (file: string, options: ShowOptions) => {
      context.exit(await show(file, options, context));
    });
}

async function show(file: string, options: ShowOptions, { io, print }: CommandContext): Promise<number> {
  const trace = await readTrace(await readTraceFile(file, io));
  const { verification } = trace;
  const isBroken = verification.status === "broken";
  const isJson = options.json === true;
  // Beside the answer, but for what is broken: then it is the answer.
  if (!isJson) printVerification(isBroken ? print : { out: print.err }, file, verification);
  if (isBroken) {
    if (isJson) print.json({ ok: false, verification }, 2);
    return exitCodes.verificationFailed;
  }
  const entries = traceEntries(trace);
  if (options.call !== undefined) print.json(entryOf(entries, options.call), 2);
  else if (isJson) print.json({ ok: true, verification, entries }, 2);
  else printTable(print, entries);
  return exitCodes.done;
}

function entryOf(entries: readonly TraceEntry[], callId: string): TraceEntry {
  const entry = entries.find((one) => one.callId === callId);
  if (entry !== undefined) return entry;
  throw new NotFoundError(`the trace has no call ${callId}; sf trace show lists those it has`, {
    details: { reason: "no_such_call" },
  });
}

const columns: readonly (readonly [string, (entry: TraceEntry) => string])[] = [
  ["seq", ({ seq }) => `${seq}`],
  ["time", ({ startedAt }) => startedAt],
  ["tool", ({ tool }) => tool],
  ["status", ({ status, error }) => (error === undefined ? status : `${status} (${error.code})`)],
  ["duration", ({ durationMs }) => durationText(durationMs)],
  ["hash", ({ hash }) => hash.slice(7, 19)],
  ["call", ({ callId }) => callId],
];

function printTable(print: Printer, entries: readonly TraceEntry[]): void {
  const rows = entries.map((entry) => columns.map(([, cell]) => visible(cell(entry))));
  const widths = columns.map(([name], at) =>
    Math.max(name.length, ...rows.map((row) => row[at]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join("  ")
      .trimEnd();
  print.out({ text: line(columns.map(([name]) => name)), style: "bold" });
  for (const row of rows) print.out(line(row));
}
