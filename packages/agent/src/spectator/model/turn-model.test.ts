// Whatever a model is behind, and however it calls tools: it is asked in the same way, and its calls go the same way.
import type { ModelAdapter, ModelCompleteInput, ModelCompleteResult } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { agentDesk, calling, writing } from "../../../test-data/spectator/agent-desk.ts";
import { type Backend, backendOf, type ChatRequest } from "./backend.ts";

const usage = { inputTokens: 1, outputTokens: 1 };
const answer = (text: string, toolCalls: ModelCompleteResult["toolCalls"] = []): ModelCompleteResult => ({
  text,
  toolCalls,
  finish: toolCalls.length > 0 ? "tool_calls" : "stop",
  usage,
});

/** Answers with these, one after the other. */
function adapterOf(...answers: readonly ModelCompleteResult[]) {
  const asked: ModelCompleteInput[] = [];
  const adapter: ModelAdapter = {
    name: "given",
    offline: true,
    complete: async (input) => {
      asked.push(input);
      return answers[asked.length - 1] ?? answer("that is all");
    },
  };
  return { adapter, asked };
}

describe("a model that calls tools by itself", () => {
  const call = { id: "c1", name: "notes.add", args: { text: "milk" } };

  // proves LIVE-13.7
  test("is given them, its calls are made, and it is told their results as answers to its calls", async () => {
    const { adapter, asked } = adapterOf(answer("", [call]), answer("Done."));
    const { agent, done } = agentDesk({ model: adapter, toolCalling: "native", policy: writing });
    expect(await (await agent.open("s")).turn("add milk")).toMatchObject({ text: "Done." });
    expect(done).toStrictEqual(["add milk"]);
    expect(asked[0]?.tools.map(({ name }) => name)).toContain("notes.add");
    expect(asked[0]?.messages[0]?.text).not.toContain("TOOL_CALLS");
    expect(asked[1]?.messages.slice(-2)).toMatchObject([
      { role: "assistant", toolCalls: [call] },
      { role: "tool", toolCallId: "c1", text: expect.stringContaining('"ok":true') },
    ]);
  });

  test("may do so also where it is told of them in words", async () => {
    const { adapter } = adapterOf(answer("", [call]), answer("Done."));
    const { agent, done } = agentDesk({ model: adapter, policy: writing });
    expect(await (await agent.open("s")).turn("add milk")).toMatchObject({ text: "Done." });
    expect(done).toStrictEqual(["add milk"]);
  });

  test("and writes a block with the same id besides is told so: that block counts for nothing", async () => {
    const both = answer(calling("notes.look", { text: "x" }, "c1"), [call]);
    const { adapter, asked } = adapterOf(both, answer("Done."));
    const { agent, done } = agentDesk({ model: adapter, policy: writing });
    expect(await (await agent.open("s")).turn("go")).toMatchObject({ problems: [expect.any(String)] });
    expect(done).toStrictEqual(["add milk"]);
    expect(asked[1]?.messages.at(-1)?.text).toContain("an id that another of your calls has");
  });
});

