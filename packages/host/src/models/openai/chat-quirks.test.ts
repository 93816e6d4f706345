// What users of servers that speak this language complain about, each as the server says it.
import { gzipSync } from "node:zlib";
import type { ModelEvent, ModelMessage } from "@spfunctions/kernel";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { chatFormat } from "../../../test/chat-format.ts";
import { ModelProvider } from "../../../test/model-provider.ts";
import { openaiCompatible, type OpenaiCompatibleOptions } from "./openai-compatible.ts";

const provider = { now: new ModelProvider(chatFormat), baseUrl: "" };

beforeEach(async () => {
  provider.now = new ModelProvider(chatFormat);
  provider.baseUrl = await provider.now.listen();
});
afterEach(() => provider.now.close());

const signal = new AbortController().signal;
const messages: readonly ModelMessage[] = [{ role: "user", text: "what now?" }];
const input = { messages, tools: [], signal };
const usage = { prompt_tokens: 3, completion_tokens: 4 };
const spent = { inputTokens: 3, outputTokens: 4 };

const model = (options: Partial<OpenaiCompatibleOptions> = {}) =>
  openaiCompatible({ model: "m", baseUrl: provider.baseUrl, ...options });

function streams(...chunks: readonly unknown[]): void {
  const lines = [...chunks.map((chunk) => JSON.stringify(chunk)), "[DONE]"];
  const text = lines.map((line) => `data: ${line}\n\n`).join("");
  provider.now.reply({ pieces: [new TextEncoder().encode(text)] });
}

function answers(body: unknown): void {
  provider.now.reply({ pieces: [new TextEncoder().encode(JSON.stringify(body))] });
}

const delta = (given: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: given, finish_reason }],
});
const piece = (given: object) => delta({ tool_calls: [given] });
const end = { ...delta({}, "tool_calls"), usage };

async function eventsOf(adapter = model()): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of adapter.stream?.(input) ?? []) events.push(event);
  return events;
}

async function resultOf(adapter = model()) {
  const done = (await eventsOf(adapter)).at(-1);
  return done?.type === "done" ? done.result : undefined;
}

async function callsOf() {
  const done = (await eventsOf()).at(-1);
  return done?.type === "done" ? done.result.toolCalls : [];
}

