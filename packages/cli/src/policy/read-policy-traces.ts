import { errorFor, isSimpleFunctionsError } from "@spfunctions/contracts";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import type { CliIo } from "../io/cli-io.ts";
import { heard, type JournalScope } from "../trace/open-journals.ts";
import { traceText } from "../trace/open-trace.ts";
import type { TraceText } from "../trace/read-trace-file.ts";
import { sayLongRead } from "../trace/say-long-read.ts";

/** The texts of the traces that a policy is held against, each once. */
export async function readPolicyTraces(
  names: readonly string[],
  scope: JournalScope,
  context: CommandContext,
): Promise<TraceText[]> {
  if (names.length === 0) throw badUsage("name at least one trace with --trace");
  const traces: TraceText[] = [];
  for (const name of new Set(names)) {
    // oxlint-disable-next-line no-await-in-loop -- in their order
    const { file, text } = await traceText(name, scope, context);
    traces.push({ file, text });
  }
  const texts = traces.map(({ text }) => text);
  sayLongRead(context.print, texts, (size) => `reading ${size} of traces`);
  return traces;
}

/** The library knows traces by their number; whoever sits at a terminal by their file. */
export async function namingFiles<Answer>(
  traces: readonly TraceText[],
  io: Pick<CliIo, "signal">,
  ask: (texts: readonly string[]) => Promise<Answer>,
): Promise<Answer> {
  try {
    const answer = await ask(traces.map(({ text }) => text));
    await heard(io);
    return answer;
  } catch (error) {
    if (!isSimpleFunctionsError(error) || error.code !== "journal_corrupt") throw error;
    const message = error.message.replace(
      /^trace (\d+) /,
      (words, number: string) => `${traces[Number(number) - 1]?.file ?? words.trim()} `,
    );
    throw errorFor(error.code, message, {
      ...(error.details && { details: error.details }),
      cause: error,
    });
  }
}
