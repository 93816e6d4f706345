// Every tool of a runtime goes one way, its own ones too; what is listed reaches whoever judges; and what was refused is told with why.
import type { AgentPolicy } from "@spfunctions/contracts";
import { describe, expect, onTestFinished, test } from "vitest";
import { Deck } from "../../../kernel/test-data/call-deck.ts";
import { principalOf } from "../../../kernel/test-data/call-desk.ts";
import {
  type Proposal,
  read,
  saying,
  ScriptedModel,
  type Saying,
  write,
} from "../../../kernel/test-data/run-desk.ts";
import {
  asking,
  bounds,
  eventsOf,
  type RuntimeDesk,
  runtimeDesk,
  writing,
} from "../../test-data/runtime-desk.ts";
import { Agent, type RuntimeRunInput, type SimpleFunctionsRuntimeOptions } from "./index.ts";

/** What a model was told of its calls, by the last thing that it was shown. */
const toldIn = ({ model }: Pick<RuntimeDesk, "model">) =>
  model.asked.at(-1)?.messages.flatMap((one) => (one.role === "tool" ? [one.text] : [])) ?? [];

describe("B13: a model learns why it was refused, and asks for the same so often at most:", () => {
  const same: Saying = [write("a")];

  test("a person's no, with their note: nobody is asked about it a second time", async () => {
    const desk = runtimeDesk({ policy: asking, script: () => same });
    const { runId, approvals } = await desk.runtime.run({ objective: "write" });
    await desk.operator.deny(approvals[0]?.approvalId ?? "", { note: "not on Fridays" });
    const result = await desk.runtime.resume(runId);
    expect(result).toMatchObject({ status: "blocked", error: { code: "approval_denied" } });
    expect([desk.model.asked.length, desk.deck.runs]).toStrictEqual([3, []]);
    expect(toldIn(desk)).toHaveLength(2);
    for (const text of toldIn(desk)) expect(text).toContain("not on Fridays");
    expect(await desk.operator.list({ status: "any" })).toHaveLength(1);
    expect(result.steps.map(({ type, status }) => `${type} ${status}`)).toStrictEqual([
      "model completed",
      "approval blocked",
      "model completed",
      "tool blocked",
      "model completed",
      "tool blocked",
    ]);
  });

  test.each<[string, Partial<SimpleFunctionsRuntimeOptions>, RegExp]>([
    [
      "a policy's, with what would allow it",
      { policy: { ...writing, maxSideEffect: "none" } },
      /maxSideEffect/,
    ],
    ["a list's", { policy: { ...writing, denyTools: ["notes.*"] } }, /denyTools/],
    ["a hook's", { hooks: { beforeToolCall: () => ({ outcome: "deny", reason: "it rains" }) } }, /it rains/],
    ["canUseTool's", { canUseTool: () => false }, /canUseTool said no/],
    ["the host's policy's", { evaluatePreTool: () => ({ outcome: "deny", reason: "it snows" }) }, /it snows/],
    [
      "a hook's about an output",
      { hooks: { afterToolCall: () => ({ outcome: "deny", reason: "it hails" }) } },
      /it hails/,
    ],
  ])("%s no", async (_whose, options, words) => {
    const desk = runtimeDesk({ ...options, says: [same, "sorry"] });
    expect(await desk.runtime.run({ objective: "write" })).toMatchObject({ status: "completed" });
    expect(toldIn(desk)).toHaveLength(1);
    expect(toldIn(desk)[0]).toMatch(words);
    expect(toldIn(desk)[0]).not.toContain('"done":true');
  });

  test.each([1, 2, 5])("where the host says %i times, the run is stopped then", async (repeatedCalls) => {
    const policy = { ...writing, maxSideEffect: "none" } as const;
    const desk = runtimeDesk({ policy, script: () => same, runLimits: { repeatedCalls } });
    expect(await desk.runtime.run({ objective: "write" })).toMatchObject({
      status: "blocked",
      error: { code: "policy_denied" },
    });
    expect(desk.model.asked).toHaveLength(repeatedCalls);
  });

  test("where a policy says so, a person's no is the end of the run", async () => {
    const policy = { ...asking, approvals: { onDenied: "fail" } } as const;
    const desk = runtimeDesk({ policy, script: () => same });
    const { runId, approvals } = await desk.runtime.run({ objective: "write" });
    await desk.operator.deny(approvals[0]?.approvalId ?? "");
    expect(await desk.runtime.resume(runId)).toMatchObject({
      status: "failed",
      error: { code: "approval_denied" },
    });
    expect(desk.model.asked).toHaveLength(1);
  });
});

