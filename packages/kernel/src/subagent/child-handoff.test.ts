// What a child's model receives is what its handoff lets through, to the byte, and nothing else of its parent's history.
import { canonicalJson } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { childSpec, openFamily, type Parts, start } from "../../test-data/family.ts";
import { type RunDesk, read, storedRun, toldIn } from "../../test-data/run-desk.ts";
import { toldOf } from "../run/model/conversation.ts";
import type { SubagentHandoff } from "./subagent.ts";

const canary = "the parent's own secret plan";
const search = { name: "notes.search", args: { text: "a" } };
const answers: Readonly<Record<string, unknown>> = {
  "notes.read": { text: "milk, ünïcode \u0007" },
  "notes.search": { found: ["eggs"] },
};
const deed = (_input: unknown, _context: unknown, tool: string) => answers[tool];

type Message = { readonly role: string; readonly text: string };

/** What the child's model was given first, and what its parent's record says of it. */
async function handed(
  handoff: SubagentHandoff | undefined,
  more: object = {},
  before: Parts["parent"] = [[read, search]],
) {
  const steps = typeof before === "function" ? [] : before;
  const parts: Parts = {
    parent: [...steps, [start("heir", "the task", more)], "done"],
    heir: ["thanks"],
  };
  const desk = openFamily(parts, [childSpec("heir", { handoff })], { deed });
  const handle = await desk.runs.start({
    objective: [
      { role: "system", text: canary },
      { role: "user", text: "look" },
    ],
  });
  // The parent speaks first: its model is known by the plan.
  await handle.wait();
  const child = desk.model.asked.find(({ messages }) => messages[0]?.text === "heir");
  const records = await desk.records(handle.runId);
  const started = records.find(({ kind }) => kind === "subagent.started");
  const stored = await storedRun(desk.store.inner, handle.runId);
  const told = toldIn(stored).flatMap(({ kind, digest }) => (kind === "subagent.started" ? digest : []));
  await desk.runs.close();
  return { desk, handle, started, told, messages: (child?.messages ?? []) as Message[] };
}

/** The parent's model is told what it is by instructions of its own. */
function parentSpeaks(desk: RunDesk): Message[][] {
  return desk.model.asked
    .filter(({ messages }) => messages[0]?.text === canary)
    .map(({ messages }) => messages as Message[]);
}

const own = [
  ["system", "heir"],
  ["user", "the task"],
];
const between = (texts: readonly string[]) => [own[0], ...texts.map((text) => ["user", text]), own[1]];
const shown = (messages: readonly Message[]) => messages.map(({ role, text }) => [role, text]);

describe("a child is told", () => {
  // proves CHILD-2.1, CHILD-2.2, CHILD-16.1
  test("nothing unless said: its objective and its task", async () => {
    const { messages, started } = await handed(undefined);
    expect(shown(messages)).toStrictEqual(own);
    expect(started).toMatchObject({ handoff: { variant: "none", refs: [], messages: 0, bytes: 0 } });
  });

  test("facts for it, as data", async () => {
    const { messages } = await handed(undefined, { data: { b: 1, a: "x" } });
    expect(shown(messages)).toStrictEqual([
      own[0],
      ["user", 'the task\n\nContext, as data:\n{"a":"x","b":1}'],
    ]);
  });

  // proves CHILD-2.3, CHILD-2.7, CHILD-2.14, CHILD-16.3, CHILD-16.19
  test("a summary in its parent's words", async () => {
    const summary = "we looked\ntwice — ünïcode";
    const { messages, started, told } = await handed({ type: "summary_only", maxTokens: 500 }, { summary });
    expect(told).toStrictEqual([toldOf([{ role: "user", text: summary }]).digest]);
    expect(shown(messages)).toStrictEqual(between([summary]));
    expect(started).toMatchObject({
      handoff: {
        variant: "summary_only",
        messages: 1,
        policyRef: { kind: "handoff", ref: "policy.handoff.subagent.heir" },
      },
    });
  });

  // proves CHILD-2.8, CHILD-16.19
  test("what the tools that are named have answered, in order, and no other's", async () => {
    const { messages, started } = await handed({ type: "selected_refs", results: ["notes.search"] });
    expect(shown(messages)).toStrictEqual(between([canonicalJson({ found: ["eggs"] })]));
    expect(started).toMatchObject({ handoff: { variant: "selected_refs", messages: 1 } });
  });

  test("nothing, where the tools that are named have answered nothing", async () => {
    const { messages } = await handed({ type: "selected_refs", results: ["notes.put"] });
    expect(shown(messages)).toStrictEqual(own);
  });

  // proves CHILD-2.11, CHILD-2.14, CHILD-16.19
  test("everything that its parent's model was told and has said, as one text", async () => {
    const { messages, desk, started } = await handed({
      type: "full_history_with_policy",
      projectionAuditRequired: true,
    });
    const last = parentSpeaks(desk)[1] ?? [];
    const call = { id: "t2-0", name: "subagent.heir", args: { task: "the task" } };
    const history = canonicalJson([...last, { role: "assistant", text: "", toolCalls: [call] }]);
    expect(shown(messages)).toStrictEqual(between([history]));
    expect(started).toMatchObject({ handoff: { variant: "full_history_with_policy", messages: 1 } });
  });
});

