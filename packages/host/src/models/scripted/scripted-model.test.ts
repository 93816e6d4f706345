import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type GivenAnswer, modelConformance } from "@spfunctions/kernel/conformance";
import { afterAll, describe, expect, test } from "vitest";
import { readScript } from "./read-script.ts";
import { scriptedModel } from "./scripted-model.ts";

describe("a scripted model keeps what every model promises", () => {
  async function open() {
    let said: GivenAnswer = {};
    const adapter = scriptedModel(() => {
      const { calls, ...rest } = said;
      const toolCalls = calls?.map(({ id, name, args }) => ({
        id,
        name: name.replace("_", "."),
        args: JSON.parse(args),
      }));
      return { ...rest, toolCalls };
    });
    return { adapter, says: (answer: GivenAnswer) => void (said = answer), dispose: async () => {} };
  }

  test.each(modelConformance(open, { wire: "it reaches for nothing" }))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

const { signal } = new AbortController();
const after = (answers: number) => ({
  messages: Array.from({ length: answers }, () => ({ role: "assistant" as const, text: "before" })),
  tools: [],
  signal,
});

describe("a script", () => {
  const steps = [
    { toolCalls: [{ name: "mail.list" }] },
    { text: "done", usage: { inputTokens: 1, outputTokens: 2 } },
  ];
  const nothing = { inputTokens: 0, outputTokens: 0 };

  test("says what follows from the answers it sees, in any process and as often as it is asked", async () => {
    const list = {
      toolCalls: [{ id: "call_1_1", name: "mail.list", args: {} }],
      finish: "tool_calls",
      usage: nothing,
    };
    for (const model of [scriptedModel(steps), scriptedModel(steps)]) {
      const said = await Promise.all([1, 0, 0].map((answers) => model.complete(after(answers))));
      expect(said).toStrictEqual([
        { text: "done", toolCalls: [], finish: "stop", usage: steps[1]?.usage },
        list,
        list,
      ]);
    }
    expect(scriptedModel(steps)).toMatchObject({ name: "scripted", offline: true });
  });

  test("that has ended says so, and asking again does not help", async () => {
    await expect(scriptedModel(steps).complete(after(2))).rejects.toMatchObject({
      code: "provider_failed",
      retry: "never",
      details: { reason: "script_ended" },
    });
  });

  test("gives its text in the pieces it names, or word by word", async () => {
    const pieces = async (step: object) => {
      const texts: string[] = [];
      for await (const event of scriptedModel([step]).stream?.(after(0)) ?? [])
        if (event.type === "text.delta") texts.push(event.text);
      return texts;
    };
    expect(await pieces({ deltas: ["a b", "c"] })).toStrictEqual(["a b", "c"]);
    expect(await pieces({ text: "two  words\n" })).toStrictEqual(["two  ", "words\n"]);
  });

  test("fails as it says: as a refusal with a status, as unheard without one, and as often as it says", async () => {
    const error = { message: "busy", status: 529, retryAfterMs: 5 };
    const model = scriptedModel([
      { text: "at last", error: { ...error, times: 2 } },
      { error: { message: "gone" } },
    ]);
    const refused = {
      code: "provider_failed",
      retry: "after_wait",
      details: { status: 529, retryAfterMs: 5 },
    };
    await expect(model.complete(after(0))).rejects.toMatchObject(refused);
    await expect(model.complete(after(0))).rejects.toMatchObject(refused);
    expect((await model.complete(after(0))).text).toBe("at last");
    await expect(model.complete(after(1))).rejects.toMatchObject({ name: "UnheardError", message: "gone" });
    await expect(model.complete(after(1))).rejects.toMatchObject({ name: "UnheardError" });
  });

  test("that is a function is told how far it is, and what it gives is checked as well", async () => {
    const model = scriptedModel(({ messages }, step) => ({ text: `${messages.length} ${step}` }));
    expect((await model.complete(after(3))).text).toBe("3 3");
    const wrong = scriptedModel(() => ({ txt: "" }) as never);
    await expect(wrong.complete(after(0))).rejects.toThrow(
      "at step 1: it has the unknown member txt; did you mean text?",
    );
  });
});

describe("a file of steps", () => {
  const folder = mkdtempSync(join(tmpdir(), "sf-script-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string | Uint8Array) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  test("is a list, or has one step on each line", async () => {
    const list = file("a.json", '[{"text":"one"},{"text":"two"}]');
    const lines = file("a.jsonl", '{"text":"one"}\r\n\n{"text":"two"}\n');
    expect(readScript(lines)).toStrictEqual(readScript(list));
    expect((await scriptedModel(lines).complete(after(1))).text).toBe("two");
  });

  test.each([
    ["b.jsonl", '{"text":"one"}\n{"text":2}', /b\.jsonl:2\/text: expected a text/],
    ["c.jsonl", '{"text":"one"}\n\n{"text"', /c\.jsonl:3: invalid JSON at line 1, column 8/],
    ["d.json", '[{"text":"a","text":"b"}]', /d\.json: .*the same key twice/],
    ["e.json", '{"text":"one"}', /e\.json is no list of steps/],
    ["f.json", '[{"toolCalls":[{"nam":"x"}]}]', /f\.json#\/0\/toolCalls\/0\/name: expected to be there/],
    ["g.json", '[{"toolCalls":[{"name":"x","args":[]}]}]', /toolCalls\/0\/args: expected an object/],
    [
      "h.json",
      '[{"usage":{"inputTokens":-1,"outputTokens":0}}]',
      /usage\/inputTokens: expected a whole number/,
    ],
    ["i.json", '[{"finish":"done"}]', /#\/0\/finish: expected stop, tool_calls, length or error/],
    ["j.json", '[{"text":"ab","deltas":["a"]}]', /#\/0\/deltas: expected the pieces/],
    ["k.json", '[{"error":{"message":"m","status":200}}]', /error\/status: expected a status of 400 to 599/],
    ["l.json", '[{"__proto__":{}}]', /unknown member __proto__; known are text, deltas, /],
    [
      "o.json",
      '[{"tool_calls":[]}]',
      /#\/0: it has the unknown member tool_calls; did you mean toolCalls\?$/,
    ],
    ["m.json", "[]", /m\.json has no step/],
    ["n.json", Uint8Array.of(0xff), /n\.json cannot be read as text/],
  ])("%s is refused with its place", (name, text, message) => {
    expect(() => readScript(file(name, text))).toThrow(message);
  });

  test("that is not there is named", () => {
    expect(() => scriptedModel(join(folder, "nothing.json"))).toThrow(/nothing\.json is not there/);
  });
});
