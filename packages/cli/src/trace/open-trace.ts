import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { exportTrace, readTrace, type Signer, type Trace } from "@spfunctions/kernel";
import type { CommandContext } from "../command-line/command-context.ts";
import type { CliIo } from "../io/cli-io.ts";
import { findSegment, type FoundSegment, isJournalId } from "./find-segment.ts";
import { heard, type JournalScope, withJournals } from "./open-journals.ts";
import { readTraceFile, type TraceText } from "./read-trace-file.ts";
import { requireUnforged } from "./require-unforged.ts";
import { sayLongRead } from "./say-long-read.ts";

/** A trace, what it was asked for by, and which of its calls are meant; all unless said. */
export type OpenTrace = TraceText & { readonly trace: Trace; readonly only?: FoundSegment["only"] };

/** The trace in a file, or of the segment that something is journaled in. */
export async function openTrace(
  name: string,
  scope: JournalScope,
  context: CommandContext,
): Promise<OpenTrace> {
  const { text, only } = await traceText(name, scope, context);
  sayLongRead(context.print, [text], (size) => `reading ${name}, ${size}`);
  const trace = await readTrace(text);
  await heard(context.io);
  return { file: name, text, trace, ...(only && { only }) };
}

/** The text of one; a file's is not somebody's whose key is known here and who has not signed it. */
export async function traceText(
  name: string,
  scope: JournalScope,
  context: CommandContext,
): Promise<TraceText & Pick<OpenTrace, "only">> {
  const found = await unverifiedText(name, scope, context);
  requireUnforged(found, context.io);
  return found;
}

/** The text of one, of which nothing has been verified where it is a file's. Else its seal is signed as an export's is. */
export async function unverifiedText(
  name: string,
  scope: JournalScope,
  context: CommandContext,
  signer: () => Signer | undefined = () => undefined,
): Promise<TraceText & Pick<OpenTrace, "only">> {
  const { io } = context;
  if (!isInJournal(name, io)) return { file: name, text: await readTraceFile(name, io) };
  return await withJournals(scope, context, async (journals) => {
    const { store, accountId, stream, only } = await findSegment(name, journals, scope, io);
    const lines: string[] = [];
    for await (const line of exportTrace(store, accountId, stream, signer())) lines.push(line);
    return { file: name, text: `${lines.join("\n")}\n`, ...(only && { only }) };
  });
}

/** The texts of traces to replay: whole, also where a run or a call was named. */
export async function traceTexts(names: readonly string[], context: CommandContext): Promise<TraceText[]> {
  const traces: TraceText[] = [];
  for (const name of names) {
    // oxlint-disable-next-line no-await-in-loop -- in their order
    const { file, text } = await traceText(name, {}, context);
    traces.push({ file, text });
  }
  return traces;
}

/** Not where there is a file of that name. */
function isInJournal(name: string, { cwd }: Pick<CliIo, "cwd">): boolean {
  return isJournalId(name) && !existsSync(resolve(cwd, name));
}
