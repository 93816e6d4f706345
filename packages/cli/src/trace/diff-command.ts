import { exitCodes, JournalCorruptError } from "@spfunctions/contracts";
import { diffTraces, type TraceDiff } from "@spfunctions/kernel";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { type OpenTrace, openTrace } from "./open-trace.ts";
import { columnsOf } from "./fit-line.ts";
import { printTraceDiff } from "./print-trace-diff.ts";

/** As they were given. */
export type TraceDiffOptions = {
  readonly strict?: true;
  readonly data?: string;
  readonly store?: string;
  readonly account?: string;
  readonly json?: true;
};

export async function diff(
  a: string,
  b: string,
  options: TraceDiffOptions,
  context: CommandContext,
): Promise<number> {
  const { io, print } = context;
  if (a === "-" && b === "-") throw badUsage("only one of the two can be the standard input");
  const one = await openTrace(a, options, context);
  const found = compare(one, a === b ? one : await openTrace(b, options, context));
  const isSame = found.equal && (options.strict !== true || found.law.length === 0);
  if (options.json === true) print.json({ ok: isSame, ...found }, 2);
  else printTraceDiff(print, found, { a, b, isSame, columns: columnsOf(io) });
  return isSame ? exitCodes.done : exitCodes.failed;
}

function compare(a: OpenTrace, b: OpenTrace): TraceDiff {
  for (const { file, trace } of [a, b]) {
    const { verification } = trace;
    if (verification.status !== "broken") continue;
    const { seq, reason, message } = verification.broken;
    throw new JournalCorruptError(`${file} cannot be trusted: record ${seq} ${message}`, {
      details: { seq, reason },
    });
  }
  return diffTraces(onlyMeant(a), onlyMeant(b));
}

/** Of a run or a call that was asked for, its calls alone. */
function onlyMeant({ trace, only }: OpenTrace): OpenTrace["trace"] {
  if (only === undefined) return trace;
  const calls = [...trace.calls].filter(([callId, { opening }]) =>
    "callId" in only ? only.callId === callId : only.runId === opening.runId,
  );
  return { ...trace, calls: new Map(calls) };
}
