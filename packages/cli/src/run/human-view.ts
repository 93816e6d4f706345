import type { JsonValue, RuntimeEvent, Spent } from "@spfunctions/contracts";
import { progressTold } from "../runs/print-progress.ts";
import { stateText } from "../runs/run-states.ts";
import { spentText } from "../runs/spent-text.ts";
import { ModelText } from "./model-text.ts";
import { printOpening } from "./print-opening.ts";
import type { RunView, RunViewTerms } from "./run-view.ts";
import { sayTrouble } from "./say-trouble.ts";

/** Step by step, beside the answer; the answer alone on the standard output. */
export function humanView(terms: RunViewTerms): RunView {
  const { print, io } = terms;
  const text = new ModelText(print, io.isTerminal.stderr);
  const tell = progressOf(terms, text);
  return {
    begun: () => undefined,
    opened: (told) => printOpening(print, told),
    event: (event) => {
      if (event.type === "model.delta") return text.push(event.text);
      text.end();
      tell(event);
    },
    cancelling: () => {
      text.end();
      const said = "cancelling: what has begun is seen to its end; a second Ctrl-C leaves at once";
      print.err({ text: said, style: "dim" });
    },
    ended: (result) => {
      text.end();
      // Whoever has seen it being said need not read it twice.
      const isSeen = io.isTerminal.stdout && io.isTerminal.stderr && text.whole === result.output;
      if (!isSeen) printOutput(terms, result.output as JsonValue | undefined);
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

function progressOf({ print, options }: RunViewTerms, text: ModelText): (event: RuntimeEvent) => void {
  const say = (line: string) => print.err({ text: line, style: "dim" });
  const tellMore = progressTold(print, options);
  const spending = new Spending();
  let step: string | undefined;
  return (event) => {
    spending.take(event);
    switch (event.type) {
      case "runtime.started":
        return say(`${event.runId} is under way`);
      case "model.started": {
        text.begin();
        if (event.stepId === step) return say("asking the model again");
        step = event.stepId;
        return print.err({ text: `step ${spending.steps + 1}`, style: "bold" });
      }
      case "model.completed":
        return say(`so far ${spentText(spending.spent)}`);
      case "context.condensed":
        return say("older parts of the conversation are shown to the model in short; they are kept whole");
      case "approval.required":
        return say(`${event.tool}: asked: ${event.reason}`);
      default:
        return tellMore(event);
    }
  };
}

/** What was spent, as far as events say: what attempts that came to nothing have cost is in the result. */
class Spending {
  spent: Spent = {};

  get steps(): number {
    return this.spent.steps ?? 0;
  }

  take(event: RuntimeEvent): void {
    if (event.type === "tool.started") this.#add({ toolCalls: 1 });
    if (event.type === "model.completed") this.#add({ steps: 1, ...event.usage });
  }

  #add(more: Spent): void {
    const names = ["steps", "toolCalls", "inputTokens", "outputTokens", "usd"] as const;
    const sums = names.map((name) => [name, (this.spent[name] ?? 0) + (more[name] ?? 0)]);
    this.spent = Object.fromEntries(sums) as Spent;
  }
}

function printOutput({ print }: RunViewTerms, output: JsonValue | undefined): void {
  if (typeof output === "string") for (const line of output.split("\n")) print.out(line);
  else if (output !== undefined) print.json(output, 2);
}