describe("the calls of a stream", () => {
  const two = [
    { id: "a", name: "one", args: { n: 1 } },
    { id: "b", name: "two", args: { n: 2 } },
  ];
  const whole = (id: string, name: string, args: string) => ({ id, function: { name, arguments: args } });

  test("all of index 0 are told apart by their ids (Ollama)", async () => {
    streams(
      piece({ index: 0, ...whole("a", "one", '{"n":1}') }),
      piece({ index: 0, ...whole("b", "two", '{"n":2}') }),
      end,
    );
    expect(await callsOf()).toStrictEqual(two);
  });

  test("without an index are told apart by their ids, and go on where the last began", async () => {
    streams(
      delta({ tool_calls: [whole("a", "one", '{"n"')] }),
      piece({ function: { arguments: ":1}" } }),
      piece(whole("b", "two", '{"n":')),
      piece({ id: "b", function: { arguments: "2}" } }),
      end,
    );
    expect(await callsOf()).toStrictEqual(two);
  });

  test("without index and id have ids of their own, which no other answer has", async () => {
    streams(
      piece({ function: { name: "one", arguments: '{"n":1}' } }),
      piece({ function: { name: "one", arguments: '{"n":2}' } }),
      end,
    );
    expect(await callsOf()).toStrictEqual([
      { id: "call_1_1", name: "one", args: { n: 1 } },
      { id: "call_1_2", name: "one", args: { n: 2 } },
    ]);
  });

  test("that come out of order and in turns are put in theirs", async () => {
    streams(
      piece({ index: 1, ...whole("b", "two", '{"n"') }),
      piece({ index: 0, ...whole("a", "one", '{"n"') }),
      piece({ index: 1, function: { arguments: ":2}" } }),
      piece({ index: 0, function: { arguments: ":1}" } }),
      end,
    );
    expect(await callsOf()).toStrictEqual(two);
  });

  test("with id and name null, empty or repeated in every piece stay what they are (vLLM, SGLang)", async () => {
    streams(
      piece({ index: 0, id: "a", type: "function", function: { name: "one" } }),
      piece({ index: 0, id: null, function: { name: null, arguments: '{"n"' } }),
      piece({ index: 0, id: "", function: { name: "", arguments: ":" } }),
      piece({ index: 0, id: "a", function: { name: "one", arguments: "1}" } }),
      piece({ index: 1, ...whole("b", "two", '{"n":2}') }),
      end,
    );
    expect(await callsOf()).toStrictEqual(two);
  });

  test("whose arguments are an object, and not a text, are read", async () => {
    streams(piece({ index: 0, id: "a", function: { name: "one", arguments: { n: 1 } } }), end);
    expect(await callsOf()).toStrictEqual(two.slice(0, 1));
  });

  test("make an answer that asks for calls, also where it says that it stops (Ollama, llama.cpp)", async () => {
    streams(piece({ index: 0, ...whole("a", "one", '{"n":1}') }), { ...delta({}, "stop"), usage });
    expect((await eventsOf()).at(-1)).toStrictEqual({
      type: "done",
      result: { toolCalls: two.slice(0, 1), finish: "tool_calls", usage: spent },
    });
  });

  test("of one id are told apart, in a stream by their index and in a whole answer by their place", async () => {
    const apart = [
      { id: "a", name: "one", args: { n: 1 } },
      { id: "call_1_2", name: "two", args: { n: 2 } },
    ];
    streams(
      piece({ index: 0, ...whole("a", "one", '{"n":1}') }),
      piece({ index: 1, ...whole("a", "two", '{"n"') }),
      piece({ index: 1, id: "a", function: { arguments: ":2}" } }),
      end,
    );
    expect(await callsOf()).toStrictEqual(apart);
    const calls = [whole("a", "one", '{"n":1}'), whole("a", "two", '{"n":2}')];
    answers({ choices: [{ message: { content: null, tool_calls: calls }, finish_reason: "stop" }], usage });
    expect((await model().complete(input)).toolCalls).toStrictEqual(apart);
  });

  test("are also what an old server calls its function_call, in pieces and whole", async () => {
    const expected = [{ id: "call_1_1", name: "one", args: { n: 1 } }];
    streams(
      delta({ content: null, function_call: { name: "one", arguments: "" } }),
      delta({ function_call: { arguments: '{"n"' } }),
      delta({ function_call: { arguments: ":1}" } }),
      { ...delta({}, "function_call"), usage },
    );
    expect(await callsOf()).toStrictEqual(expected);
    const message = { content: "I call.", function_call: { name: "one", arguments: '{"n":1}' } };
    answers({ choices: [{ message, finish_reason: "function_call" }], usage });
    expect(await model().complete(input)).toMatchObject({ toolCalls: expected, finish: "tool_calls" });
  });

  test("that have neither a name nor arguments are none", async () => {
    const text = { text: "hi", toolCalls: [], finish: "stop", usage: spent };
    const empty = { name: "", arguments: "" };
    for (const said of [
      { function_call: empty },
      { function_call: {} },
      { tool_calls: [{ id: "a", type: "function", function: empty }] },
      { function_call: empty, tool_calls: [] },
    ]) {
      answers({ choices: [{ message: { content: "hi", ...said }, finish_reason: "stop" }], usage });
      expect(await model().complete(input)).toStrictEqual(text);
      streams(delta({ content: "hi" }), delta(said), { ...delta(said, "stop"), usage });
      expect((await eventsOf()).at(-1)).toStrictEqual({ type: "done", result: text });
    }
    streams(
      delta({ function_call: empty }),
      delta({ function_call: { name: "one", arguments: "" } }),
      delta({ function_call: { name: "", arguments: '{"n":1}' } }),
      { ...delta({ function_call: empty }, "function_call"), usage },
    );
    expect(await callsOf()).toStrictEqual([{ id: "call_1_1", name: "one", args: { n: 1 } }]);
  });

  test("that are an empty list are none (vLLM)", async () => {
    answers({
      choices: [{ message: { content: "hi", tool_calls: [] }, finish_reason: "tool_calls" }],
      usage,
    });
    expect(await model().complete(input)).toStrictEqual({
      text: "hi",
      toolCalls: [],
      finish: "stop",
      usage: spent,
    });
  });
});