describe("a backend", () => {
  // proves LIVE-7.2
  test("of one's own is asked for a whole answer, or for one as it comes, and can be cancelled", async () => {
    const requests: ChatRequest[] = [];
    const response = { content: "Hello there.", toolCalls: [], finish: "stop", usage } as const;
    const backend: Backend = {
      name: "own",
      chat: async (request) => {
        requests.push(request);
        return response;
      },
      async *stream_chat(request, cancel) {
        requests.push(request);
        for (const content of ["Hello ", "there."]) {
          cancel.throwIfAborted();
          yield { content };
        }
        yield { response };
      },
    };
    const { agent } = agentDesk({ backend });
    const session = await agent.open("s");
    const told: string[] = [];
    const turn = await session.turn("hi", {
      onEvent: (event) => event.type === "text" && told.push(event.text),
    });
    expect([turn.text, told.join("")]).toStrictEqual(["Hello there.", "Hello there."]);
    expect(requests[0]?.messages.map(({ role }) => role)).toStrictEqual(["system", "user"]);
    expect(requests[0]?.messages[0]?.content).toContain("notes.look");
  });

  /** Gives these one after the other, by either way of asking. */
  function backendOfOwn(...contents: readonly string[]) {
    const requests: ChatRequest[] = [];
    const next = (request: ChatRequest) => {
      requests.push(request);
      return { content: contents[requests.length - 1] ?? "", toolCalls: [], finish: "stop", usage } as const;
    };
    const backend: Backend = {
      name: "own",
      chat: async (request) => next(request),
      async *stream_chat(request) {
        yield { response: next(request) };
      },
    };
    return { backend, requests };
  }

  // proves LIVE-3.14, LIVE-3.16
  test("is told the results of its calls as messages of the role tool, in JSON", async () => {
    const { backend, requests } = backendOfOwn(calling("notes.look", { text: "rain" }), "Seen.");
    const { agent } = agentDesk({ backend });
    expect(await (await agent.open("s")).turn("look")).toMatchObject({ text: "Seen." });
    const last = requests[1]?.messages.at(-1);
    expect(last).toMatchObject({ role: "tool" });
    expect(JSON.parse(last?.content ?? "")).toStrictEqual({
      id: "t1",
      tool: "notes.look",
      ok: true,
      output: { text: "rain" },
      error: null,
    });
  });

  // proves LIVE-7.1
  test("is asked by chat where nothing is to come in pieces: for a summary", async () => {
    const { backend, requests } = backendOfOwn("One.", "Two.", "Three.", "They counted.");
    const asked: string[] = [];
    const chat: Backend["chat"] = (request, cancel) => {
      asked.push(request.messages.at(-1)?.content ?? "");
      return backend.chat(request, cancel);
    };
    const { agent } = agentDesk({
      backend: { ...backend, chat },
      limits: { recentMessages: 4 },
      autoCondense: "smart",
    });
    const session = await agent.open("s");
    for (const text of ["one", "two", "three"]) await session.turn(text);
    expect((await session.checkpoint()).state.episodeSummary).toBe("They counted.");
    expect([asked.length, requests.length]).toStrictEqual([1, 4]);
  });

  // proves LIVE-7.3
  test("that is cancelled in the middle of an answer is told so, and the turn is over", async () => {
    const cancelling = new AbortController();
    let isStopped = false;
    const backend: Backend = {
      name: "endless",
      chat: () => Promise.reject(new Error("it is asked for pieces")),
      async *stream_chat(_, cancel) {
        yield { content: "Once upon " };
        cancelling.abort();
        await new Promise<void>((resolve) => {
          if (cancel.aborted) resolve();
          cancel.addEventListener("abort", () => resolve(), { once: true });
        });
        isStopped = true;
        cancel.throwIfAborted();
      },
    };
    const { agent } = agentDesk({ backend });
    const turn = await (await agent.open("s")).turn("tell me", { signal: cancelling.signal });
    expect(turn.status).toBe("cancelled");
    expect(isStopped).toBe(true);
  });

  // proves LIVE-7.1, LIVE-7.2, LIVE-7.7
  test("made of an adapter gives what that gives, whole and in pieces", async () => {
    const { adapter, asked } = adapterOf(answer("One."), answer("Two."));
    const backend = backendOf(adapter);
    const request = { messages: [{ role: "user", content: "hi" }], tools: [], maxTokens: 5 } as const;
    expect(await backend.chat(request)).toMatchObject({ content: "One.", usage });
    const deltas = [];
    for await (const delta of backend.stream_chat(request, new AbortController().signal)) deltas.push(delta);
    expect(deltas).toMatchObject([{ content: "Two." }, { response: { content: "Two." } }]);
    expect(asked[0]).toMatchObject({ messages: [{ role: "user", text: "hi" }], maxTokens: 5 });
  });

  // proves LIVE-3.24
  test("is told in words of a result whose call its provider has not seen", async () => {
    const { adapter, asked } = adapterOf(answer("One."));
    await backendOf(adapter).chat({
      messages: [{ role: "tool", content: "{}", toolCallId: "old" }],
      tools: [],
    });
    expect(asked[0]?.messages).toStrictEqual([{ role: "user", text: "Result of a tool, as data:\n{}" }]);
  });

  test("and a model are not given both, nor neither", () => {
    const { adapter } = adapterOf();
    const given = { principal: { accountId: "a", keyId: "k", scopes: ["read"], kind: "local" } } as const;
    expect(() => agentDesk({ model: undefined })).toThrow(/asks one model/);
    expect(() => agentDesk({ ...given, model: adapter, toolCalling: "text", polcy: {} } as never)).toThrow(
      /unknown option polcy; did you mean policy/,
    );
  });
});
