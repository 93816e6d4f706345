// What a person needs to know whose test has asked for something else than it was recorded with. The values are those of the recorded form,
// in which every secret is hidden (S1).
import {
  cutText,
  type ContractTool,
  type ErrorDetails,
  type JsonValue,
  pathForMessage,
  ReplayMissError,
  type SimpleFunctionsError,
  type TraceEntry,
} from "@spfunctions/contracts";
import { type Difference, inputDifferences } from "./input-differences.ts";
import type { RecordedCalls } from "./recorded-calls.ts";

export type Miss = {
  /** As messages name it. */
  readonly file: string;
  readonly tool: string;
  readonly recorded: RecordedCalls;
  /** What was asked, in recorded form, where the judge has let it come so far. */
  readonly asked?: JsonValue | undefined;
  /** The tool's contract as it is now. */
  readonly contract?: ContractTool | undefined;
};

const maxShown = 10;
const maxValueChars = 80;

const allUsed = "has given all its answers for this input";

type Said = { readonly reason: string; readonly lines: readonly string[] };

/** The same miss in words that say how to mend it. */
export function explainMiss(miss: Miss, error: SimpleFunctionsError): ReplayMissError {
  const { reason, lines } = said(miss);
  const message = [
    `${miss.tool}: the fixture ${miss.file} ${reason === "used_up" ? allUsed : "has no answer for this call"}, and nothing was called.`,
    ...lines,
    "If the test is right, record it anew: run it with SF_RECORD=all.",
  ].join("\n");
  const { verdict: _, suggestions: __, ...details }: ErrorDetails = error.details ?? {};
  return new ReplayMissError(message, {
    details: { ...details, tool: miss.tool, reason, file: miss.file },
    cause: error,
  });
}

function said({ tool, recorded, asked, contract }: Miss): Said {
  if (contract?.replay.replayable === false)
    return { reason: "not_replayable", lines: [`${tool} says of itself that it is never replayed.`] };
  const entries = recorded.of(tool);
  if (entries.length === 0) return { reason: "tool_not_recorded", lines: [toolsIn(recorded)] };
  const used = entries.filter((entry) => recorded.isUsed(entry)).length;
  const count = `Recorded calls of ${tool}: ${entries.length}, ${usedText(used, entries.length)}.`;
  const near = nearest(entries, recorded, asked ?? null);
  if (near === undefined) return { reason: "input_differs", lines: [count] };
  const { entry, differences } = near;
  const changed =
    entry.toolDigest === contract?.digest
      ? []
      : [`The contract of ${tool} is another than the one it was recorded under.`];
  if (differences.length === 0) {
    const lines = [count, ...changed];
    return { reason: "used_up", lines };
  }
  const fields = differences.length === 1 ? "1 field" : `${differences.length} fields`;
  const lines = [
    `The nearest recorded input differs in ${fields}:`,
    ...differences.slice(0, maxShown).map(lineOf),
    ...(differences.length > maxShown ? [`  and ${differences.length - maxShown} more`] : []),
    count,
    ...changed,
  ];
  return { reason: "input_differs", lines };
}

type Near = { readonly entry: TraceEntry; readonly differences: readonly Difference[] };

/** The one with the fewest differing fields: of several, one that is still to be had, and of those the first. */
function nearest(
  entries: readonly TraceEntry[],
  recorded: RecordedCalls,
  asked: JsonValue,
): Near | undefined {
  return entries
    .filter(({ erased, inputHash }) => inputHash !== undefined && erased?.includes("input") !== true)
    .map((entry) => ({ entry, differences: inputDifferences(entry.input as JsonValue, asked) }))
    .toSorted(
      (one, other) =>
        one.differences.length - other.differences.length ||
        Number(recorded.isUsed(one.entry)) - Number(recorded.isUsed(other.entry)),
    )[0];
}

function lineOf({ path, recorded, asked }: Difference): string {
  const where = path.length === 0 ? "(the whole input)" : pathForMessage(path);
  return `  ${where}: recorded ${shown(recorded)}, asked ${shown(asked)}`;
}

function shown(value: JsonValue | undefined): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value).replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, "�");
  return text.length > maxValueChars ? `${cutText(text, maxValueChars)}…` : text;
}

function toolsIn(recorded: RecordedCalls): string {
  const tools = [...recorded.tools()].map(([name, count]) => `${name} (${callsOf(count)})`);
  return tools.length === 0
    ? "No call of any tool is in it."
    : `No call of this tool is in it; in it are: ${tools.join(", ")}.`;
}

function usedText(used: number, all: number): string {
  if (used === 0) return "none used yet";
  return used === all ? "all used already" : `${used} used already`;
}

function callsOf(count: number): string {
  return count === 1 ? "1 recorded call" : `${count} recorded calls`;
}