describe("the end of an answer", () => {
  test("is not an empty finish_reason on the way (SGLang, Ollama)", async () => {
    streams(delta({ content: "a" }, ""), delta({ content: "b" }, ""), { ...delta({}, "stop"), usage });
    expect((await eventsOf()).at(-1)).toMatchObject({ result: { text: "ab", finish: "stop" } });
  });

  test("that never says why is none, also with its end mark", async () => {
    streams(delta({ content: "a" }), { choices: [], usage });
    await expect(eventsOf()).rejects.toThrow(/without a finish_reason/);
    streams(delta({ content: "a" }, ""), { choices: [], usage });
    await expect(eventsOf()).rejects.toThrow(/without a finish_reason/);
    answers({ choices: [{ message: {} }], usage });
    await expect(model().complete(input)).rejects.toThrow(/without a finish_reason/);
  });

  test.each([{}, { finish_reason: "" }, { finish_reason: null }])(
    "need not be said where the whole answer came at once: %j",
    async (said) => {
      answers({ choices: [{ message: { content: "a" }, ...said }], usage });
      expect(await model().complete(input)).toStrictEqual({
        text: "a",
        toolCalls: [],
        finish: "stop",
        usage: spent,
      });
      const calls = [{ id: "a", type: "function", function: { name: "one", arguments: '{"n":1}' } }];
      answers({ choices: [{ message: { content: null, tool_calls: calls }, ...said }], usage });
      expect(await model().complete(input)).toMatchObject({
        toolCalls: [{ id: "a", name: "one", args: { n: 1 } }],
        finish: "tool_calls",
      });
    },
  );

  test("may lack its end mark where it has said why it ended, and then what it cost", async () => {
    const said = (...chunks: readonly unknown[]) => {
      const text = chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join("");
      provider.now.reply({ pieces: [new TextEncoder().encode(text)] });
    };
    const cost = { choices: [], usage };
    const text = delta({ content: "a" });
    said(text, delta({}, "stop"), cost);
    expect(await resultOf()).toStrictEqual({ text: "a", toolCalls: [], finish: "stop", usage: spent });
    for (const chunks of [
      [text, delta({}, "stop")],
      [text, cost],
      [text, cost, delta({}, "stop")],
    ]) {
      said(...chunks);
      await expect(eventsOf()).rejects.toMatchObject({
        name: "UnheardError",
        message: expect.stringContaining("ended before its end mark, [DONE]") as string,
      });
    }
  });

  test.each(["content_filter", "error", "insufficient_system_resource"])(
    "for %s is a failure",
    async (reason) => {
      answers({ choices: [{ message: { content: "a" }, finish_reason: reason }], usage });
      expect(await model().complete(input)).toMatchObject({ finish: "error", usage: spent });
    },
  );
});

