import { exitCodes, isSimpleFunctionsError } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import { reportError } from "../io/report-error.ts";

/** The first answer stands: another one is refused, and nothing has failed. */
export async function unlessDecided<Answer>(
  { json }: { readonly json?: true },
  { print, io, exit }: CommandContext,
  answer: () => Promise<Answer>,
): Promise<Answer | undefined> {
  try {
    return await answer();
  } catch (error) {
    if (!isSimpleFunctionsError(error) || error.code !== "invalid_transition") throw error;
    reportError(print, error, json === true ? "json" : "human", io.env);
    exit(exitCodes.refused);
    return undefined;
  }
}
