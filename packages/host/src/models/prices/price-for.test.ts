import { expect, test } from "vitest";
import { modelPrices } from "./model-prices.ts";
import { priceFor } from "./price-for.ts";

test("a listed model has its price, by its name or as a command line names it", () => {
  const price = { inputPerMillion: 5, outputPerMillion: 25 };
  expect(priceFor("claude-opus-4-5")).toStrictEqual(price);
  expect(priceFor("anthropic:claude-opus-4-5")).toStrictEqual(price);
  expect(priceFor("openai:gpt-5")).toStrictEqual({ inputPerMillion: 1.25, outputPerMillion: 10 });
});

test.each([
  "gpt-5-mini-2031-01-01",
  "GPT-5",
  "openai:gpt-5@https://router.test/v1",
  "openai:claude-opus-4-5",
  "scripted:gpt-5",
  "__proto__",
  "constructor",
  "",
])("what %s costs is not guessed", (model) => {
  expect(priceFor(model)).toBeUndefined();
});

test("every price is one the kernel takes, and none can be changed", () => {
  for (const [model, price] of Object.entries(modelPrices)) {
    expect(priceFor(model)).toBe(price);
    expect(price.inputPerMillion).toBeGreaterThan(0);
    expect(price.outputPerMillion).toBeGreaterThan(price.inputPerMillion);
    expect(Object.isFrozen(price)).toBe(true);
  }
  expect(Object.isFrozen(modelPrices)).toBe(true);
});
