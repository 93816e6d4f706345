import { isSimpleFunctionsError, JournalCorruptError } from "@spfunctions/contracts";
import type { CliIo } from "../io/cli-io.ts";
import { readSource } from "../io/read-source.ts";

/** What still fits into one text. */
const maxTraceBytes = 384 * 1024 * 1024;

/** The text of a trace. One that is not even text is broken. */
export async function readTraceFile(name: string, io: CliIo): Promise<string> {
  try {
    return await readSource(name, io, maxTraceBytes);
  } catch (error) {
    if (!isSimpleFunctionsError(error) || error.details?.reason !== "not_utf8") throw error;
    throw new JournalCorruptError(`the trace ${error.message}`, {
      details: { ...error.details },
      cause: error,
    });
  }
}
