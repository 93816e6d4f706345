// A model says what it likes. It is given on as it is, so that whoever asked can take it or refuse it, and nothing else happens.
import assert from "node:assert/strict";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import type { ModelCompleteResult, ModelMessage } from "../../model/model-adapter.ts";
import { readAnswer } from "../../run/model/read-answer.ts";
import { inTurn } from "../in-turn.ts";
import { askBy, inputOf, type ModelCase, plainAnswer, unheardOf, ways, wireOf } from "./model-case.ts";

const wire = ["wire"] as const;
const usage = { inputTokens: 1, outputTokens: 1 };
const callOf = (name: string, args = "{}", id = "call_a") => ({ id, name, args });

/** The kernel takes it or refuses it; it never breaks on it. */
function readByKernel(answer: ModelCompleteResult, most = 64): "taken" | "refused" {
  try {
    readAnswer(answer, most);
    return "taken";
  } catch (error) {
    assert.ok(isSimpleFunctionsError(error) && error.code === "provider_failed", String(error));
    return "refused";
  }
}

export const modelHostileCases: readonly ModelCase[] = [
  {
    name: "names that a provider would refuse go there and come back, also where two would look alike",
    needs: wire,
    run: async (opened) => {
      const { asked } = wireOf(opened);
      const names = [
        "a.b",
        "a_b",
        "a-b",
        "a.b.c",
        "a_b.c",
        "x".repeat(100),
        `${"x".repeat(99)}y`,
        "ü.ö",
        "ä.ö",
      ];
      const tools = names.map((name) => ({ name, description: "", input: { type: "object" } }));
      opened.says(plainAnswer);
      await askBy(opened.adapter, "complete", inputOf({ tools }));
      const { tools: sent } = JSON.parse(asked().at(-1) ?? "") as {
        tools: readonly { name?: string; function?: { name: string } }[];
      };
      const wireNames = sent.map((tool) => tool.function?.name ?? tool.name ?? "");
      for (const name of wireNames) assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
      assert.equal(new Set(wireNames).size, names.length);
      opened.says({ usage, calls: wireNames.map((name, i) => callOf(name, "{}", `call_${i}`)) });
      await inTurn(ways, async (way) => {
        const { toolCalls } = await askBy(opened.adapter, way, inputOf({ tools }));
        assert.deepEqual(
          toolCalls.map(({ name }) => name),
          names,
        );
      });
    },
  },
  {
    name: "what a model has said before, whatever it was, can be sent back to it",
    needs: wire,
    run: async (opened) => {
      const { asked } = wireOf(opened);
      const call = { id: `id ${"é".repeat(500)}`, name: `n.${"o".repeat(10_000)}`, args: "{no json" };
      const messages: ModelMessage[] = [
        { role: "system", text: "be kind" },
        { role: "user", text: "what now?" },
        { role: "assistant", text: "", toolCalls: [call, { id: "b", name: "mail.list", args: {} }] },
        { role: "tool", toolCallId: call.id, text: "refused" },
        { role: "tool", toolCallId: "b", text: "" },
        { role: "assistant", text: "" },
        { role: "user", text: "go on" },
      ];
      opened.says(plainAnswer);
      await inTurn(ways, (way) => askBy(opened.adapter, way, inputOf({ messages })));
      for (const body of asked()) {
        assert.ok(body.isWellFormed() && !body.includes("o".repeat(65)) && !body.includes("é".repeat(41)));
        assert.match(body, /be kind/);
        assert.match(body, /\{no json/);
      }
    },
  },
  {
    name: "arguments that are no JSON, or say two things, come as the text that they are",
    needs: ["wire", "malformed_arguments"],
    run: async (opened) => {
      const texts = [
        '{"to":',
        "to: bank",
        '{"to":"a","to":"b"}',
        '{"to":"\\ud800"}',
        "{}{}",
        '{"n":9007199254740993}',
      ];
      await inTurn(texts, async (args) => {
        opened.says({ usage, calls: [callOf("mail_send", args)] });
        const { toolCalls } = await askBy(opened.adapter, "stream");
        assert.deepEqual(toolCalls, [{ id: "call_a", name: "mail.send", args }]);
      });
    },
  },
  {
    name: "no arguments are an empty object",
    needs: wire,
    run: async (opened) => {
      opened.says({ usage, calls: [callOf("mail_send", "")] });
      const { toolCalls } = await askBy(opened.adapter, "stream");
      assert.deepEqual(toolCalls, [{ id: "call_a", name: "mail.send", args: {} }]);
    },
  },
  {
    name: "a model's own names, keys and characters are given on, and the kernel takes or refuses them",
    needs: wire,
    run: async (opened) => {
      const before = Object.keys(Object.prototype);
      const said = [
        { calls: [callOf("n".repeat(10_000))], expected: "taken" },
        { calls: [callOf("__proto__", '{"__proto__":{"isAdmin":true},"constructor":1}')], expected: "any" },
        { calls: [callOf("constructor"), callOf("toString", "[]", "call_b")], expected: "taken" },
        { calls: [callOf("mail_send", '{"to":"\\u0000"}')], expected: "any" },
        { calls: [callOf("mail_send", '"text"')], expected: "taken" },
        { calls: [callOf("mail_send", "null")], expected: "taken" },
        { calls: [callOf("a", "{}", "same"), callOf("b", "{}", "same")], expected: "any" },
        { text: "\u0000\u001b[2J\u2028", expected: "taken" },
        { text: "", expected: "refused" },
      ];
      await inTurn(ways, (way) =>
        inTurn(said, async ({ expected, ...answer }) => {
          opened.says({ usage, ...answer });
          const read = readByKernel(await askBy(opened.adapter, way));
          if (expected !== "any") assert.equal(read, expected, JSON.stringify(answer).slice(0, 100));
        }),
      );
      assert.deepEqual(Object.keys(Object.prototype), before);
      assert.equal(({} as { isAdmin?: boolean }).isAdmin, undefined);
    },
  },
  {
    name: "arguments nested deeper than anybody reads are given on as text, or are no answer",
    needs: wire,
    run: async (opened) => {
      const args = "[".repeat(20_000) + "]".repeat(20_000);
      opened.says({ usage, calls: [callOf("mail_send", args)] });
      await inTurn(ways, async (way) => {
        const asked = askBy(opened.adapter, way);
        const answer = await asked.catch(() => undefined);
        if (answer === undefined) await unheardOf(asked);
        else assert.equal(answer.toolCalls[0]?.args, args);
      });
    },
  },
  {
    name: "more calls than anybody makes are given on in a time that grows with their number alone",
    needs: wire,
    run: async (opened) => {
      const { maxAnswerBytes } = wireOf(opened);
      const count = Math.floor(maxAnswerBytes / 800);
      const calls = Array.from({ length: count }, (_, i) => callOf("mail_send", '{"to":"a"}', `call_${i}`));
      opened.says({ usage, calls });
      await inTurn(ways, async (way) => {
        const answer = await askBy(opened.adapter, way);
        assert.equal(answer.toolCalls.length, count);
        assert.equal(readByKernel(answer), "refused");
      });
    },
  },
];
