// A run that must answer with something of a shape does so, or has failed; a model that answers otherwise is told why, within a limit.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { read, type Saying } from "../../../kernel/test-data/run-desk.ts";
import { resultOf, runtimeDesk, type RuntimeDeskOptions } from "../../test-data/runtime-desk.ts";

const output = z.strictObject({ ticker: z.string(), odds: z.number().min(0).max(1) });
const sound = '{"ticker":"FED","odds":0.4}';

async function answering(says: readonly Saying[], options: RuntimeDeskOptions = {}) {
  const desk = runtimeDesk({ says, ...options });
  const result = await resultOf(desk.runtime.run({ objective: "what are the odds?", output }));
  return { ...desk, result };
}

test("an answer of the shape is the output, as a value", async () => {
  const { result, model } = await answering([[read], sound]);
  expect(result).toMatchObject({ status: "completed", output: { ticker: "FED", odds: 0.4 } });
  expect(model.asked[0]?.output).toMatchObject({
    type: "object",
    required: ["ticker", "odds"],
    additionalProperties: false,
  });
});

describe("an answer that is not of it is told why, and asked for again:", () => {
  test.each([
    ["no JSON", "about forty percent", /no JSON/],
    ["JSON in a fence", `\`\`\`json\n${sound}\n\`\`\``, /no JSON/],
    ["another type", '{"ticker":"FED","odds":"0.4"}', /\/odds/],
    ["out of its bounds", '{"ticker":"FED","odds":40}', /\/odds/],
    ["without what it needs", '{"ticker":"FED"}', /odds/],
    ["with more than it may have", '{"ticker":"FED","odds":0.4,"why":"a feeling"}', /why/],
    ["a key twice", '{"ticker":"FED","odds":0.4,"odds":0.5}', /no JSON/],
  ])("%s", async (_what, said, why) => {
    const { result, model } = await answering([said, sound]);
    expect(result).toMatchObject({ status: "completed", output: { odds: 0.4 } });
    const told = model.asked[1]?.messages.at(-1);
    expect(told?.role).toBe("user");
    expect(told?.text).toMatch(why);
  });
});

test("after so many the run has failed, with why, and what was asked is counted", async () => {
  const { result, model } = await answering(["one", "two", "three", sound]);
  expect(result).toMatchObject({ status: "failed", error: { code: "invalid_output" }, usage: { steps: 3 } });
  expect(result.output).toBeUndefined();
  expect(model.asked).toHaveLength(3);
});

test.each([
  [0, 1],
  [1, 2],
])("where the host says %i times, the model is asked %i times", async (repairs, asked) => {
  const { result, model } = await answering(["one", "two", "three", "four"], { runLimits: { repairs } });
  expect([result.status, model.asked.length]).toStrictEqual(["failed", asked]);
});

test("a repair counts against the steps that a run has", async () => {
  const desk = runtimeDesk({ says: ["one", sound] });
  expect(await desk.runtime.run({ objective: "what are the odds?", output, maxSteps: 1 })).toMatchObject({
    status: "blocked",
    error: { code: "budget_exceeded" },
  });
});

test("a shape may be marked draft-07", async () => {
  const desk = runtimeDesk({ says: ['["a", "b"]', '["a", 1]'] });
  const $schema = "http://json-schema.org/draft-07/schema#";
  const schema = { $schema, type: "array", items: [{ type: "string" }, { type: "number" }] };
  const result = await resultOf(desk.runtime.run({ objective: "count", output: schema }));
  expect(result).toMatchObject({ status: "completed", output: ["a", 1], usage: { steps: 2 } });
});

test("a shape may be a JSON Schema, and of any type", async () => {
  const desk = runtimeDesk({ says: ["[1, 2]"] });
  const schema = { type: "array", items: { type: "integer" } } as const;
  expect(await desk.runtime.run({ objective: "count", output: schema })).toMatchObject({ output: [1, 2] });
  const text = runtimeDesk({ says: ["yes"] });
  expect(await text.runtime.run({ objective: "is it?", output: z.enum(["yes", "no"]) })).toMatchObject({
    output: "yes",
  });
});

test("a run beside it answers as it likes", async () => {
  const { runtime } = await answering([sound]);
  expect(await runtime.run({ objective: "say something" })).toMatchObject({ output: sound });
});
