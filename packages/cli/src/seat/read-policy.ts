import {
  type AgentPolicy,
  errorCodes,
  errorFor,
  exitCodes,
  InvalidPolicyError,
  isSimpleFunctionsError,
  parsePolicy,
} from "@spfunctions/contracts";
import type { CliIo } from "../io/cli-io.ts";
import { readJson } from "../io/read-json.ts";
import { withFileHint } from "../io/with-file-hint.ts";

/** The policy in a file. Without one everything has its strictest default. */
export async function readPolicy(file: string | undefined, io: CliIo): Promise<AgentPolicy> {
  if (file === undefined) return {};
  try {
    return parsePolicy(await readJson(file, io, file));
  } catch (error) {
    if (!isSimpleFunctionsError(error) || error.details?.reason === "no_file")
      throw withFileHint(error, "sf policy init writes one to begin with");
    const details = error.details === undefined ? {} : { details: error.details };
    if (error.code === "invalid_input") throw new InvalidPolicyError(`no policy: ${error.message}`, details);
    // It names the file only where reading did.
    if (errorCodes[error.code].exit !== exitCodes.badUsage) throw error;
    throw errorFor(error.code, `${file}: ${error.message}`, details);
  }
}
