// It says what follows from what its tools have answered, and from nothing else: a run that goes on elsewhere hears the same.
import { scriptedModel, type ScriptStep } from "@spfunctions/host/models";
import type { ModelAdapter, ModelMessage } from "@spfunctions/kernel";
import { reportOn } from "./demo-report.ts";
import { type Finding, researcherObjective, researcherStep } from "./demo-researcher.ts";
import { answerOf, calling, whyNot } from "./demo-script.ts";

/** The model of `sf run --demo`, and of the subagent that it starts. */
export function demoModel(): ModelAdapter {
  return scriptedModel(({ messages }) => withUsage(stepOf(messages), messages), { name: "demo" });
}

function stepOf(messages: readonly ModelMessage[]): ScriptStep {
  return isResearcher(messages) ? researcherStep(messages) : nextStep(messages);
}

/** A child is told its objective first. */
function isResearcher([first]: readonly ModelMessage[]): boolean {
  return first?.role === "system" && first.text === researcherObjective;
}

const quantity = 5;
/** In cents: prices move while a person thinks. */
const leeway = 3;

function nextStep(messages: readonly ModelMessage[]): ScriptStep {
  const said = (tool: string) => answerOf(messages, tool);
  const research = said("subagent.researcher");
  if (research === undefined)
    return calling("I send a researcher, who can read and nothing else.", "subagent.researcher", {
      task: "Which market about rain is worth a look, at what price, and how is the world around it?",
    });
  const { output } = research as { readonly output?: Finding };
  if (output === undefined) return { text: `Nothing was found out: ${whyNot(research) ?? "no answer came"}` };
  const { market, seen } = output;
  if (market === undefined) return { text: seen };
  const order = said("paper.order");
  const { ticker, askCents } = market;
  if (order === undefined && askCents !== null) {
    const limitPriceCents = Math.min(99, askCents + leeway);
    return calling(
      `Yes is offered at ${askCents} cents. I would buy ${quantity} on paper, at ${limitPriceCents} at most; that is for a person to decide.`,
      "paper.order",
      { ticker, action: "buy", side: "yes", quantity, limitPriceCents },
    );
  }
  return { text: reportOn({ market, seen, order }) };
}

/** About as much as a model would count. */
function withUsage(step: ScriptStep, messages: readonly ModelMessage[]): ScriptStep {
  const read = messages.reduce((sum, { text }) => sum + text.length, 0);
  const written = JSON.stringify([step.text, step.toolCalls]).length;
  const usage = { inputTokens: Math.ceil(read / 4), outputTokens: Math.ceil(written / 4) };
  return { ...step, usage };
}
