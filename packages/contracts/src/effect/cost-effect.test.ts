import { expect, test } from "vitest";
import { refusalOf } from "../../test-data/refusal-of.ts";
import { acceptedBy } from "../../test-data/strict-record.ts";
import { ContractViolationError } from "../error/error-classes.ts";
import { type CostEffect, costEffectRank, costEffectSchema, costEffects } from "./cost-effect.ts";

// proves KEY-8.1, KEY-9.8, KEY-9.9, KEY-9.10, KEY-9.11, KEY-9.12
test("the classes are ranked from free to llm_cost", () => {
  expect(costEffects.map((effect) => [costEffectRank(effect), effect])).toStrictEqual([
    [0, "none"],
    [1, "api_cost"],
    [2, "search_cost"],
    [3, "venue_request_cost"],
    [4, "llm_cost"],
  ]);
});

test("G1: an unknown class is no class, and a side effect is no cost", () => {
  const words = ["user_write", "live_trade", "LLM_COST", "", "constructor", "__proto__", 1, null, undefined];
  expect(acceptedBy(costEffectSchema, words)).toStrictEqual([]);
});

test("G1: an unknown class has no rank: asking for it is a fault", () => {
  for (const word of [
    "everything",
    "user_write",
    "",
    "None",
    "constructor",
    "__proto__",
    0,
    null,
    undefined,
  ]) {
    const error = refusalOf(() => costEffectRank(word as CostEffect));
    expect(error).toBeInstanceOf(ContractViolationError);
    expect(error.message).toBe(
      "unknown effect class; there are none, api_cost, search_cost, venue_request_cost, llm_cost",
    );
  }
});
