// S1, B34: a secret that somebody gives a run is used by the tool that it is for, and is seen by nobody else.
import { createMemoryStore, memoryTrace, type Store } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import type { Deed } from "../../../kernel/test-data/call-deck.ts";
import { type Saying, write } from "../../../kernel/test-data/run-desk.ts";
import {
  asking,
  eventsOf,
  type RuntimeDesk,
  runtimeDesk,
  type RuntimeDeskOptions,
} from "../../test-data/runtime-desk.ts";
import type { RuntimeRunInput } from "./index.ts";

const key = `sk-proj-9aZ8bY7c${"X6dW5eV4".repeat(4)}`;
/** No secret by its looks: only the name that it stands under says so. */
const words = "correct horse battery";
const leaking: Saying = [{ name: "notes.sign", args: { apiKey: key, password: words } }];

/** A store of which everything is read at the end, whatever it is. */
async function everythingIn(store: Store): Promise<string> {
  const kinds = [
    "run",
    "approval",
    "asked",
    "effect",
    "inbox",
    "grant",
    "session",
    "trace",
    "contract",
    "segment",
  ];
  const documents = await Promise.all(
    kinds.map((kind) => store.documents({ kind, accountId: "acct_1", limit: 1000 })),
  );
  const runs = await Promise.all(
    documents[0]?.map(({ id }) => store.readStream({ stream: id, accountId: "acct_1", limit: 10_000 })) ?? [],
  );
  return JSON.stringify([documents, runs]);
}

/** Everything that anybody could see of it, besides the tool itself. */
async function seenOf(desk: RuntimeDesk, ...more: readonly unknown[]): Promise<string> {
  const prompts = desk.model.asked.map(({ messages, tools, output }) => [messages, tools, output]);
  return JSON.stringify([
    prompts,
    more,
    await everythingIn(desk.store),
    await desk.operator.list({ status: "any" }),
  ]);
}

// proves RUN-14.5
describe("B34: a secret is in no prompt, trace, record, event, error, step or history that was given", () => {
  const looked: unknown[] = [];
  const look = (view: unknown) => {
    looked.push(view);
    return { outcome: "allow" } as const;
  };
  const hooks = {
    beforeModel: look,
    afterModel: look,
    beforeToolCall: look,
    afterToolCall: look,
    onApproval: look,
    onStop: look,
  };
  const tellsAll: Deed = (input) => {
    throw new Error(`I was given ${JSON.stringify(input)}`);
  };

  test.each<[string, RuntimeDeskOptions, Partial<RuntimeRunInput>]>([
    ["as a tool's argument", { says: [leaking, "done"] }, {}],
    [
      "as an argument that its tool gives back",
      { says: [leaking, "done"], deed: (input) => ({ got: input }) },
      {},
    ],
    ["as an argument that its tool throws", { says: [leaking, "done"], deed: tellsAll }, {}],
    [
      "as an argument that is refused",
      { says: [leaking, "done"], policy: { ...asking, maxSideEffect: "none" } },
      {},
    ],
    [
      "as an argument that does not fit",
      { says: [[{ name: "notes.strict", args: { [key]: words, password: words } }], "done"] },
      {},
    ],
    ["as the name of a tool", { says: [[{ name: key }], "done"] }, {}],
    ["in the objective", {}, { objective: `Log in with ${key}, password: "${key}".` }],
    [
      "in the context",
      {},
      { context: { account: { password: words, apiKey: key }, tokens: { token: [words] } } },
    ],
    ["as a key of the context", {}, { context: { [key]: 1 } }],
    ["in the context and the objective", {}, { objective: `Say ${words}.`, context: { password: words } }],
    ["in the instructions", { instructions: `The key is ${key}.` }, {}],
    ["in what a model says last", { says: [`it is ${key}`] }, {}],
    [
      "in what a model says last, of a shape",
      { says: [JSON.stringify({ note: key })] },
      { output: { type: "object" } },
    ],
    [
      "in what a model throws",
      { script: () => Promise.reject(new Error(`bad key ${key}`)), runLimits: { modelAttempts: 1 } },
      {},
    ],
    [
      "in what a hook objects with",
      { says: [[write("a")], "done"], hooks: { beforeToolCall: () => ({ outcome: "deny", reason: key }) } },
      {},
    ],
    [
      "in what a host's policy objects with",
      { says: [[write("a")], "done"], evaluatePreTool: () => ({ outcome: "deny", reason: key }) },
      {},
    ],
  ])("%s", async (_where, options, input) => {
    looked.length = 0;
    const trace = memoryTrace();
    const store = createMemoryStore();
    const desk = runtimeDesk({ store, trace, hooks, ...options });
    const stream = desk.runtime.runStream({ objective: "log in", sessionId: "s", ...input });
    const events = await eventsOf(stream);
    const result = await stream.result;
    // What was said before is what the next run begins with.
    const next = runtimeDesk({ store, deck: desk.deck });
    await next.runtime.run({ objective: "and now?", sessionId: "s" });
    const session = await desk.runtime.session("s");
    const prompts = next.model.asked.map(({ messages }) => messages);
    const seen = await seenOf(desk, events, result, await trace.text(), looked, prompts, session);
    expect([key, key.slice(16), words].filter((secret) => seen.includes(secret))).toStrictEqual([]);
    expect(seen.includes("[redacted")).toBe(true);
  });

  test("to be approved: the tool gets it, and the person is not shown it", async () => {
    const trace = memoryTrace();
    const desk = runtimeDesk({ policy: asking, says: [leaking, "done"], trace });
    const { runId, approvals } = await desk.runtime.run({ objective: "log in" });
    await desk.operator.approve(approvals[0]?.approvalId ?? "");
    expect(await desk.runtime.resume(runId)).toMatchObject({ status: "completed" });
    expect(desk.deck.inputsOf("notes.sign")).toStrictEqual([`{"apiKey":"${key}","password":"${words}"}`]);
    const seen = await seenOf(desk, await trace.text());
    expect([key, words].filter((secret) => seen.includes(secret))).toStrictEqual([]);
  });

  test("in what is refused before there is a run", async () => {
    const { runtime } = runtimeDesk();
    const refusals = await Promise.all([
      rejectionOf(runtime.run({ objective: "x", tools: [key] })),
      rejectionOf(runtime.run({ objective: "x", [key]: 1 } as never)),
      rejectionOf(runtime.run({ objective: "x", context: { password: words, big: 1n } })),
      rejectionOf(runtime.resume(key)),
      rejectionOf(runtime.run({ objective: "x", sessionId: ` ${key} ` })),
    ]);
    const said = refusals
      .map((error) => `${error.message} ${JSON.stringify(error)} ${error.stack}`)
      .join("\n");
    expect([key, words].filter((secret) => said.includes(secret))).toStrictEqual([]);
  });
});

test("a model that passes on what it was shown in place of a secret is refused, and told so", async () => {
  let shown = "";
  const desk = runtimeDesk({
    script: ({ messages }, step) => {
      shown = /\[redacted[^\]]*\]/.exec(messages[0]?.text ?? "")?.[0] ?? "";
      return step === 1 ? [write(shown)] : "done";
    },
  });
  await desk.runtime.run({ objective: `Write down ${key}.` });
  expect([shown.startsWith("[redacted"), desk.deck.runs]).toStrictEqual([true, []]);
  expect(desk.model.asked[1]?.messages.at(-1)?.text).toContain("invalid_input");
});