// proves RUN-4.8, RUN-4.9
describe("B18: every tool of a runtime is judged, journaled and seen, also the one that it has itself:", () => {
  const search = { name: "tools.search", args: { query: "put" } };

  test.each<[string, readonly Proposal[]]>([
    ["what it is given", [read, write("a"), { name: "notes.search" }]],
    ["what it looks for others with", [search]],
  ])("%s", async (_what, calls) => {
    const desk = runtimeDesk({ says: [calls, "done"] });
    const stream = desk.runtime.runStream({ objective: "look" });
    const events = await eventsOf(stream);
    const { runId, steps } = await stream.result;
    const names = calls.map(({ name }) => name);
    const opened = (await desk.records(runId)).filter(
      (one) => one.kind === "call.intended" || one.kind === "call.read",
    );
    expect(opened.map(({ tool }) => tool)).toStrictEqual(names);
    for (const record of opened) {
      expect(record).toMatchObject({
        principal: { kind: "run", runId },
        origin: "model",
        verdict: { outcome: "allow", toolDigest: record.toolDigest },
        toolDigest: expect.stringMatching(/^sha256:/),
        packageFingerprint: expect.stringMatching(/^sha256:runtime-package/),
      });
    }
    expect(steps.flatMap(({ type, tool }) => (type === "tool" ? [tool] : []))).toStrictEqual(names);
    for (const type of ["tool.resolved", "policy.checked", "tool.started", "tool.completed"])
      expect(
        events.filter((event) => event.type === type).map((event) => (event as { tool: string }).tool),
      ).toStrictEqual(names);
  });

  test("what is found is what may be called, and can be from then on", async () => {
    const policy = { ...writing, denyTools: ["notes.pay"] };
    const desk = runtimeDesk({
      policy,
      tools: { mode: "manifest-search", maxCandidateTools: 0 },
      says: [
        [{ name: "tools.search", args: { query: "notes pay put", limit: 20 } }],
        [{ name: "notes.put" }],
        "done",
      ],
    });
    await desk.runtime.run({ objective: "write" });
    const [before, after] = desk.model.asked.map(({ tools }) => tools.map(({ name }) => name));
    expect(before).toStrictEqual(["tools.search"]);
    expect(after).toContain("notes.put");
    expect(after).not.toContain("notes.pay");
    expect(toldIn(desk)[0]).not.toContain("notes.pay");
    expect(desk.deck.runs.map(({ tool }) => tool)).toStrictEqual(["notes.put"]);
  });

  test.each<[string, Partial<SimpleFunctionsRuntimeOptions>]>([
    ["a policy", { policy: { ...writing, denyTools: ["tools.search"] } }],
    ["a policy that allows others", { policy: { ...writing, allowTools: ["notes.*"] } }],
    [
      "a hook",
      { hooks: { beforeToolCall: ({ tool }) => ({ outcome: tool === "tools.search" ? "deny" : "allow" }) } },
    ],
    ["a budget", { policy: { ...writing, budget: { maxSteps: 5, maxToolCalls: 0 } } }],
  ])("%s refuses it as any other", async (_who, options) => {
    const desk = runtimeDesk({ ...options, says: [[search], "done"] });
    const { runId } = await desk.runtime.run({ objective: "look" });
    expect(await desk.kinds(runId)).toContain("call.refused");
    expect(toldIn(desk)[0]).toContain('"error"');
  });

  test("a person is asked about it where a policy asks about everything", async () => {
    const policy = { ...writing, approvals: { requireForSideEffectAtOrAbove: "none" } } as const;
    const { runtime, operator } = runtimeDesk({ policy, says: [[search], "done"] });
    expect(await runtime.run({ objective: "look" })).toMatchObject({ status: "requires_approval" });
    expect(await operator.list()).toMatchObject([
      { tool: "tools.search", input: { query: "put", limit: 5 } },
    ]);
  });
});

