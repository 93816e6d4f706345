import type { WhatIf, WhatIfDifference } from "@spfunctions/agent";
import {
  errorFor,
  InvalidInputError,
  isJsonObject,
  isSimpleFunctionsError,
  type JsonValue,
} from "@spfunctions/contracts";
import { asBadUsage } from "../command-line/bad-usage.ts";
import type { CliIo } from "../io/cli-io.ts";
import { readJson } from "../io/read-json.ts";

/** By call: what a policy is expected to make of it. */
export type Expected = ReadonlyMap<string, string>;

/** What was kept of an earlier answer; none where no difference is expected. */
export async function readExpected(given: string | undefined, io: CliIo): Promise<Expected | undefined> {
  if (given === undefined || given === "no-change") return undefined;
  try {
    return new Map(differencesIn(await readJson(given, io, given), given));
  } catch (error) {
    // What is no JSON is a mistake on the command line, as is a file that is not there.
    if (isSimpleFunctionsError(error) && error.code === "invalid_input")
      throw asBadUsage(errorFor(error.code, error.message, error.details ? { details: error.details } : {}));
    throw error;
  }
}

function differencesIn(value: JsonValue, file: string): [string, string][] {
  const list = isJsonObject(value) && Object.hasOwn(value, "differences") ? value.differences : undefined;
  if (!Array.isArray(list)) throw noAnswer(file);
  return list.map((one: JsonValue) => {
    const callId = isJsonObject(one) ? one.callId : undefined;
    const now = isJsonObject(one) ? one.now : undefined;
    if (typeof callId !== "string" || !isJsonObject(now)) throw noAnswer(file);
    return [callId, decisionText(now)];
  });
}

/** The differences that nobody expects, and the calls that were expected to differ otherwise or at all. */
export function unexpected(
  { differences }: WhatIf,
  expected: Expected | undefined,
): { readonly differences: readonly WhatIfDifference[]; readonly missing: readonly string[] } {
  if (expected === undefined) return { differences, missing: [] };
  const isExpected = ({ callId, now }: WhatIfDifference) => expected.get(callId) === decisionText(now);
  const met = new Set<string>(differences.filter(isExpected).map(({ callId }) => callId));
  return {
    differences: differences.filter((one) => !isExpected(one)),
    missing: [...expected.keys()].filter((callId) => !met.has(callId)),
  };
}

function decisionText({
  outcome,
  gate,
  code,
}: {
  outcome?: unknown;
  gate?: unknown;
  code?: unknown;
}): string {
  return JSON.stringify([outcome, gate ?? null, code]);
}

function noAnswer(file: string): InvalidInputError {
  return new InvalidInputError(
    `${file} is no answer of sf policy test --json: keep one, or expect no-change`,
    { details: { reason: "no_answer" } },
  );
}
