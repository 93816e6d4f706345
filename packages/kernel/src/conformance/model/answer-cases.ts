import assert from "node:assert/strict";
import { inTurn } from "../in-turn.ts";
import {
  askBy,
  eventsOf,
  inputOf,
  type ModelCase,
  plainAnswer,
  richAnswer,
  richResult,
  ways,
} from "./model-case.ts";

export const modelAnswerCases: readonly ModelCase[] = [
  {
    // proves RUN-8.2
    name: "text, calls and usage come as the model gave them, by either way",
    run: async ({ adapter, says }) => {
      says(richAnswer);
      await inTurn(ways, async (way) => assert.deepEqual(await askBy(adapter, way), richResult));
    },
  },
  {
    name: "an answer of text alone has no calls, and stops",
    run: async ({ adapter, says }) => {
      says(plainAnswer);
      const expected = { text: "hi", toolCalls: [], finish: "stop", usage: plainAnswer.usage };
      await inTurn(ways, async (way) => assert.deepEqual(await askBy(adapter, way), expected));
    },
  },
  {
    name: "an answer that was cut for its length says so",
    run: async ({ adapter, says }) => {
      says({ ...plainAnswer, finish: "length" });
      await inTurn(ways, async (way) => assert.equal((await askBy(adapter, way)).finish, "length"));
    },
  },
  {
    // proves RUN-8.3
    name: "what a stream gives piece by piece is the answer that it ends with",
    run: async ({ adapter, says }) => {
      says(richAnswer);
      const events = await eventsOf(adapter);
      const text = events.map((event) => (event.type === "text.delta" ? event.text : "")).join("");
      assert.equal(text, richResult.text);
      const deltas = events.filter((event) => event.type === "tool_call.delta");
      const calls = richResult.toolCalls.map(({ id }) => {
        const own = deltas.filter((delta) => delta.id === id);
        const args: unknown = JSON.parse(own.map((delta) => delta.args).join("") || "{}");
        return { id, name: own.find(({ name }) => name !== undefined)?.name, args };
      });
      assert.deepEqual(calls, richResult.toolCalls);
      const usages = events.filter((event) => event.type === "usage").map(({ usage }) => usage);
      assert.deepEqual(usages.at(-1), richResult.usage);
      assert.deepEqual(events.at(-1), { type: "done", result: richResult });
      assert.equal(events.filter(({ type }) => type === "done").length, 1);
    },
  },
  {
    name: "two questions at the same time each get a whole answer",
    run: async ({ adapter, says }) => {
      says(richAnswer);
      const asked = Array.from({ length: 12 }, (_, i) => askBy(adapter, i % 2 === 0 ? "complete" : "stream"));
      const answers = await Promise.all(asked);
      for (const answer of answers) assert.deepEqual(answer, richResult);
    },
  },
  {
    name: "what it is asked with is not changed",
    run: async ({ adapter, says }) => {
      says(plainAnswer);
      const freeze = <Value>(value: Value): Value => {
        if (typeof value !== "object" || value === null || value instanceof AbortSignal) return value;
        for (const member of Object.values(value)) freeze(member);
        return Object.freeze(value);
      };
      const input = freeze(inputOf({ output: { type: "object", properties: {} }, maxTokens: 5 }));
      await inTurn(ways, (way) => askBy(adapter, way, input));
    },
  },
];
