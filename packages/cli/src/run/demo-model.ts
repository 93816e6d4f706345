// It says what follows from what its tools have answered, and from nothing else: a run that goes on elsewhere hears the same.
import type { JsonObject } from "@spfunctions/contracts";
import { scriptedModel, type ScriptStep } from "@spfunctions/host/models";
import type { ModelAdapter, ModelMessage } from "@spfunctions/kernel";
import { type DemoMarket, reportOn } from "./demo-report.ts";

/** The model of `sf run --demo`. */
export function demoModel(): ModelAdapter {
  return scriptedModel(({ messages }) => withUsage(nextStep(messages), messages), { name: "demo" });
}

const quantity = 5;
/** In cents: prices move while a person thinks. */
const leeway = 3;

function nextStep(messages: readonly ModelMessage[]): ScriptStep {
  const said = (tool: string) => answerOf(messages, tool);
  const found = said("markets.search");
  if (found === undefined)
    return calling("I look for markets about rain.", "markets.search", { query: "rain", limit: 8 });
  const market = worthALook(found);
  if (market === undefined) return { text: reportOn({ found }) };
  const { ticker } = market;
  const inspected = said("market.inspect");
  if (inspected === undefined)
    return calling(`${market.title} I look at it closely.`, "market.inspect", { ticker });
  const world = said("world.read");
  if (world === undefined) return calling("And at the world around it.", "world.read", {});
  const order = said("paper.order");
  const seen = { ...market, ...(inspected as Partial<DemoMarket>) };
  const { askCents } = seen;
  if (order === undefined && askCents !== null) {
    const limitPriceCents = Math.min(99, askCents + leeway);
    return calling(
      `Yes is offered at ${askCents} cents. I would buy ${quantity} on paper, at ${limitPriceCents} at most; that is for a person to decide.`,
      "paper.order",
      { ticker, action: "buy", side: "yes", quantity, limitPriceCents },
    );
  }
  return { text: reportOn({ found, market: seen, world, order }) };
}

function calling(text: string, name: string, args: JsonObject): ScriptStep {
  return { text, toolCalls: [{ name, args }] };
}

/** What a tool has answered; nothing where it was not called yet. */
function answerOf(messages: readonly ModelMessage[], tool: string): JsonObject | undefined {
  const ids = messages.flatMap((one) =>
    one.role === "assistant" ? (one.toolCalls ?? []).filter(({ name }) => name === tool) : [],
  );
  const [call] = ids;
  const told = messages.find((one) => one.role === "tool" && one.toolCallId === call?.id);
  return call === undefined || told === undefined ? undefined : (JSON.parse(told.text) as JsonObject);
}

/** Neither sure nor hopeless; of those, the one that is open longest, so that there is time to decide. */
function worthALook({ items }: JsonObject): DemoMarket | undefined {
  const markets = Array.isArray(items) ? (items as unknown as readonly DemoMarket[]) : [];
  return markets
    .filter(({ askCents }) => askCents !== null && askCents >= 5 && askCents <= 95)
    .toSorted((one, other) => Date.parse(other.closesAt) - Date.parse(one.closesAt))[0];
}

/** About as much as a model would count. */
function withUsage(step: ScriptStep, messages: readonly ModelMessage[]): ScriptStep {
  const read = messages.reduce((sum, { text }) => sum + text.length, 0);
  const written = JSON.stringify([step.text, step.toolCalls]).length;
  const usage = { inputTokens: Math.ceil(read / 4), outputTokens: Math.ceil(written / 4) };
  return { ...step, usage };
}
