// A run answers what its package says it must, or does not complete.
import type { JsonObject, JsonValue } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { kindsIn } from "../../../test-data/call-store.ts";
import { openRunDesk, reopenRunDesk, saying } from "../../../test-data/run-desk.ts";
import { answerCheck } from "./check-answer.ts";

const number: JsonObject = {
  type: "object",
  properties: { answer: { type: "number" } },
  required: ["answer"],
  additionalProperties: false,
};
const completed = (output: JsonValue) => ({ type: "end", status: "completed", output });

test.each(["hello", "", '{"answer":42}'])("without a contract any text completes, as text: %j", (text) => {
  expect(answerCheck(undefined, "scribe")(text)).toStrictEqual(completed(text));
});

describe("with a contract", () => {
  test.each<[string, JsonObject, string, JsonValue]>([
    ["text that fits as it is stays text", { type: "string" }, "hello", "hello"],
    ["also where it is JSON", { type: "string" }, '{"answer":42}', '{"answer":42}'],
    ["also where anything fits", {}, "42", "42"],
    ["JSON that fits is what it says", number, ' {"answer": 42}\n', { answer: 42 }],
    ["also where it is no object", { type: "integer" }, "42", 42],
    ["a text in quotes is one without, where only that fits", { const: "yes" }, '"yes"', "yes"],
  ])("%s", (_, output, text, answer) => {
    expect(answerCheck(output, "scribe")(text)).toStrictEqual(completed(answer));
  });

  const noJson = ["it is no JSON", ""] as const;
  test.each<[string, string, string, string]>([
    ["no JSON", "hello", ...noJson],
    ["nothing", "", ...noJson],
    ["JSON in a fence", '```json\n{"answer":42}\n```', ...noJson],
    ["two at once", '{"answer":42}{"answer":43}', ...noJson],
    ["a member that is said twice", '{"answer":42,"answer":43}', ...noJson],
    ["a number that is none", '{"answer":1e999}', ...noJson],
    ["half a character", '{"answer":"\\ud800"}', ...noJson],
    ["deeper than anybody reads", `${"[".repeat(100_000)}${"]".repeat(100_000)}`, ...noJson],
    ["another shape", "[42]", "it must be object", ""],
    ["a text in quotes", '"42"', "it must be object", ""],
    ["a member of another type", '{"answer":"hunter2"}', "/answer must be number", "/answer"],
    ["a member too few", "{}", "it must have required property 'answer'", ""],
    ["a member too many", '{"answer":42,"more":1}', "/more is not declared", "/more"],
    ["the prototype", '{"answer":42,"__proto__":{}}', "/__proto__ is not declared", "/__proto__"],
  ])("what does not fit fails, and says where: %s", (_, text, why, path) => {
    const end = answerCheck(number, "scribe")(text);
    expect(end).toMatchObject({
      type: "end",
      status: "failed",
      error: { code: "invalid_output", details: { path, reason: "output_contract" } },
    });
    const { error } = end as { error?: Error };
    expect(error?.message).toBe(`the answer is not what the package says it must be: ${why}`);
  });
});

describe("a run", () => {
  const wordOf = async (text: string) =>
    await (await openRunDesk({ script: saying(text), output: number }).start()).wait();

  test("whose last word fits completes with what it says", async () => {
    expect(await wordOf('{"answer":42}')).toMatchObject({ status: "completed", output: { answer: 42 } });
  });

  test("whose last word does not fit has failed, and has no output", async () => {
    const result = await wordOf("hello");
    expect(result).toMatchObject({ status: "failed", error: { code: "invalid_output" } });
    expect(result).not.toHaveProperty("output");
  });

  test("is held to the contract that its package was sealed with, whatever its owner does to it", async () => {
    const output: { [key: string]: JsonValue } = structuredClone(number);
    const desk = openRunDesk({ script: saying("hello"), output });
    for (const key of Object.keys(output)) delete output[key];
    expect((await (await desk.start()).wait()).status).toBe("failed");
    expect(desk.model.asked[0]?.output).toStrictEqual(number);
  });

  test("is told what was wrong, and may say it again: twice unless told otherwise", async () => {
    const desk = openRunDesk({ script: saying("42", '{"answer":"42"}', '{"answer":42}'), output: number });
    expect(await (await desk.start()).wait()).toMatchObject({
      status: "completed",
      output: { answer: 42 },
      spent: { steps: 3 },
    });
    expect(desk.model.asked.map(({ messages }) => messages.at(-1))).toStrictEqual([
      { role: "user", text: "take a note" },
      { role: "user", text: expect.stringContaining("it must be object. Answer once more") },
      { role: "user", text: expect.stringContaining("/answer must be number. Answer once more") },
    ]);
    const stubborn = openRunDesk({ script: saying("1", "2", "3", '{"answer":42}'), output: number });
    expect(await (await stubborn.start()).wait()).toMatchObject({ status: "failed", spent: { steps: 3 } });
    const once = openRunDesk({ script: saying("1"), output: number, runLimits: { repairs: 0 } });
    expect(await (await once.start()).wait()).toMatchObject({ status: "failed", spent: { steps: 1 } });
  });

  test("that dies before it is asked once more is asked the same by the next process", async () => {
    const options = { script: saying("42", '{"answer":42}'), output: number };
    const desk = openRunDesk(options);
    let asked = 0;
    desk.store.fault = (unit) =>
      kindsIn(unit).includes("model.intended") && ++asked === 2 ? { type: "die", written: false } : undefined;
    const { runId } = await desk.start();
    await desk.store.died.promise;
    const next = reopenRunDesk(desk, options);
    expect(await (await next.runs.resume(runId)).wait()).toMatchObject({ output: { answer: 42 } });
    expect(next.model.asked.map(({ messages }) => messages.map(({ role }) => role))).toStrictEqual([
      ["user", "assistant", "user"],
    ]);
  });
});
