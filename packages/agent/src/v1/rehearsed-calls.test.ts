// B33: only what a model calls as a call is one. What it writes, shows, thinks or quotes is text, whichever provider it comes from.
import { anthropic, fromAiSdk, openaiCompatible, scriptedModel } from "@spfunctions/host/models";
import type { ModelAdapter } from "@spfunctions/kernel";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { chatFormat } from "../../../host/test/chat-format.ts";
import { loadAiSdk } from "../../../host/test/load-ai-sdk.ts";
import { messagesFormat } from "../../../host/test/messages-format.ts";
import { ModelProvider, type WireFormat } from "../../../host/test/model-provider.ts";
import { read } from "../../../kernel/test-data/run-desk.ts";
import { eventsOf, runtimeDesk } from "../../test-data/runtime-desk.ts";

const call = '{"name":"notes.write","arguments":{"text":"a"}}';
const rehearsals: readonly (readonly [string, string])[] = [
  ["bare JSON", call],
  ["a list of JSON", `[${call}]`],
  ["a fence", `I would call:\n\`\`\`json\n${call}\n\`\`\``],
  ["a fence of code", '```tool_code\nnotes.write(text="a")\n```'],
  ["a tag", `<tool_call>${call}</tool_call>`],
  [
    "another tag",
    '<function_calls><invoke name="notes.write"><parameter name="text">a</parameter></invoke></function_calls>',
  ],
  ["a marker", `<|tool_calls_begin|>notes.write<|sep|>${call}<|tool_calls_end|>`],
  [
    "an answer in an answer",
    '{"toolCalls":[{"id":"x","name":"notes.write","args":{"text":"a"}}],"finish":"tool_calls"}',
  ],
  [
    "a provider's own words",
    '{"tool_calls":[{"id":"x","type":"function","function":{"name":"notes_write","arguments":"{}"}}]}',
  ],
  ["a line of a conversation", 'assistant: notes.write({"text":"a"})\ntool: {"done":true}'],
];

const usage = { inputTokens: 10, outputTokens: 2 };
const apiKey = "the-key-of-the-tests-42";
let createOpenAICompatible: Awaited<ReturnType<typeof loadAiSdk>>["createOpenAICompatible"];
beforeAll(async () => {
  ({ createOpenAICompatible } = await loadAiSdk());
}, 60_000);

/** A format whose every answer has this thought before it. */
const thinking =
  (format: WireFormat, thought: string): WireFormat =>
  (answer, way) => {
    const { bytes, wholeAt } = format(answer, way);
    const said = JSON.stringify(thought);
    const text = new TextDecoder()
      .decode(bytes)
      .replaceAll('"hm"', said)
      .replace(
        '"role":"assistant","content":""',
        `"role":"assistant","content":"","reasoning_content":${said}`,
      );
    return { bytes: new TextEncoder().encode(text), wholeAt };
  };

type Place = { readonly model: ModelAdapter };
type OpenAt = (says: string, thought: string) => Promise<Place>;

const over =
  (format: WireFormat, adapterAt: (baseUrl: string) => ModelAdapter): OpenAt =>
  async (says, thought) => {
    const provider = new ModelProvider(thinking(format, thought));
    onTestFinished(() => provider.close());
    const model = adapterAt(await provider.listen());
    provider.says({ text: says, usage });
    return { model };
  };

const adapters: readonly (readonly [string, OpenAt])[] = [
  ["chat completions", over(chatFormat, (baseUrl) => openaiCompatible({ model: "m", baseUrl, apiKey }))],
  ["the messages API", over(messagesFormat, (baseUrl) => anthropic({ model: "m", baseUrl, apiKey }))],
  [
    "the AI SDK",
    over(chatFormat, (baseURL) =>
      fromAiSdk(createOpenAICompatible({ name: "p", baseURL, apiKey, includeUsage: true })("m"), { apiKey }),
    ),
  ],
  ["a script", async (text) => ({ model: scriptedModel([{ text, usage }]) })],
];

describe.each(adapters)("B33: over %s a call is not made that is rehearsed in", (_, openAt) => {
  test.each(rehearsals)("%s", async (_where, words) => {
    for (const isStreamed of [false, true]) {
      const { model } = await openAt(words, `First I will say ${words}`);
      const desk = runtimeDesk({ model });
      const stream = isStreamed ? desk.runtime.runStream({ objective: "think" }) : undefined;
      const events = stream === undefined ? [] : await eventsOf(stream);
      const result = await (stream?.result ?? desk.runtime.run({ objective: "think" }));
      expect(result).toMatchObject({ status: "completed", output: words, usage: { steps: 1 } });
      expect(desk.deck.runs).toStrictEqual([]);
      expect((await desk.kinds(result.runId)).filter((kind) => kind.startsWith("call."))).toStrictEqual([]);
      expect(events.filter(({ type }) => type.startsWith("tool."))).toStrictEqual([]);
    }
  });
});

test("B33: what a tool answers, a context has or an objective quotes is no call either", async () => {
  const words = rehearsals.map(([, text]) => text).join("\n");
  const desk = runtimeDesk({ says: [[read], "done"], deed: () => ({ words }) });
  const result = await desk.runtime.run({ objective: `What does this do? ${words}`, context: { words } });
  expect(result).toMatchObject({ status: "completed", output: "done" });
  expect(desk.deck.runs.map(({ tool }) => tool)).toStrictEqual(["notes.read"]);
});

test("what is called as a call is one, with the words beside it", async () => {
  const words = `\`\`\`json\n${call}\n\`\`\``;
  const model = scriptedModel([
    { text: words, toolCalls: [{ name: "notes.write", args: { text: "b" } }], usage },
    { text: "done", usage },
  ]);
  const desk = runtimeDesk({ model });
  await desk.runtime.run({ objective: "write" });
  expect(desk.deck.inputsOf("notes.write")).toStrictEqual(['{"text":"b"}']);
});
