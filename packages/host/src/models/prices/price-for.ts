import { type ModelPrice, modelPrices } from "./model-prices.ts";

/**
 * What a model costs, by its name or as a command line names it. Of a model that is not listed, and of one at an address of its own,
 * nothing is known: give its price yourself.
 */
export function priceFor(model: string): ModelPrice | undefined {
  const name = model.replace(/^(?:openai:(?=gpt-|o\d)|anthropic:(?=claude-))/, "");
  return Object.hasOwn(modelPrices, name) ? modelPrices[name] : undefined;
}