describe("usage", () => {
  const unsaid = { choices: [{ message: { content: "a" }, finish_reason: "stop" }] };

  test.each([undefined, null, {}, { prompt_tokens: -1, completion_tokens: 1 }, { prompt_tokens: 1.5 }])(
    "that is %j is not invented",
    async (given) => {
      answers({ ...unsaid, usage: given });
      const failure = {
        code: "provider_failed",
        retry: "never",
        details: { reason: "unknown_usage" },
        message: expect.stringMatching(/did not say how many tokens .*countUsage.*SF_MODEL_USAGE=estimate/),
      };
      await expect(model().complete(input)).rejects.toMatchObject(failure);
      streams({ ...delta({ content: "a" }, "stop"), usage: given });
      await expect(eventsOf()).rejects.toMatchObject(failure);
    },
  );

  test.each([
    [{ prompt_tokens: 3, completion_tokens: 4, total_tokens: 67 }, 64],
    [{ prompt_tokens: 3, total_tokens: 3 }, 0],
    [{ prompt_tokens: 3, completion_tokens: 4, total_tokens: 0 }, 4],
  ])("%j has what was thought in its total alone, or not at all (Gemini, xAI)", async (given, output) => {
    answers({ ...unsaid, usage: given });
    expect((await model().complete(input)).usage).toStrictEqual({ inputTokens: 3, outputTokens: output });
  });

  test("that comes with every chunk is what the last one says (Groq, vLLM)", async () => {
    const counted = (completion_tokens: number) => ({ usage: { prompt_tokens: 3, completion_tokens } });
    streams({ ...delta({ content: "a" }), ...counted(1) }, { ...delta({}, "stop"), ...counted(2) });
    expect(await resultOf()).toMatchObject({ usage: { inputTokens: 3, outputTokens: 2 } });
  });

  test.each([
    ["https://api.mistral.ai/v1", undefined],
    ["https://models.test/v1", { include_usage: true }],
  ])("is asked for in a stream, unless that is refused (Mistral): %s", async (baseUrl, expected) => {
    const bodies: unknown[] = [];
    const adapter = model({
      baseUrl,
      fetch: async (_url, { body }) => {
        bodies.push(JSON.parse(body as string));
        return Response.json({ ...unsaid, usage });
      },
    });
    expect(await resultOf(adapter)).toMatchObject({ text: "a" });
    expect(bodies).toMatchObject([{ stream: true }]);
    expect((bodies[0] as { stream_options?: object }).stream_options).toStrictEqual(expected);
  });

  test("is counted by whoever says how", async () => {
    answers(unsaid);
    const counted = await model({ countUsage: () => ({ inputTokens: 8, outputTokens: 9 }) }).complete(input);
    expect(counted.usage).toStrictEqual({ inputTokens: 8, outputTokens: 9 });
  });
});

describe("an error inside an answer of status 200 (OpenRouter)", () => {
  const error = { code: 429, message: "slow down", metadata: { raw: "upstream is full" } };

  test("is a refusal where nothing was said", async () => {
    const expected = {
      code: "provider_failed",
      retry: "after_wait",
      details: { status: 429 },
      message: expect.stringContaining("slow down: upstream is full"),
    };
    answers({ error });
    await expect(model().complete(input)).rejects.toMatchObject(expected);
    streams({ choices: [], error });
    await expect(eventsOf()).rejects.toMatchObject(expected);
  });

  test("without a status is one that may pass, and has none (LM Studio)", async () => {
    const words = "Unexpected endpoint or method. (POST /chat/completions)";
    answers({ error: words });
    const expected = {
      retry: "after_wait",
      details: { reason: "refused" },
      message: `openai:m refused (${words}); ask again later`,
    };
    await expect(model().complete(input)).rejects.toMatchObject(expected);
    await expect(eventsOf()).rejects.toMatchObject(expected);
  });

  test.each([
    { content: "so far" },
    { reasoning: "hm" },
    { reasoning_content: "hm" },
    { tool_calls: [{ id: "a" }] },
  ])("has broken off %j before it, and what that has cost nobody knows", async (before) => {
    streams(delta(before), { ...delta({}, "error"), error });
    const failure = await eventsOf().catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({ name: "UnheardError", message: expect.stringContaining("slow down") });
  });
});

