import { expect, test } from "vitest";
import { anthropic } from "./anthropic/anthropic.ts";
import { openaiCompatible } from "./openai/openai-compatible.ts";

test("a model without the key that it needs is none, and nothing is sent", () => {
  const apiKey = undefined as never;
  expect(() => anthropic({ model: "m", apiKey })).toThrow("ANTHROPIC_API_KEY");
  const openai = { model: "m", baseUrl: "https://api.openai.com/v1", apiKey };
  expect(() => openaiCompatible(openai)).toThrow("OPENAI_API_KEY");
  expect(() => openaiCompatible({ ...openai, baseUrl: "http://127.0.0.1:9/v1" })).not.toThrow();
  expect(() => openaiCompatible({ ...openai, headers: { authorization: "Bearer x" } })).not.toThrow();
});