// proves CHILD-2.6
test("a summary that is longer than its policy says is handed over to nobody", async () => {
  const { desk, started, messages } = await handed(
    { type: "summary_only", maxTokens: 40 },
    { summary: "x".repeat(200) },
  );
  expect([started, messages]).toStrictEqual([undefined, []]);
  expect(parentSpeaks(desk).at(-1)?.at(-1)?.text).toContain("may be handed over");
});

// proves CHILD-16.1
test("whatever its parent's history holds, without a handoff nothing of it comes through", async () => {
  const words = fc
    .string({ minLength: 12, maxLength: 40 })
    .filter((text) => !"heirthe task".includes(text.trim()));
  await fc.assert(
    fc.asyncProperty(words, words, async (objective, answer) => {
      const parts: Parts = { parent: [[read], [start("heir", "the task")], "done"], heir: ["thanks"] };
      const desk = openFamily(parts, [childSpec("heir")], { deed: () => ({ answer }) });
      await (await desk.runs.start({ objective })).wait();
      const child = desk.model.asked.find(({ messages }) => messages[0]?.text === "heir");
      expect(shown(child?.messages ?? [])).toStrictEqual(own);
      expect(
        child?.tools.map(({ name }) => name).filter((name) => name.startsWith("subagent.")),
      ).toStrictEqual([]);
      await desk.runs.close();
    }),
    { numRuns: 25 },
  );
});

// proves CHILD-8.15
test("S1: a secret in a task is hidden before a child's model sees it", async () => {
  const token = "sk_live_abcdefghijklmnopqrstuvwx";
  const parts: Parts = { parent: [[start("heir", `use ${token}`)], "done"], heir: ["thanks"] };
  const desk = openFamily(parts, [childSpec("heir")]);
  const handle = await desk.start();
  await handle.wait();
  expect(JSON.stringify(desk.model.asked.map(({ messages }) => messages))).not.toContain(token);
  expect(
    desk.model.asked.find(({ messages }) => messages[0]?.text === "heir")?.messages.at(-1)?.text,
  ).toContain("[redacted:");
  await desk.runs.close();
});

// proves CHILD-2.16, CHILD-2.17, CHILD-3.5
test("what a host hands over exactly is what it names, and what is no content of the parent's is nothing", async () => {
  const parts: Parts = { parent: async (_input, step) => (step === 1 ? [read] : "I wait"), heir: ["thanks"] };
  const gate = Promise.withResolvers<void>();
  const desk = openFamily(
    { ...parts, parent: async (_input, step) => (step === 1 ? [read] : (await gate.promise, "done")) },
    [childSpec("heir")],
    { deed },
  );
  const { runId } = await desk.start();
  while (!(await desk.kinds(runId)).includes("call.read"))
    await new Promise((resolve) => setImmediate(resolve));
  const records = await desk.records(runId);
  const answer = records.find(({ kind }) => kind === "call.read") as { output: { ref: string } };
  const policyRef = { kind: "handoff", ref: "policy.handoff.host" } as const;
  const child = { subagent: "subagent.heir", task: "the task" };
  const refused = desk.runs.startChild(runId, {
    ...child,
    key: "a",
    handoff: { type: "selected_refs", refs: ["content_0190aaaa-nothing" as never], policyRef },
  });
  await expect(refused).rejects.toMatchObject({ code: "not_found" });
  const hostOnly = {
    type: "selected_refs" as const,
    refs: [answer.output.ref as never],
    policyRef: { kind: "host" as const, ref: "x" },
  };
  await expect(desk.runs.startChild(runId, { ...child, key: "b", handoff: hostOnly })).rejects.toMatchObject({
    code: "contract_violation",
  });
  const handle = await desk.runs.startChild(runId, {
    ...child,
    key: "c",
    handoff: { type: "selected_refs", refs: [answer.output.ref as never], policyRef },
  });
  await handle.wait();
  const told = desk.model.asked.find(({ messages }) => messages[0]?.text === "heir");
  expect(shown(told?.messages ?? [])).toStrictEqual(between([canonicalJson(answers["notes.read"] as never)]));
  // The same key again is the same child.
  const again = await desk.runs.startChild(runId, { ...child, key: "c" });
  expect(again.runId).toBe(handle.runId);
  gate.resolve();
  await (await desk.runs.get(runId)).wait();
  await desk.runs.close();
});