describe("an answer that does not come as it was asked for", () => {
  const said = { text: "hi", toolCalls: [], finish: "stop", usage: spent };
  const types = ["application/json", "text/event-stream", "text/plain", "text/html", ""];

  test.each(types)("is taken, whether whole or in a stream; called %j", async (type) => {
    const headers = { "content-type": type };
    const body = { choices: [{ message: { content: "hi" }, finish_reason: "stop" }], usage };
    provider.now.reply({ headers, pieces: [new TextEncoder().encode(JSON.stringify(body, null, 2))] });
    expect(await eventsOf()).toStrictEqual([
      { type: "text.delta", text: "hi" },
      { type: "usage", usage: spent },
      { type: "done", result: said },
    ]);
    const chunks = [delta({ content: "hi" }), { ...delta({}, "stop"), usage }];
    const text = `${chunks.map((chunk) => `data:${JSON.stringify(chunk)}\n\n`).join("")}data:[DONE]\n\n`;
    provider.now.reply({ headers, pieces: [new TextEncoder().encode(text)] });
    expect(await model().complete(input)).toStrictEqual(said);
    expect(await resultOf()).toStrictEqual(said);
  });

  test.each([
    [
      "text/html; charset=utf-8",
      "<!doctype html><title>Welcome</title>",
      "neither JSON nor an event stream (text/html)",
    ],
    ["text/plain", "ok", "neither JSON nor an event stream (text/plain)"],
    ["", "ok", "neither JSON nor an event stream (no content type)"],
    ["application/json", '{"message":"Welcome"}', "JSON that has no choices"],
    ["application/json", "[]", "JSON that has no choices"],
  ])("is none where it is %s: %s", async (type, text, what) => {
    provider.now.reply({ headers: { "content-type": type }, pieces: [new TextEncoder().encode(text)] });
    const failure = {
      code: "provider_failed",
      retry: "never",
      details: { reason: "no_answer" },
      message: `openai:m answered with ${what}; is ${provider.baseUrl} the address before /chat/completions?`,
    };
    await expect(model().complete(input)).rejects.toMatchObject(failure);
    await expect(eventsOf()).rejects.toMatchObject(failure);
  });

  test("is unpacked where it is packed", async () => {
    const body = JSON.stringify({ choices: [{ message: { content: "hi" }, finish_reason: "stop" }], usage });
    const headers = { "content-encoding": "gzip" };
    provider.now.reply({ headers, pieces: [gzipSync(body)] });
    expect(await model().complete(input)).toStrictEqual(said);
    provider.now.reply({ headers, pieces: [gzipSync(body).subarray(0, 40)] });
    await expect(eventsOf()).rejects.toMatchObject({ name: "UnheardError" });
  });

  test("is none where it is not whole, and what that has cost nobody knows", async () => {
    provider.now.reply({ pieces: [new TextEncoder().encode('{"choices":[{"message":{"conte')] });
    await expect(eventsOf()).rejects.toMatchObject({ name: "UnheardError" });
    answers({ choices: [], usage: null });
    await expect(eventsOf()).rejects.toMatchObject({ name: "UnheardError" });
  });
});

test.each([
  [400, [{ error: { code: 400, message: "no such field", status: "INVALID_ARGUMENT" } }], "(no such field)"],
  [422, { message: { detail: [{ loc: ["body", "x"] }] } }, '({"detail":[{"loc":["body","x"]}]})'],
  [422, { detail: [{ msg: "Field required" }] }, '([{"msg":"Field required"}])'],
])(
  "a refusal in a list, or as data, is passed on (Gemini, Mistral, vLLM): %s %j",
  async (status, body, words) => {
    provider.now.reply({ status, pieces: [new TextEncoder().encode(JSON.stringify(body))] });
    await expect(model().complete(input)).rejects.toMatchObject({
      retry: "never",
      message: expect.stringContaining(words) as string,
    });
  },
);

test("a refusal of the model is its answer, reasoning is not, and parts of a text are one", async () => {
  const message = { content: null, refusal: "I will not", reasoning_content: "hm", reasoning: "hm" };
  answers({ choices: [{ message, finish_reason: "stop" }], usage });
  expect((await model().complete(input)).text).toBe("I will not");
  const content = [{ type: "thinking" }, { type: "text", text: "a" }, { type: "text", text: "b" }];
  answers({ choices: [{ message: { content }, finish_reason: "stop" }], usage });
  expect((await model().complete(input)).text).toBe("ab");
});

test("a credit that is used up is for a person, whatever its status", async () => {
  const body = JSON.stringify({ error: { message: "no credit", code: "insufficient_quota" } });
  provider.now.reply({ status: 429, pieces: [new TextEncoder().encode(body)] });
  await expect(model().complete(input)).rejects.toMatchObject({ retry: "after_user_action" });
});

test("halves of a character in two pieces are one character", async () => {
  streams(delta({ content: "\ud83d" }), delta({ content: "\ude00" }), { ...delta({}, "stop"), usage });
  expect((await eventsOf()).at(-1)).toMatchObject({ result: { text: "😀" } });
});

