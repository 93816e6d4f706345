import type { Spent, Verdict } from "@spfunctions/contracts";
import { whoText } from "../approvals/approval-facts.ts";
import { asCommands } from "../io/as-commands.ts";
import type { TimelineCall } from "./timeline.ts";

/** A line about a call; one without a text is left out. */
export type Row = readonly [name: string, text: string | undefined];

/** Who called, what was decided and why, at what price, with what, what followed, and the proof. */
export function timelineRows(call: TimelineCall): Row[] {
  const { entry, origin, verdict, followed } = call;
  const { principal, error, erased = [] } = entry;
  // What was decided is of the call that it was answered from.
  const isRepeated = followed.some(({ type }) => type === "repeated");
  const isSeen = entry.inputHash !== undefined || erased.includes("input");
  return [
    ["who", `${whoText(principal)}, ${principal.scopes.join(" ") || "no scope"}, ${origin}`],
    ["verdict", isRepeated ? undefined : verdictText(verdict)],
    ["remedy", isRepeated || verdict.remedy === undefined ? undefined : asCommands(verdict.remedy)],
    ["effects", effectsText(call)],
    [
      "input",
      erased.includes("input") ? "(erased)" : isSeen ? JSON.stringify(entry.input) : "(not looked at)",
    ],
    ["output", outputText(call)],
    ["error", error && `${error.code}: ${error.message}`],
    ...followed.map((one): Row => ["then", one.detail]),
    ["receipt", `record ${entry.seq}, ${entry.hash}`],
    ["call", entry.callId],
  ];
}

function verdictText({ outcome, gate, code, reason }: Verdict): string {
  if (outcome === "allow") return "allow";
  return `${outcome} at gate ${gate} (${code}): ${reason}`;
}

function effectsText({ entry: { sideEffect, costEffect }, spent = {} }: TimelineCall): string {
  if (sideEffect === undefined) return "there is no such tool";
  return [`side effect ${sideEffect}`, `cost ${costEffect}`, ...spentTexts(spent)].join(", ");
}

function spentTexts({ inputTokens, outputTokens, usd }: Spent): string[] {
  return [
    ...(inputTokens === undefined ? [] : [`${inputTokens} tokens in`]),
    ...(outputTokens === undefined ? [] : [`${outputTokens} tokens out`]),
    ...(usd === undefined ? [] : [`${usd} USD`]),
  ];
}

function outputText({ entry, followed }: TimelineCall): string | undefined {
  if (followed.some(({ type }) => type === "withheld" || type === "held")) return "(given to nobody)";
  if (entry.erased?.includes("output") === true) return "(erased)";
  return entry.outputSummary === "" ? undefined : JSON.stringify(entry.output);
}
