import { expect, onTestFinished, test } from "vitest";
import { type Saying, saying, ScriptedModel } from "../../../../kernel/test-data/run-desk.ts";
import { bounds, office } from "../../../test-data/office.ts";
import { query, type QueryEvent, type QueryOptions } from "../index.ts";

const read = { name: "notes.read", args: { text: "a" } };
const write = { name: "notes.write", args: { text: "b" } };
const writes = {
  policy: { ...bounds, maxSideEffect: "user_write", approvals: { requireForSideEffectAtOrAbove: "secret" } },
  builtinTools: ["notes.write"],
} as const;

function asked(
  prompt: string | AsyncIterable<string>,
  says: readonly Saying[],
  options: Partial<QueryOptions> = {},
) {
  const place = office();
  const { packs, principal, store } = place;
  const model = new ScriptedModel(saying(...says));
  const conversation = query({ prompt, options: { packs, principal, store, model, ...options } });
  onTestFinished(() => conversation.close());
  return { ...place, conversation, model };
}

async function resultsOf(
  events: AsyncIterable<QueryEvent>,
  look?: (event: QueryEvent) => unknown,
): Promise<unknown[]> {
  const results: unknown[] = [];
  for await (const event of events) {
    if (event.type === "turn.completed") results.push([event.result.status, event.result.output]);
    await look?.(event);
  }
  return results;
}

async function* each<Item>(...items: Item[]): AsyncGenerator<Item> {
  for (const item of items) yield item;
}

test("a text is one turn: its events, and what it has come to", async () => {
  const { conversation } = asked("look", ["done"]);
  const types: string[] = [];
  for await (const { type } of conversation) types.push(type);
  expect([types[0], ...types.slice(-2)]).toStrictEqual([
    "runtime.started",
    "runtime.completed",
    "turn.completed",
  ]);
});

// proves RUN-1.7
test("what is said is one turn after another, each with what was said before", async () => {
  const { conversation, model } = asked(each("one", "two"), ["first", "second"]);
  expect(await resultsOf(conversation)).toStrictEqual([
    ["completed", "first"],
    ["completed", "second"],
  ]);
  expect(model.asked[1]?.messages.map(({ text }) => text)).toStrictEqual(["one", "first", "two"]);
});

test("more can be said while it goes on", async () => {
  const { conversation } = asked("one", ["first", "second"]);
  const said = conversation.streamInput(each("two"));
  expect(await resultsOf(conversation)).toHaveLength(2);
  await said;
});

test("another model answers from the next turn on", async () => {
  const { conversation, model } = asked("one", ["first"]);
  const other = new ScriptedModel(() => "by the other");
  const results = await resultsOf(conversation, async ({ type }) => {
    if (type !== "turn.completed" || other.asked.length > 0) return;
    conversation.setModel(other);
    await conversation.streamInput(["two"]);
  });
  expect(results).toStrictEqual([
    ["completed", "first"],
    ["completed", "by the other"],
  ]);
  expect([model.asked.length, other.asked[0]?.messages.map(({ text }) => text)]).toStrictEqual([
    1,
    ["one", "first", "two"],
  ]);
});

test("a mode only lowers authority: in plan nothing is changed, whatever the policy allows; there is no mode that allows more", async () => {
  const { conversation, deeds } = asked(each("plan"), [[write], "done"], writes);
  conversation.setPermissionMode("plan");
  expect(() => conversation.setPermissionMode("bypass" as never)).toThrow(/only lowers authority/);
  expect(await resultsOf(conversation)).toStrictEqual([["completed", "done"]]);
  expect(deeds).toStrictEqual([]);
});

test.each(["default", "plan"] as const)("B14: hooks are asked in the mode %s, too", async (mode) => {
  const seen: string[] = [];
  const { conversation, deeds } = asked(each("look"), [[read], "done"], {
    hooks: {
      beforeToolCall: ({ tool }) => {
        seen.push(tool);
        return { outcome: "deny", reason: "it rains" };
      },
    },
  });
  conversation.setPermissionMode(mode);
  expect(await resultsOf(conversation)).toStrictEqual([["completed", "done"]]);
  expect([seen, deeds]).toStrictEqual([["notes.read"], []]);
});

test("an interrupt ends the turn that is under way, and the conversation goes on", async () => {
  let turns = 0;
  const model = {
    name: "slow",
    complete: async () =>
      ++turns === 1
        ? await new Promise<never>(() => {})
        : ({
            text: "done",
            toolCalls: [],
            finish: "stop",
            usage: { inputTokens: 1, outputTokens: 1 },
          } as const),
  };
  const { conversation } = asked(each("one", "two"), [], { model });
  const results = await resultsOf(
    conversation,
    ({ type }) => type === "model.started" && turns < 2 && conversation.interrupt(),
  );
  expect(results).toStrictEqual([
    ["cancelled", undefined],
    ["completed", "done"],
  ]);
});

test("whoever stops looking ends it: what is under way is cancelled, and nothing goes on", async () => {
  const model = { name: "slow", complete: () => new Promise<never>(() => {}) };
  const { conversation, store } = asked(each("one", "two"), [], { model });
  for await (const { type } of conversation) if (type === "model.started") break;
  const runs = await store.documents({ kind: "run", accountId: "office", limit: 9 });
  expect(runs.map(({ status }) => status)).toStrictEqual(["cancelled"]);
});

test("what is said and cannot be read ends the conversation with why", async () => {
  async function* broken(): AsyncGenerator<string> {
    yield "one";
    throw new Error("the microphone is off");
  }
  const { conversation } = asked(broken(), ["first"]);
  await expect(resultsOf(conversation)).rejects.toThrow("the microphone is off");
});
