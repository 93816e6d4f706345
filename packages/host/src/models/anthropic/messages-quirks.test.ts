import type { ModelCompleteInput, ModelEvent } from "@spfunctions/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { messagesFormat } from "../../../test/messages-format.ts";
import { ModelProvider } from "../../../test/model-provider.ts";
import { anthropic } from "./anthropic.ts";

const provider = { now: new ModelProvider(messagesFormat), baseUrl: "" };

beforeEach(async () => {
  provider.now = new ModelProvider(messagesFormat);
  provider.baseUrl = await provider.now.listen();
});
afterEach(() => provider.now.close());

const { signal } = new AbortController();
const input: ModelCompleteInput = { messages: [{ role: "user", text: "what now?" }], tools: [], signal };
const model = () => anthropic({ model: "m", apiKey: "k-123456789", baseUrl: provider.baseUrl });
const usage = { input_tokens: 3, output_tokens: 4 };

function answers(body: unknown): void {
  provider.now.reply({ pieces: [new TextEncoder().encode(JSON.stringify(body))] });
}

function streams(...events: readonly { readonly type: string; readonly [member: string]: unknown }[]): void {
  const text = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
  provider.now.reply({ pieces: [new TextEncoder().encode(text)] });
}

async function eventsOf(given = input): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of model().stream?.(given) ?? []) events.push(event);
  return events;
}

const asked = (): unknown => JSON.parse(provider.now.asked[0] ?? "");
const hi = { content: [{ type: "text", text: "hi" }], stop_reason: "end_turn", usage };

test("no number of a call becomes another one: what cannot be held comes as it was written", async () => {
  const content = [{ type: "tool_use", id: "a", name: "orders_pay", input: { account: 1 } }];
  const text = JSON.stringify({ content, stop_reason: "tool_use", usage });
  const large = text.replace('"account":1', '"account":9007199254740993');
  provider.now.reply({ pieces: [new TextEncoder().encode(large)] });
  const tools = [{ name: "orders.pay", description: "Pays.", input: { type: "object" } }] as const;
  const { toolCalls } = await model().complete({ ...input, tools });
  expect(toolCalls).toStrictEqual([{ id: "a", name: "orders.pay", args: { account: "9007199254740993" } }]);
});

test("results of one answer's calls stand first in one message, nobody speaks twice, no text is empty", async () => {
  answers(hi);
  const calls = [
    { id: "a", name: "mail.send", args: { to: "bank" } },
    { id: "b", name: "mail.list", args: "no object" },
  ];
  await model().complete({
    ...input,
    messages: [
      { role: "system", text: "be kind" },
      { role: "user", text: "one" },
      { role: "user", text: "two" },
      { role: "system", text: "be brief" },
      { role: "assistant", text: "", toolCalls: calls },
      { role: "tool", toolCallId: "b", text: "" },
      { role: "user", text: "by the way" },
      { role: "tool", toolCallId: "a", text: "sent" },
      { role: "assistant", text: " " },
      { role: "user", text: "go on" },
    ],
    tools: [{ name: "mail.send", description: "Sends.", input: { type: "object" } }],
    maxTokens: 9,
  });
  expect(asked()).toStrictEqual({
    model: "m",
    max_tokens: 9,
    system: "be kind\n\nbe brief",
    messages: [
      {
        role: "user",
        content: [
          { type: "text", text: "one" },
          { type: "text", text: "two" },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "tool_use", id: "a", name: "mail_send", input: { to: "bank" } },
          { type: "tool_use", id: "b", name: "mail_list", input: { arguments: "no object" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "b" },
          { type: "tool_result", tool_use_id: "a", content: "sent" },
          { type: "text", text: "by the way" },
          { type: "text", text: "go on" },
        ],
      },
    ],
    tools: [{ name: "mail_send", description: "Sends.", input_schema: { type: "object" } }],
  });
  expect(provider.now.heads[0]).toMatchObject({
    "x-api-key": "k-123456789",
    "anthropic-version": "2023-06-01",
  });
});

