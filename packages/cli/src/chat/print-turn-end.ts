import type { TurnResult } from "@spfunctions/agent/spectator";
import { errorFor } from "@spfunctions/contracts";
import type { Printer } from "../io/printer.ts";
import { printError } from "../io/report-error.ts";
import { stateOf } from "../runs/run-states.ts";
import { spentText } from "../runs/spent-text.ts";
import { fitLine } from "../trace/fit-line.ts";
import { condensedText } from "./condensed-text.ts";
import type { TurnViewTerms } from "./turn-view.ts";

const mostNote = 200;

/** What a turn has changed, what of it was refused, and how it stands. */
export function printTurnEnd(result: TurnResult, { print, io, options }: TurnViewTerms): void {
  printNotes(print, result);
  printRefusals(print, result);
  const { error, condensed, status, revision, usage } = result;
  if (condensed !== undefined) print.err({ text: condensedText(condensed), style: "dim" });
  if (error !== undefined) printError(print, errorFor(error.code, error.message), io.env, options);
  const now = revision === undefined ? "" : `revision ${revision}; `;
  print.err(
    { text: stateOf({ status }), style: status === "completed" ? "green" : "yellow" },
    { text: `; ${now}${spentText(usage)}`, style: "dim" },
  );
}

function printNotes({ err }: Pick<Printer, "err">, { notes }: TurnResult): void {
  const note = (text: string) => err({ text: `noted   ${fitLine(text, mostNote)}`, style: "dim" });
  for (const change of notes.flatMap(({ changes }) => changes)) {
    if (change.key === "set_goals") note(`goals: ${change.after.join("; ") || "none"}`);
    else if (change.key === "set_episode_summary") note(`summary: ${change.after || "none"}`);
    else if (change.key === "close_open_loops") note(`closed: ${change.removed.join("; ")}`);
    else note(`${nameOf[change.key]}: ${change.added.join("; ")}`);
  }
}

const nameOf = {
  add_open_loops: "open",
  add_decisions: "decided",
  add_constraints: "constraint",
  add_memory_tags: "tags",
} as const;

const actionWords: Readonly<Record<TurnResult["refusedActions"][number]["reason"], string>> = {
  model_cannot_grant: "a model can ask for a permission, and never give itself one",
  unknown_action: "there is no such action",
  bad_capability: "that is no capability",
  too_many: "these are too many",
};

function printRefusals({ err }: Pick<Printer, "err">, result: TurnResult): void {
  const say = (text: string) =>
    err({ text: "refused", style: "yellow" }, { text: ` ${fitLine(text, mostNote)}`, style: "dim" });
  for (const { action, reason } of result.refusedActions) say(`${action}: ${actionWords[reason]}`);
  for (const { key, why, text = "", count = "" } of result.notes.flatMap(({ refused }) => refused))
    say(
      `${key}: ${why.replaceAll("_", " ")}${count === "" ? "" : ` ${count}`}${text === "" ? "" : `: ${text}`}`,
    );
  for (const problem of result.problems) say(problem);
  if (result.citations.unknown.length > 0)
    say(`it cites what it was not shown: ${result.citations.unknown.join(", ")}`);
}