test("what is asked is said in the server's words", async () => {
  answers({ choices: [{ message: { content: "{}" }, finish_reason: "stop" }], usage });
  const call = { id: "a", name: "mail.send", args: { to: "bank" } };
  await model({ apiKey: "k-123456789", headers: { "x-title": "tests" }, body: { temperature: 0 } }).complete({
    messages: [
      { role: "system", text: "be kind" },
      ...messages,
      { role: "assistant", text: "", toolCalls: [call] },
      { role: "tool", toolCallId: "a", text: "sent" },
    ],
    tools: [{ name: "mail.send", description: "Sends.", input: { type: "object" } }],
    output: { type: "object" },
    maxTokens: 9,
    signal,
  });
  expect(JSON.parse(provider.now.asked[0] ?? "")).toStrictEqual({
    temperature: 0,
    model: "m",
    messages: [
      { role: "system", content: "be kind" },
      { role: "user", content: "what now?" },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "a", type: "function", function: { name: "mail_send", arguments: '{"to":"bank"}' } },
        ],
      },
      { role: "tool", tool_call_id: "a", content: "sent" },
    ],
    tools: [
      {
        type: "function",
        function: { name: "mail_send", description: "Sends.", parameters: { type: "object" } },
      },
    ],
    response_format: { type: "json_schema", json_schema: { name: "answer", schema: { type: "object" } } },
    max_tokens: 9,
  });
  expect(provider.now.heads[0]).toMatchObject({ authorization: "Bearer k-123456789", "x-title": "tests" });
});

test("a title among the headers, and a key that is a word, may be in an answer", async () => {
  const text = "ollama runs The Great Title";
  answers({ choices: [{ message: { content: text }, finish_reason: "stop" }], usage });
  const given = { apiKey: "ollama", headers: { "x-title": "The Great Title" } };
  expect((await model(given).complete(input)).text).toBe(text);
});

test.each<Record<string, string>>([
  { "api-key": "another-key-of-the-tests" },
  { authorization: "Bearer another-key-of-the-tests" },
])("a header that proves something is hidden like a key", async (headers) => {
  answers({ error: { message: "another-key-of-the-tests is wrong", code: 401 } });
  const failure = await model({ headers })
    .complete(input)
    .catch((thrown: unknown) => thrown);
  expect(failure).toMatchObject({ retry: "after_user_action" });
  expect(String(failure)).not.toContain("another-key");
});

describe("an adapter is not made", () => {
  test("to send a key over plain http to another machine, unless somebody says so", () => {
    const at = { baseUrl: "http://models.test/v1", apiKey: "k-123456789" };
    expect(() => model(at)).toThrow(/not sent over plain http/);
    expect(() => model({ ...at, apiKey: undefined, headers: { "api-key": "k-123456789" } })).toThrow(
      /plain http/,
    );
    expect(model({ ...at, insecure: true }).name).toBe("openai:m");
    expect(model({ ...at, apiKey: undefined }).name).toBe("openai:m");
  });

  test.each(["nowhere", "file:///etc", "https://a:b@models.test", "https://models.test?key=1"])(
    "with the address %s, which no message repeats",
    (baseUrl) => {
      const made = () => model({ baseUrl });
      expect(made).toThrow(/the model's baseUrl/);
      expect(made).not.toThrow(new RegExp(baseUrl.replaceAll(/[?.]/g, "\\$&")));
    },
  );

  test.each(["", " k", "k\n", "k\u00e9"])("with the key %j, which no message repeats", (apiKey) => {
    expect(() => model({ apiKey })).toThrow("the model's key is empty, has spaces around it");
  });
});

test("a provider that is not there was not asked, so that nothing was spent", async () => {
  await provider.now.close();
  await expect(model().complete(input)).rejects.toMatchObject({
    code: "provider_failed",
    retry: "after_wait",
    details: { reason: "unreached" },
  });
  provider.now = new ModelProvider(chatFormat);
  await provider.now.listen();
});

test("nor was one at a port that fetch never uses", async () => {
  await expect(model({ baseUrl: "http://127.0.0.1:1/v1" }).complete(input)).rejects.toMatchObject({
    message: expect.stringContaining("was not reached (bad port)") as string,
    details: { reason: "unreached" },
  });
});