test("what was read from a cache or written to it counts as put in", async () => {
  const counts = { ...usage, cache_creation_input_tokens: 10, cache_read_input_tokens: 100 };
  answers({ ...hi, usage: counts });
  expect((await model().complete(input)).usage).toStrictEqual({ inputTokens: 113, outputTokens: 4 });
});

test("an answer without usage is no answer, and is not asked for again", async () => {
  answers({ ...hi, usage: { input_tokens: 3 } });
  await expect(model().complete(input)).rejects.toMatchObject({
    code: "provider_failed",
    retry: "never",
    details: { reason: "unknown_usage" },
    message: expect.stringContaining("did not say how many tokens") as string,
  });
});

test("a whole answer is taken where a stream was asked for, and a stream where a whole one was", async () => {
  const content = [...hi.content, { type: "tool_use", id: "a", name: "pay", input: { n: 1 } }];
  const result = { text: "hi", toolCalls: [{ id: "a", name: "pay", args: { n: 1 } }] };
  const expected = { ...result, finish: "tool_calls", usage: { inputTokens: 3, outputTokens: 4 } };
  answers({ content, stop_reason: "tool_use", usage });
  expect(await eventsOf()).toStrictEqual([
    { type: "text.delta", text: "hi" },
    { type: "tool_call.delta", id: "a", name: "pay", args: '{"n":1}' },
    { type: "usage", usage: { inputTokens: 3, outputTokens: 4 } },
    { type: "done", result: expected },
  ]);
  provider.now.reply({
    pieces: [messagesFormat({ text: "hi", usage: { inputTokens: 3, outputTokens: 4 } }, "stream").bytes],
  });
  expect(await model().complete(input)).toMatchObject({ text: "hi", finish: "stop" });
});

test.each([
  ["text/html", "<html>", "neither JSON nor an event stream (text/html)"],
  ["application/json", '{"choices":[]}', "JSON that has no content"],
])(
  "what is certainly no answer was not paid for, and is not asked for again: %s",
  async (type, text, what) => {
    provider.now.reply({ headers: { "content-type": type }, pieces: [new TextEncoder().encode(text)] });
    const failure = {
      code: "provider_failed",
      retry: "never",
      message: `anthropic:m answered with ${what}; is ${provider.baseUrl} the address before /v1/messages?`,
    };
    await expect(model().complete(input)).rejects.toMatchObject(failure);
    await expect(eventsOf()).rejects.toMatchObject(failure);
  },
);

test.each([
  ["stop_sequence", "stop"],
  ["max_tokens", "length"],
  ["model_context_window_exceeded", "length"],
  ["refusal", "error"],
  ["pause_turn", "error"],
  ["something_new", "error"],
])("an answer that ended for %s is one of %s", async (reason, finish) => {
  answers({ ...hi, stop_reason: reason });
  expect((await model().complete(input)).finish).toBe(finish);
});

describe("a call that the length has cut", () => {
  const use = { type: "tool_use", id: "a", name: "mail_send" };
  const expected = { finish: "length", toolCalls: [{ id: "a", name: "mail_send", args: '{"to":"b"}' }] };

  test("is no call, also where what is left of it looks whole", async () => {
    answers({ content: [{ ...use, input: { to: "b" } }], stop_reason: "max_tokens", usage });
    expect(await model().complete(input)).toMatchObject(expected);
    streams(
      { type: "message_start", message: { usage } },
      { type: "content_block_start", index: 0, content_block: use },
      { type: "content_block_delta", index: 0, delta: { partial_json: '{"to":"b"}' } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "max_tokens" }, usage: { output_tokens: 4 } },
      { type: "message_stop" },
    );
    expect((await eventsOf()).at(-1)).toMatchObject({ type: "done", result: expected });
  });
});

