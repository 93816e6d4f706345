import { expect, test } from "vitest";
import { mostTokens } from "./most-tokens.ts";

test.each([
  ["", 0],
  ["will it rain", 4],
  ["LISBON-26", 5],
  ['{"":1}', 3],
  ["é", 2],
  ["語", 3],
  ["🙂", 4],
])("%j has at most %i tokens", (text, tokens) => {
  expect(mostTokens(text)).toBe(tokens);
});
