import { errorFor, isSimpleFunctionsError, type JsonValue, parseJsonStrict } from "@spfunctions/contracts";
import { asBadUsage } from "../command-line/bad-usage.ts";
import type { CliIo } from "./cli-io.ts";
import { readSource } from "./read-source.ts";

/**
 * JSON of an option, a file or the standard input.
 * @limit cli.jsonBytes | exit 2: bad usage | fixed: what is read of any JSON
 */
const maxJsonBytes = 16 * 1024 * 1024;

/** A value as it is given on a command line: JSON, `@file`, or `-` for the standard input. What is none is bad usage. */
export async function readInput(given: string, io: CliIo): Promise<JsonValue> {
  return await asUsage(async () => {
    if (given === "-") return await readJson("-", io, "the standard input");
    if (given.startsWith("@")) return await readJson(given.slice(1), io, given.slice(1));
    return parse(given, "--input");
  });
}

/** Reads what somebody has named on a command line: what is not what it should be is theirs to mend. */
export async function asUsage<Value>(read: () => Promise<Value>): Promise<Value> {
  try {
    return await read();
  } catch (error) {
    throw isSimpleFunctionsError(error) && error.code === "invalid_input" ? asBadUsage(error) : error;
  }
}

/** The JSON in a file; `called` is what its faults are told about. */
export async function readJson(name: string, io: CliIo, called: string): Promise<JsonValue> {
  return parse(await readSource(name, io, maxJsonBytes), called);
}

function parse(text: string, called: string): JsonValue {
  try {
    return parseJsonStrict(text, { maxBytes: maxJsonBytes });
  } catch (error) {
    if (!isSimpleFunctionsError(error)) throw error;
    throw errorFor(error.code, `${called}: ${error.message}`, {
      ...(error.details === undefined ? {} : { details: error.details }),
      cause: error,
    });
  }
}