describe("an answer with a form", () => {
  const object = { type: "object", properties: { n: { type: "integer" } } };
  const said = (answer: unknown) => ({
    content: [
      { type: "text", text: "Here:" },
      { type: "tool_use", id: "a", name: "answer", input: answer },
    ],
    stop_reason: "tool_use",
    usage,
  });

  test("is the input of a tool that has to be called", async () => {
    answers(said({ n: 1 }));
    const result = await model().complete({ ...input, output: object });
    expect(result).toStrictEqual({
      text: '{"n":1}',
      toolCalls: [],
      finish: "stop",
      usage: { inputTokens: 3, outputTokens: 4 },
    });
    expect(asked()).toMatchObject({
      tools: [{ name: "answer", input_schema: object }],
      tool_choice: { type: "tool", name: "answer" },
    });
  });

  test("leaves the choice between it and the other tools, also one of its name", async () => {
    answers(said({ n: 1 }));
    const tools = [{ name: "answer.", description: "", input: { type: "object" } }];
    await model().complete({ ...input, tools, output: object });
    expect(asked()).toMatchObject({
      tools: [{ name: expect.stringMatching(/^answer__[0-9a-f]{12}$|^answer_$/) }, { name: "answer" }],
      tool_choice: { type: "any" },
    });
  });

  test("that is no object is wrapped for the tool, and unwrapped", async () => {
    const output = { type: "array", items: { $ref: "#/$defs/one" }, $defs: { one: { type: "integer" } } };
    answers(said({ answer: [1, 2] }));
    expect((await model().complete({ ...input, output })).text).toBe("[1,2]");
    expect(asked()).toMatchObject({
      tools: [
        {
          input_schema: {
            type: "object",
            properties: { answer: { type: "array", items: { $ref: "#/$defs/one" } } },
            required: ["answer"],
            $defs: { one: { type: "integer" } },
          },
        },
      ],
    });
  });

  test("comes piece by piece as text", async () => {
    streams(
      { type: "message_start", message: { usage } },
      {
        type: "content_block_start",
        index: 0,
        content_block: { type: "tool_use", id: "a", name: "answer" },
      },
      { type: "content_block_delta", index: 0, delta: { partial_json: '{"n"' } },
      { type: "content_block_delta", index: 0, delta: { partial_json: ":1}" } },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 4 } },
      { type: "message_stop" },
    );
    const events = await eventsOf({ ...input, output: object });
    expect(events.flatMap((event) => (event.type === "text.delta" ? event.text : []))).toStrictEqual([
      '{"n"',
      ":1}",
    ]);
    expect(events.at(-1)).toMatchObject({ result: { text: '{"n":1}', toolCalls: [], finish: "stop" } });
  });
});

test("a call whose input comes at once, and not in pieces, has that input", async () => {
  const use = { type: "tool_use", id: "a", name: "mail_send", input: { to: "b" } };
  streams(
    { type: "message_start", message: { usage } },
    { type: "content_block_start", index: 0, content_block: use },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: "tool_use" }, usage: { output_tokens: 4 } },
    { type: "message_stop" },
  );
  const events = await eventsOf();
  expect(events[1]).toStrictEqual({
    type: "tool_call.delta",
    id: "a",
    name: "mail_send",
    args: '{"to":"b"}',
  });
  expect(events.at(-1)).toMatchObject({ result: { toolCalls: [{ id: "a", args: { to: "b" } }] } });
});

describe("an error inside a stream", () => {
  const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };

  test("is a refusal where nothing was said", async () => {
    streams({ type: "message_start", message: { usage } }, error);
    await expect(eventsOf()).rejects.toMatchObject({
      code: "provider_failed",
      retry: "after_wait",
      details: { status: 529 },
    });
  });

  test("has broken off what was said before", async () => {
    const start = {
      type: "content_block_start",
      index: 0,
      content_block: { type: "text", text: "so" },
    };
    streams({ type: "message_start", message: { usage } }, start, error);
    const failure = await eventsOf().catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ name: "UnheardError", message: expect.stringContaining("Overloaded") });
  });
});

test.each([
  [
    "a part that does not end",
    [{ type: "content_block_start", index: 0, content_block: { type: "text", text: "a" } }],
  ],
  ["a piece of no part", [{ type: "content_block_delta", index: 4, delta: { text: "a" } }]],
])("a stream with %s is no answer", async (_, events) => {
  const delta = { type: "message_delta", delta: { stop_reason: "end_turn" }, usage };
  streams({ type: "message_start", message: { usage } }, ...events, delta, { type: "message_stop" });
  await expect(eventsOf()).rejects.toMatchObject({ name: "UnheardError" });
});
