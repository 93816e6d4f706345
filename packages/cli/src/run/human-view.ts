import type { JsonValue, RuntimeEvent } from "@spfunctions/contracts";
import { childTold } from "../children/child-told.ts";
import { ToldChildren } from "../children/told-children.ts";
import type { Printer } from "../io/printer.ts";
import { progressTold } from "../runs/print-progress.ts";
import { stateText } from "../runs/run-states.ts";
import { spentText } from "../runs/spent-text.ts";
import { ModelText } from "./model-text.ts";
import { printOpening } from "./print-opening.ts";
import { printOutput } from "./print-output.ts";
import type { RunView, RunViewTerms } from "./run-view.ts";
import { sayTrouble } from "./say-trouble.ts";
import { Spending } from "./spending.ts";

/** Step by step, beside the answer; the answer alone on the standard output. */
export function humanView(terms: RunViewTerms): RunView {
  const { print, io } = terms;
  const text = new ModelText(print, io.isTerminal.stderr);
  // Whatever is printed stands on a line of its own.
  const err: Printer["err"] = (...parts) => {
    text.end();
    print.err(...parts);
  };
  const spending = new Spending();
  const tell = progressOf({ err }, terms, text, spending);
  let children: ToldChildren | undefined;
  return {
    begun: () => undefined,
    opened: (told) => {
      children = new ToldChildren(told.source);
      printOpening(print, told);
    },
    event: async (event) => {
      if (event.type === "model.delta") return text.push(event.text);
      for (const told of (await children?.of(event)) ?? []) {
        spending.take(told);
        if (told.name === undefined) tell(told.event);
        else childTold({ err }, told, terms.options, (below, own) => tellOfChild(below, own, terms));
      }
    },
    cancelling: () => {
      const said = "cancelling: what has begun is seen to its end; a second Ctrl-C leaves at once";
      err({ text: said, style: "dim" });
    },
    ended: (result) => {
      text.end();
      // Whoever has seen it being said need not read it twice.
      const isSeen = io.isTerminal.stdout && io.isTerminal.stderr && text.whole === result.output;
      if (!isSeen) printOutput(result.output as JsonValue | undefined, terms);
      sayTrouble(result, terms);
      const { runId, status, usage } = result;
      const state = stateText(status === "requires_approval" ? "waiting" : status);
      print.err(
        { text: `${runId}  ${state}`, style: status === "completed" ? "green" : "yellow" },
        ...(usage === undefined ? [] : [`; ${spentText(usage)}`]),
      );
    },
  };
}

type Err = Pick<Printer, "err">;

function progressOf(
  print: Err,
  { options }: RunViewTerms,
  text: ModelText,
  spending: Spending,
): (event: RuntimeEvent) => void {
  const say = (line: string) => print.err({ text: line, style: "dim" });
  const tellMore = progressTold(print, options);
  let step: string | undefined;
  return (event) => {
    switch (event.type) {
      case "runtime.started":
        return say(`${event.runId} is under way`);
      case "model.started": {
        text.begin();
        if (event.stepId === step) return say("asking the model again");
        step = event.stepId;
        return print.err({ text: `step ${spending.turns + 1}`, style: "bold" });
      }
      case "model.completed":
        return say(`so far ${spentText(spending.spent)}`);
      case "context.condensed":
        return say("older parts of the conversation are shown to the model in short; they are kept whole");
      case "approval.required":
        return sayWhy(print, event);
      default:
        return tellMore(event);
    }
  };
}

function tellOfChild(print: Err, event: RuntimeEvent, { options }: RunViewTerms): void {
  if (event.type === "approval.required") sayWhy(print, event);
  else progressTold(print, options)(event);
}

/** Why a person is asked: what they can do about it is told where they are. */
export function sayWhy(
  { err }: Err,
  { tool, reason }: Extract<RuntimeEvent, { type: "approval.required" }>,
): void {
  err({ text: `${tool}: asked: ${reason}`, style: "dim" });
}