describe("B19: a list that is given reaches whoever judges, not only what a model is shown:", () => {
  const calls: readonly Saying[] = [[read, write("a"), { name: "notes.put" }], "done"];
  /** What ran of three calls that a model makes whatever it is shown. */
  const ranOf = async (
    options: Partial<SimpleFunctionsRuntimeOptions>,
    input: Partial<RuntimeRunInput> = {},
  ) => {
    const desk = runtimeDesk({ says: calls, ...options });
    const { runId } = await desk.runtime.run({ objective: "do it", ...input });
    const refused = (await desk.records(runId)).flatMap((one) =>
      one.kind === "call.refused" ? [one.tool] : [],
    );
    const ran = desk.deck.runs.map(({ tool }) => tool);
    expect([...ran, ...refused].toSorted()).toStrictEqual(["notes.put", "notes.read", "notes.write"]);
    return ran;
  };
  const only = (allowTools: string[]): AgentPolicy => ({ ...writing, allowTools });

  // proves RUN-11.5, RUN-11.6
  test("policy.allowTools and policy.denyTools", async () => {
    expect(await ranOf({ policy: only(["notes.read"]) })).toStrictEqual(["notes.read"]);
    expect(await ranOf({ policy: { ...writing, denyTools: ["notes.put"] } })).toStrictEqual([
      "notes.read",
      "notes.write",
    ]);
  });

  // proves RUN-9.8
  test("a run's tools, and a run's own policy", async () => {
    expect(await ranOf({}, { tools: ["notes.put"] })).toStrictEqual(["notes.put"]);
    expect(await ranOf({}, { policy: only(["notes.write"]) })).toStrictEqual(["notes.write"]);
    expect(
      await ranOf({ policy: only(["notes.read"]) }, { tools: ["notes.put", "notes.read"] }),
    ).toStrictEqual(["notes.read"]);
    expect(await ranOf({ tools: { mode: "explicit" } }, { tools: ["notes.write"] })).toStrictEqual([
      "notes.write",
    ]);
  });

  // proves RUN-9.5, RUN-9.6, RUN-9.9
  test("preload names what is shown; what may be called the policy says", async () => {
    const tools = { mode: "preload-only", preload: ["notes.read", "notes.put"] } as const;
    const desk = runtimeDesk({ says: calls, tools, policy: only(["notes.read", "notes.write"]) });
    await desk.runtime.run({ objective: "do it" });
    expect(desk.model.asked[0]?.tools.map(({ name }) => name)).toStrictEqual(["notes.read"]);
    expect(desk.deck.inputsOf("notes.put")).toStrictEqual([]);
  });

  test("an agent's builtinTools", async () => {
    const deck = new Deck();
    const model = new ScriptedModel(saying(...calls));
    const agent = Agent.create({
      packs: [deck.tools],
      principal: principalOf(),
      policy: writing,
      model,
      builtinTools: ["notes.write"],
    });
    onTestFinished(() => agent.close());
    expect(await (await agent.send("do it")).wait()).toMatchObject({ status: "completed" });
    expect(deck.runs.map(({ tool }) => tool)).toStrictEqual(["notes.write"]);
    expect(model.asked[0]?.tools.map(({ name }) => name)).toStrictEqual(["notes.write"]);
  });
});

// proves RUN-3.7
test("a live trade of one's own pack is offered to no model and runs for none, whatever says yes", async () => {
  const trade = { venue: "/venue", side: "/side", quantity: "/quantity", dryRun: "/dryRun" };
  const deck = new Deck(undefined, [
    { name: "desk.trade", sideEffect: "live_trade", trade, permissions: ["desk:trade"] },
  ]);
  const order = { name: "desk.trade", args: { venue: "kalshi", side: "yes", quantity: 1, dryRun: true } };
  const yes = () => ({ outcome: "allow" }) as const;
  const policy: AgentPolicy = {
    ...bounds,
    maxSideEffect: "live_trade",
    maxCostEffect: "llm_cost",
    allowTools: ["desk.trade", "desk.*"],
    trade: { allowedVenues: ["kalshi"], maxOrderCostCents: 1000, maxQuantity: 10, dryRunOnly: false },
    approvals: { requireForSideEffectAtOrAbove: "live_trade" },
  };
  const desk = runtimeDesk({
    deck,
    policy,
    canUseTool: () => true,
    evaluatePreTool: yes,
    hooks: { beforeToolCall: yes, beforeModel: yes, afterModel: yes },
    tools: { mode: "explicit" },
    says: [[order], "done"],
  });
  const { runId } = await desk.runtime.run({
    objective: "trade",
    tools: ["desk.trade"],
    policy,
    sessionId: "s",
  });
  expect([deck.runs, desk.model.asked[0]?.tools]).toStrictEqual([[], []]);
  expect(await desk.records(runId)).toContainEqual(
    expect.objectContaining({
      kind: "call.refused",
      tool: "desk.trade",
      verdict: expect.objectContaining({ gate: "forbidden.risk" }),
    }),
  );
});
