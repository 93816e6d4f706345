import { isSimpleFunctionsError, JournalCorruptError } from "@spfunctions/contracts";
import { readTrace } from "@spfunctions/kernel";
import type { CliIo } from "../io/cli-io.ts";
import { readSource } from "../io/read-source.ts";
import { withFileHint } from "../io/with-file-hint.ts";

/**
 * A trace file.
 * @limit cli.traceBytes | exit 2: bad usage | fixed: what still fits into one text
 */
const maxTraceBytes = 384 * 1024 * 1024;

/** The text of a trace. One that is not even text is broken. */
export async function readTraceFile(name: string, io: CliIo): Promise<string> {
  try {
    return await readSource(name, io, maxTraceBytes);
  } catch (error) {
    if (!isSimpleFunctionsError(error) || error.details?.reason !== "not_utf8")
      throw withFileHint(error, "sf trace ls lists what is journaled here, and its ids do as well as a file");
    throw new JournalCorruptError(`the trace ${error.message}`, {
      details: { ...error.details },
      cause: error,
    });
  }
}

/** A trace, and the file it is from. */
export type TraceText = { readonly file: string; readonly text: string };

/** B22: nothing goes on from a trace that is not what was written. It is named by its file, where several are given. */
export async function requireWholeTraces(files: readonly TraceText[]): Promise<void> {
  for (const { file, text } of files) {
    // oxlint-disable-next-line no-await-in-loop -- the first that is broken is told
    const { verification } = await readTrace(text);
    if (verification.status !== "broken") continue;
    const { seq, reason, message } = verification.broken;
    throw new JournalCorruptError(`${file} cannot be trusted: record ${seq} ${message}`, {
      details: { seq, reason },
    });
  }
}
