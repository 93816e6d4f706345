// Subagents are tools of a runtime: less power, same law, and everything of theirs is seen by whoever watches the run that started them.
import { memoryTrace } from "@spfunctions/kernel";
import { describe, expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { Deck } from "../../../kernel/test-data/call-deck.ts";
import { FaultyStore } from "../../../kernel/test-data/call-store.ts";
import { read, type Saying, ScriptedModel, type Script, write } from "../../../kernel/test-data/run-desk.ts";
import { heldBack } from "../../../kernel/test-data/run-levers.ts";
import {
  anotherRuntime,
  asking,
  eventsOf,
  resultOf,
  runtimeDesk,
  type RuntimeDesk,
  type RuntimeDeskOptions,
  writing,
} from "../../test-data/runtime-desk.ts";
import { SimpleFunctionsRuntime, subagent, type SubagentSpec } from "./index.ts";

const budget = { maxSteps: 30, maxToolCalls: 30, maxChildren: 3, maxDepth: 2 } as const;
const parent: readonly Saying[] = [[{ name: "subagent.helper", args: { task: "look" } }], "done"];

/** Whoever has instructions is the child. */
function family(
  child: Script | readonly Saying[],
  {
    spec = {},
    says = parent,
    ...options
  }: Omit<RuntimeDeskOptions, "says"> & {
    readonly spec?: Partial<SubagentSpec>;
    readonly says?: Script | readonly Saying[];
  } = {},
): RuntimeDesk {
  const deck = options.deck ?? new Deck(options.deed);
  const helper = subagent({ name: "helper", objective: "help", ...spec });
  return runtimeDesk({
    policy: { ...writing, budget },
    ...options,
    deck,
    packs: [deck.tools, helper],
    script: (input, step) => {
      const isChild = input.messages[0]?.role === "system";
      const said = isChild ? child : says;
      return typeof said === "function" ? said(input, step) : (said[step - 1] ?? "that is all");
    },
  });
}

describe("a run with a subagent", () => {
  // proves CHILD-16.8
  // proves RUN-10.13
  test("shows what the child does in its own stream, in the child's own words", async () => {
    const desk = family([[read], "milk"]);
    const stream = desk.runtime.runStream({ objective: "what is there?" });
    const events = await eventsOf(stream);
    const result = await resultOf(stream.result);
    const childRunId = result.children?.[0]?.runId ?? "";
    expect(
      events
        .map(({ type }) => type)
        .filter((type) => type.startsWith("subagent.") && type !== "subagent.progress"),
    ).toStrictEqual(["subagent.started", "subagent.handoff", "subagent.completed"]);
    const progress = events.filter(({ type }) => type === "subagent.progress");
    expect(progress.map((event) => (event as { kind: string }).kind)).toEqual(
      expect.arrayContaining([
        "runtime.started",
        "model.started",
        "model.completed",
        "tool.completed",
        "runtime.completed",
      ]),
    );
    expect(new Set(progress.map((event) => (event as { childRunId: string }).childRunId))).toStrictEqual(
      new Set([childRunId]),
    );
    const read1 = progress.find((event) => (event as { kind: string }).kind === "tool.completed");
    expect(read1).toMatchObject({
      live: true,
      subagent: "subagent.helper",
      tool: "notes.read",
      cursor: expect.stringContaining(`${childRunId}:`),
    });
    expect(result.steps.filter(({ type }) => type === "handoff")).toMatchObject([
      { status: "completed", tool: "subagent.helper" },
    ]);
  });

  test("answers in the shape that was asked for, or is told why not and has failed", async () => {
    const output = z.strictObject({ count: z.int() });
    const good = family(["7", '{"count":7}'], { spec: { output } });
    const result = await good.runtime.run({ objective: "count" });
    expect(result.status).toBe("completed");
    expect(good.model.asked.at(-1)?.messages.at(-1)?.text).toContain('"output":{"count":7}');
    const bad = family(["7", "8", "9", "10"], { spec: { output } });
    await bad.runtime.run({ objective: "count" });
    expect(bad.model.asked.at(-1)?.messages.at(-1)?.text).toContain('"code":"invalid_output"');
    expectTypeOf(subagent({ name: "x", objective: "y", output }).types).not.toBeAny();
  });

  test("waits for a person on the run's own list, and goes on in the runtime that resumes it", async () => {
    const options = { spec: { tools: "inherit_allowlist" }, policy: { ...asking, budget } } as const;
    const first = family([[write("a")], "written"], options);
    const asked = await first.runtime.run({ objective: "write" });
    expect([asked.status, asked.approvals.length]).toStrictEqual(["requires_approval", 1]);
    await first.runtime.close();
    const second = family([[write("a")], "written"], { ...options, store: first.store, deck: first.deck });
    await second.operator.approve(asked.approvals[0]?.approvalId ?? "");
    const done = await second.runtime.resume(asked.runId);
    expect([done.status, done.output, first.deck.inputsOf("notes.write")]).toStrictEqual([
      "completed",
      "done",
      ['{"text":"a"}'],
    ]);
  });

  test("is replayed from its trace, and no child is started", async () => {
    const trace = memoryTrace();
    const live = family([[read], "milk"], { trace });
    const recorded = await live.runtime.run({ objective: "look" });
    const again = anotherRuntime(live, {
      mode: "replayOnly",
      modelReplay: true,
      replay: [await trace.text()],
      policy: { ...writing, budget },
      store: undefined as never,
    });
    const replayed = await again.runtime.run({ objective: "look" });
    expect([replayed.status, replayed.output, replayed.children]).toStrictEqual([
      recorded.status,
      recorded.output,
      undefined,
    ]);
    expect(live.deck.runs).toHaveLength(1);
  });

  test("may be given less: where its tools are named, a subagent is one of them", async () => {
    const desk = family([[read], "milk"]);
    const without = await desk.runtime.run({ objective: "look", tools: ["notes.read"] });
    expect(without.children).toBeUndefined();
    const withIt = await desk.runtime.run({ objective: "look", tools: ["notes.read", "subagent.helper"] });
    expect(withIt.children).toHaveLength(1);
  });
});

// proves CHILD-16.13
describe("a route", () => {
  const small = Object.assign(new ScriptedModel(() => "small answer"), { name: "small" });
  const route = (modelId: string) => ({ type: "use_allowed_override", routeId: "cheap", modelId }) as const;

  // proves CHILD-6.6
  test("that is given drives the child, and its parent goes on with its own model", async () => {
    const desk = family([], { spec: { route: route("small") }, routes: { cheap: small } });
    const result = await desk.runtime.run({ objective: "look" });
    expect([result.status, small.asked.length]).toStrictEqual(["completed", 1]);
    expect(desk.model.asked.at(-1)?.messages.at(-1)?.text).toContain("small answer");
  });

  test.each([
    ["that nobody has given", {}, "small"],
    ["whose model is another", { cheap: small }, "large"],
  ])("%s is refused before anything begins", async (_what, routes, modelId) => {
    const desk = family([], { spec: { route: route(modelId) }, routes });
    await expect(desk.runtime.run({ objective: "look" })).rejects.toMatchObject({
      code: "host_configuration_needed",
      details: { reason: "no_route" },
    });
  });
});

test("a subagent that is to keep a tool that there is not is refused before anything begins", async () => {
  const desk = family([], { spec: { tools: ["notes.nothing"] } });
  await expect(desk.runtime.run({ objective: "look" })).rejects.toMatchObject({ code: "invalid_package" });
});

describe("a host", () => {
  test("starts a child of a run, tells it something, lets it go, and resumes it in another runtime when all else has ended", async () => {
    const gate = Promise.withResolvers<void>();
    const script: Script = async ({ messages }) => {
      if (messages[0]?.role !== "system") return await gate.promise, "done";
      return messages.some(({ text }) => text === "hurry") ? [write("late")] : [read];
    };
    const deck = new Deck();
    const helper = subagent({ name: "helper", objective: "help", tools: "inherit_allowlist" });
    const options = { deck, packs: [deck.tools, helper], policy: { ...asking, budget } };
    const desk = runtimeDesk({ ...options, script });
    const stream = desk.runtime.runStream({ objective: "wait" });
    const runId = await stream.runId;
    const child = await desk.runtime.startChild(runId, {
      subagent: "subagent.helper",
      task: "look",
      key: "k",
    });
    await desk.runtime.tell(child.runId, "hurry");
    await child.wait({ for: "rest" });
    await desk.runtime.detach(child.runId, "the night desk");
    gate.resolve();
    expect((await stream.result).status).toBe("completed");
    await desk.runtime.close();
    const other = runtimeDesk({ ...options, store: desk.store, says: ["done"] });
    const [asked] = await other.operator.list();
    await other.operator.approve(asked?.approvalId ?? "");
    expect((await other.runtime.resume(child.runId)).status).toBe("completed");
    expect(deck.inputsOf("notes.write")).toStrictEqual(['{"text":"late"}']);
  });

  test("takes on what was let go, with everything else that processes have left", async () => {
    const first = family([[write("a")], "written"], {
      spec: { tools: "inherit_allowlist" },
      policy: { ...asking, budget },
    });
    const asked = await first.runtime.run({ objective: "write" });
    const child = asked.children?.[0]?.runId ?? "";
    await first.runtime.detach(child, "the night desk");
    expect((await first.runtime.resume(asked.runId)).status).toBe("completed");
    await first.runtime.close();
    const second = family(["written"], {
      spec: { tools: "inherit_allowlist" },
      policy: { ...asking, budget },
      store: first.store,
      deck: first.deck,
    });
    expect(await second.runtime.open()).toStrictEqual([child]);
    await second.operator.approve(asked.approvals[0]?.approvalId ?? "");
    expect((await (await second.runtime.get(child)).wait()).status).toBe("completed");
  });

  test("has a child that it was just told of", async () => {
    const desk = family([[read], [read], "milk"], { spec: { budget: { maxChildren: 1, maxSteps: 9 } } });
    const stream = desk.runtime.runStream({ objective: "look" });
    const started: string[] = [];
    for await (const event of stream) {
      if (event.type !== "subagent.started" || started.length > 0) continue;
      started.push(event.childRunId);
      await desk.runtime.detach(event.childRunId, "at once");
    }
    expect((await stream.result).children).toMatchObject([{ runId: started[0], status: "detached" }]);
  });

  describe("after a restart, with a child that was let go and waits for a person,", () => {
    const options = {
      spec: { tools: "inherit_allowlist", mode: "background" },
      policy: { ...asking, budget },
    } as const;

    /** The next runtime drives both, each apart; the parent is at its model until it is let end. */
    async function restarted() {
      const store = new FaultyStore();
      const working = heldBack<void>();
      const first = family([[write("a")], "written"], {
        ...options,
        store,
        says: async (_input, step) => (step === 1 ? (parent[0] as Saying) : (await working.held(), "done")),
      });
      const stream = first.runtime.runStream({ objective: "write" });
      let child = "";
      for await (const event of stream) {
        if (event.type !== "subagent.rested") continue;
        child = event.childRunId;
        await first.runtime.detach(child, "the night desk");
        break;
      }
      await store.die();
      const ending = heldBack<void>();
      const second = family([[write("a")], "written"], {
        ...options,
        store: new FaultyStore(store.inner),
        deck: first.deck,
        says: async () => (await ending.held(), "done"),
      });
      const runId = await stream.runId;
      expect(await second.runtime.open()).toStrictEqual([runId, child]);
      return { ...second, runId, child, end: ending.let };
    }

    test("it takes that back, and both come to their end", async () => {
      const { runtime, operator, runId, child, end } = await restarted();
      await runtime.reclaim(child);
      end();
      const [asked] = await operator.list();
      await operator.approve(asked?.approvalId ?? "");
      const result = await (await runtime.get(runId)).wait();
      expect(result).toMatchObject({ status: "completed", children: [{ status: "completed" }] });
      expect((await (await runtime.get(child)).wait()).output).toBe("written");
      await runtime.close();
    });

    test.each(["parent", "child"] as const)("it takes that back, and cancels the %s", async (which) => {
      const { runtime, runId, child, end } = await restarted();
      await runtime.reclaim(child);
      await runtime.cancel(which === "parent" ? runId : child);
      end();
      expect((await (await runtime.get(child)).wait()).status).toBe("cancelled");
      const { status, children } = await (await runtime.get(runId)).wait();
      expect([status, children[0]?.status]).toStrictEqual([
        which === "parent" ? "cancelled" : "completed",
        "cancelled",
      ]);
      await runtime.close();
    });

    test("it cannot take that back once its parent has ended, and it goes on alone", async () => {
      const { runtime, operator, runId, child, end } = await restarted();
      end();
      await (await runtime.get(runId)).wait();
      await expect(runtime.reclaim(child)).rejects.toMatchObject({ code: "invalid_transition" });
      const [asked] = await operator.list();
      await operator.approve(asked?.approvalId ?? "");
      expect((await (await runtime.get(child)).wait()).status).toBe("completed");
      await runtime.close();
    });
  });

  test("does not go on with a child alone that is its parent's", async () => {
    const first = family([[write("a")], "written"], {
      spec: { tools: "inherit_allowlist" },
      policy: { ...asking, budget },
    });
    const asked = await first.runtime.run({ objective: "write" });
    await first.runtime.close();
    const second = family([], {
      spec: { tools: "inherit_allowlist" },
      policy: { ...asking, budget },
      store: first.store,
      deck: first.deck,
    });
    await expect(second.runtime.resume(asked.children?.[0]?.runId ?? "")).rejects.toMatchObject({
      code: "invalid_transition",
      details: { reason: "child" },
    });
  });
});

test("a policy under which no subagent could ever start is refused when the runtime is made", () => {
  const packs = [subagent({ name: "helper", objective: "help" })];
  const { maxCostEffect: _, ...policy } = writing;
  const make = () =>
    new SimpleFunctionsRuntime({
      packs,
      policy,
      model: new ScriptedModel(() => "x"),
      principal: { accountId: "a", keyId: "k", scopes: [], kind: "local" },
    });
  expect(make).toThrow(/maxCostEffect to "llm_cost"/);
});

// proves CHILD-3.2, CHILD-3.3, CHILD-3.6
describe("what is no subagent", () => {
  const make = (spec: object) => () => subagent({ name: "x", objective: "y", ...spec });

  test.each([
    ["without an objective", { objective: " " }, "objective"],
    ["with a mode that there is not", { mode: "later" }, "mode"],
    ["with tools that are none", { tools: "everything" }, "tools"],
    ["with a handoff that there is not", { handoff: { type: "all" } }, "handoff"],
    [
      "with a summary of no length",
      { handoff: { type: "summary_only", maxTokens: 0 } },
      "positive token budget",
    ],
    ["with tools of a kind that there is not", { tools: { type: "all" } }, "tools"],
    [
      "with a route that is not named whole",
      { route: { type: "use_allowed_override", routeId: "x" } },
      "route",
    ],
    [
      "with everything and no audit",
      { handoff: { type: "full_history_with_policy", projectionAuditRequired: false } },
      "projection audit",
    ],
    [
      "with a policy that only the host knows",
      { handoff: { type: "summary_only", maxTokens: 9, policyRef: { kind: "host", ref: "x" } } },
      "one of the host's own",
    ],
    [
      "with a policy that is none",
      { handoff: { type: "summary_only", maxTokens: 9, policyRef: { kind: "handoff" } } },
      "policyRef",
    ],
    ["with nothing selected", { handoff: { type: "selected_refs", results: [] } }, "selected_refs"],
    ["with a name that is none", { name: "Not a name" }, "name"],
    ["with the name of what directs them", { name: "send_message" }, "take another"],
    ["with a name that would be taken for one", { name: "subagent.ask_parent" }, "take another"],
    ["with a budget that is none", { budget: { maxSteps: -1 } }, "budget"],
  ])("%s is refused with what it must be", (_what, spec, word) => {
    expect(make(spec)).toThrow(new RegExp(word));
  });
});
