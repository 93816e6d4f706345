import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from "@ai-sdk/provider";
import type { ModelEvent } from "@spfunctions/kernel";
import { modelConformance } from "@spfunctions/kernel/conformance";
import { describe, expect, test } from "vitest";
import { chatFormat } from "../../../test/chat-format.ts";
import { loadAiSdk } from "../../../test/load-ai-sdk.ts";
import { openModel } from "../../../test/model-provider.ts";
import { fromAiSdk } from "./from-ai-sdk.ts";

const { createOpenAICompatible } = await loadAiSdk();

const open = () =>
  openModel(chatFormat, ({ baseUrl, apiKey }) => {
    const provider = createOpenAICompatible({ name: "p", baseURL: baseUrl, apiKey, includeUsage: true });
    return fromAiSdk(provider("m"), { apiKey });
  });

const leftOut = {
  end_mark: "the AI SDK takes a stream that says why it ended, and what it cost, for whole; the test below",
  utf8: "the AI SDK decodes",
  duplicate_keys: "the AI SDK reads the JSON",
  bounds: "the AI SDK reads the body",
  silence: "the AI SDK waits; whoever asks has the signal",
  redirects: "the AI SDK sends, with the fetch it was given",
};

describe("a model of the AI SDK keeps what every model promises", () => {
  test.each(modelConformance(open, leftOut))("$name", async ({ run }) => {
    await expect(run()).resolves.toBeUndefined();
  });
});

const signal = new AbortController().signal;
const input = { messages: [{ role: "user", text: "what now?" }], tools: [], signal } as const;

test("a stream that ends too early, at any byte, is the whole answer or a failure", async () => {
  const { adapter, wire, dispose } = await open();
  const answer = { text: "one and two", usage: { inputTokens: 2, outputTokens: 3 } };
  const { bytes } = chatFormat(answer, "stream");
  for (let at = 0; at < bytes.length; at += 3) {
    wire?.reply({ pieces: [bytes.subarray(0, at)] });
    const last = await lastOf(adapter.stream?.(input)).catch(() => undefined);
    if (last === undefined) continue;
    const result = { ...answer, toolCalls: [], finish: "stop" };
    expect(last).toStrictEqual({ type: "done", result });
  }
  await dispose();
});

async function lastOf(events: AsyncIterable<ModelEvent> | undefined): Promise<ModelEvent | undefined> {
  let last: ModelEvent | undefined;
  for await (const event of events ?? []) last = event;
  return last;
}

const content = [
  { type: "reasoning" as const, text: "hm" },
  { type: "text" as const, text: "look:" },
  { type: "tool-call" as const, toolCallId: "a", toolName: "mail_list", input: '{"n":1}' },
];
const place = { provider: "p", modelId: "m", supportedUrls: {} };
const usage = {
  inputTokens: { total: 5, noCache: 2, cacheRead: 3, cacheWrite: undefined },
  outputTokens: { total: 7, text: 7, reasoning: undefined },
};
const unified = { unified: "tool-calls", raw: "tool_calls" } as const;
const doStream = () => Promise.reject(new Error("not asked"));

const models = [
  {
    ...place,
    specificationVersion: "v2",
    doStream,
    doGenerate: async () => ({
      content,
      warnings: [],
      finishReason: "tool-calls",
      usage: { inputTokens: 5, outputTokens: 7, totalTokens: 12 },
    }),
  } satisfies LanguageModelV2,
  {
    ...place,
    specificationVersion: "v3",
    doStream,
    doGenerate: async () => ({ content, warnings: [], finishReason: unified, usage }),
  } satisfies LanguageModelV3,
  {
    ...place,
    specificationVersion: "v4",
    doStream,
    doGenerate: async () => ({ content, warnings: [], finishReason: unified, usage }),
  } satisfies LanguageModelV4,
];

test.each(models)("a model of specification $specificationVersion is read", async (model) => {
  const tools = [{ name: "mail.list", description: "", input: { type: "object" } }];
  expect(await fromAiSdk(model).complete({ ...input, tools })).toStrictEqual({
    text: "look:",
    toolCalls: [{ id: "a", name: "mail.list", args: { n: 1 } }],
    finish: "tool_calls",
    usage: { inputTokens: 5, outputTokens: 7 },
  });
});

test("what is no model of the AI SDK is refused when it is given", () => {
  const message = /no language model of the AI SDK/;
  expect(() => fromAiSdk("openai/gpt-5" as never)).toThrow(message);
  expect(() => fromAiSdk({ ...models[0], specificationVersion: "v1" } as never)).toThrow(message);
});

test("an answer without usage, or without a reason for its end, is no answer", async () => {
  const [, , model] = models;
  const answering = (answer: object) =>
    fromAiSdk({ ...place, specificationVersion: "v4", doStream, doGenerate: async () => answer });
  const whole = await model?.doGenerate();
  const none = { inputTokens: { total: undefined }, outputTokens: { total: undefined } };
  await expect(answering({ ...whole, usage: none }).complete(input)).rejects.toThrow(/how many tokens/);
  const other = { unified: "other", raw: undefined };
  await expect(answering({ ...whole, finishReason: other }).complete(input)).rejects.toThrow(
    /nobody says why/,
  );
});
