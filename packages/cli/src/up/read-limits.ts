import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { type PlatformLimits, readPlatformLimits } from "@spfunctions/server";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CliIo } from "../io/cli-io.ts";
import { asUsage, readJson } from "../io/read-json.ts";

/** The limits of a platform in a file: those that it names, and the usual ones for the others. */
export async function readLimits(file: string, io: CliIo): Promise<PlatformLimits> {
  const given = await asUsage(() => readJson(file, io, file));
  try {
    return readPlatformLimits(given as Partial<PlatformLimits>);
  } catch (error) {
    if (!isSimpleFunctionsError(error)) throw error;
    throw badUsage(`${file}: ${error.message}`);
  }
}
