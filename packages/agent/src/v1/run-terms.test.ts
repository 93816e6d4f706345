// What one run is given besides can only take away, and goes with the run wherever that goes on.
import type { AgentPolicy } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { put, read, type Saying, write } from "../../../kernel/test-data/run-desk.ts";
import {
  anotherRuntime,
  asking,
  bounds,
  type RuntimeDesk,
  runtimeDesk,
  type RuntimeDeskOptions,
  writing,
} from "../../test-data/runtime-desk.ts";
import type { RuntimeRunInput } from "./index.ts";

/** What ran of what a model wanted, and how the run ended. */
async function ranOf(
  { runtime, deck }: RuntimeDesk,
  input: Partial<RuntimeRunInput> = {},
): Promise<readonly [string, string | undefined, readonly string[]]> {
  const { status, error } = await runtime.run({ objective: "do it", ...input });
  return [status, error?.code, deck.runs.map(({ tool }) => tool)];
}

const all = [[read, put("a"), write("b")], "done"] as const satisfies readonly Saying[];

describe("tools", () => {
  // proves RUN-6.2
  test("are the most that a run may call, and what is shown of them", async () => {
    const desk = runtimeDesk({ says: all });
    expect(await ranOf(desk, { tools: ["notes.read", "notes.put", "notes.put"] })).toStrictEqual([
      "completed",
      undefined,
      ["notes.read", "notes.put"],
    ]);
    const shown = desk.model.asked[0]?.tools.map(({ name }) => name);
    expect(shown).toStrictEqual(["notes.put", "notes.read", "tools.search"]);
  });

  test("widen nothing: what the policy refuses it refuses", async () => {
    const policy = { ...writing, denyTools: ["notes.put"], maxSideEffect: "none" } as const;
    const desk = runtimeDesk({ says: all, policy });
    expect((await ranOf(desk, { tools: ["notes.read", "notes.put", "notes.write"] }))[2]).toStrictEqual([
      "notes.read",
    ]);
  });

  test("none at all is none at all", async () => {
    const desk = runtimeDesk({ says: all });
    expect((await ranOf(desk, { tools: [] }))[2]).toStrictEqual([]);
  });

  test("a name that no tool has begins nothing", async () => {
    const { runtime, model } = runtimeDesk({ says: all });
    const refusal = await rejectionOf(runtime.run({ objective: "do it", tools: ["notes_read"] }));
    expect(refusal).toMatchObject({
      code: "unknown_tool",
      details: { suggestions: expect.arrayContaining(["notes.read"]) },
    });
    expect(model.asked).toStrictEqual([]);
  });
});

describe("maxSteps", () => {
  const endless: RuntimeDeskOptions = { script: () => [read] };

  // proves RUN-6.5
  test.each([
    [1, 1],
    [3, 3],
    [1000, 20],
  ])("of %i lets a model be asked %i times", async (maxSteps, times) => {
    const desk = runtimeDesk(endless);
    expect((await ranOf(desk, { maxSteps })).slice(0, 2)).toStrictEqual(["blocked", "budget_exceeded"]);
    expect(desk.model.asked).toHaveLength(times);
  });

  test("of none asks no model", async () => {
    const desk = runtimeDesk(endless);
    expect((await ranOf(desk, { maxSteps: 0 })).slice(0, 2)).toStrictEqual(["blocked", "budget_exceeded"]);
    expect(desk.model.asked).toStrictEqual([]);
  });
});

describe("a policy", () => {
  test.each<[string, AgentPolicy, readonly string[]]>([
    ["that says nothing lets nothing be changed", {}, ["notes.read"]],
    ["that allows everything allows no more", everything(), ["notes.read", "notes.write"]],
    ["that denies a tool denies it", { ...everything(), denyTools: ["notes.write"] }, ["notes.read"]],
    ["that bounds calls bounds them", { ...everything(), budget: { maxToolCalls: 1 } }, ["notes.read"]],
  ])("%s", async (_what, policy, ran) => {
    const desk = runtimeDesk({ says: all, policy: { ...writing, denyTools: ["notes.put"] } });
    expect((await ranOf(desk, { policy }))[2]).toStrictEqual(ran);
  });

  test("cannot lift that a person is asked", async () => {
    const desk = runtimeDesk({ says: all, policy: asking });
    const approvals = { requireForSideEffectAtOrAbove: "live_trade" } as const;
    expect((await ranOf(desk, { policy: { ...everything(), approvals } }))[0]).toBe("requires_approval");
  });

  test("that cannot be read begins nothing", async () => {
    const { runtime, model } = runtimeDesk();
    for (const policy of [null, { maxSideEfect: "none" }, []])
      expect(await rejectionOf(runtime.run({ objective: "x", policy: policy as never }))).toMatchObject({
        code: "invalid_policy",
      });
    expect(model.asked).toStrictEqual([]);
  });
});

describe("a run that goes on in another runtime has the same terms:", () => {
  /** A run of some terms that waits for a person, whose runtime is gone; and one of the same things. */
  async function left(
    input: Partial<RuntimeRunInput>,
    says: readonly Saying[],
    options: RuntimeDeskOptions = {},
  ) {
    const first = runtimeDesk({ policy: asking, says, ...options });
    const rest = await first.runtime.run({ objective: "do it", ...input });
    expect(rest.status).toBe("requires_approval");
    await first.runtime.close();
    const next = anotherRuntime(first, { policy: asking, says, ...options });
    const goOn = async () => {
      for (const { approvalId } of await next.operator.list()) await next.operator.approve(approvalId);
      return await next.runtime.resume(rest.runId);
    };
    return { ...next, runId: rest.runId, goOn };
  }

  test("its tools", async () => {
    const { goOn, deck } = await left({ tools: ["notes.write"] }, [[write("a")], [read], "done"]);
    expect(await goOn()).toMatchObject({ status: "completed" });
    expect(deck.runs.map(({ tool }) => tool)).toStrictEqual(["notes.write"]);
  });

  test("its steps", async () => {
    const { goOn, model } = await left({ maxSteps: 2 }, [[write("a")], [read], [read], "done"]);
    expect(await goOn()).toMatchObject({ status: "blocked", error: { code: "budget_exceeded" } });
    expect(model.asked).toHaveLength(1);
  });

  test("its policy", async () => {
    const policy = { ...everything(), denyTools: ["notes.read"] };
    const { goOn, deck } = await left({ policy }, [[write("a")], [read], "done"]);
    expect(await goOn()).toMatchObject({ status: "completed" });
    expect(deck.runs.map(({ tool }) => tool)).toStrictEqual(["notes.write"]);
  });

  test("what it must answer with", async () => {
    const output = z.strictObject({ sum: z.int() });
    const { goOn, model } = await left({ output }, [[write("a")], "no sum", '{"sum":7}']);
    expect(await goOn()).toMatchObject({ status: "completed", output: { sum: 7 } });
    expect(model.asked[0]?.output).toMatchObject({ required: ["sum"] });
  });

  test("all of them, where tools are explicit and an order must be confirmed", async () => {
    const trade = {
      allowedVenues: ["kalshi"],
      maxOrderCostCents: 1,
      maxQuantity: 1,
      confirmToken: "swordfish",
    };
    const { goOn, deck } = await left(
      { tools: ["notes.write", "notes.put"], maxSteps: 9, policy: { ...everything(), trade } },
      [[write("a")], [read], "done"],
      { tools: { mode: "explicit" }, policy: { ...asking, trade } },
    );
    expect(await goOn()).toMatchObject({ status: "completed" });
    expect(deck.runs.map(({ tool }) => tool)).toStrictEqual(["notes.write"]);
  });

  test.each<[string, RuntimeDeskOptions]>([
    ["another policy", { policy: { ...asking, budget: { maxSteps: 99, maxToolCalls: 99 } } }],
    ["a policy that asks nobody", { policy: writing }],
    ["a hook more", { hooks: { beforeToolCall: () => ({ outcome: "allow" }) } }],
    ["another strategy", { strategy: { type: "ordered_batch", maxInFlight: 2 } }],
    ["fewer tools", { packs: [] }],
    ["a policy of the host's more", { evaluatePreTool: () => ({ outcome: "allow" }) }],
  ])("where there is %s it does not go on, and can be cancelled", async (_what, options) => {
    const first = runtimeDesk({ policy: asking, says: [[write("a")], "done"] });
    const { runId } = await first.runtime.run({ objective: "do it", maxSteps: 5 });
    await first.runtime.close();
    const other = anotherRuntime(first, { policy: asking, ...options });
    expect(await rejectionOf(other.runtime.resume(runId))).toMatchObject({ code: "invalid_package" });
    expect(await other.runtime.open()).toStrictEqual([]);
    await other.runtime.cancel(runId);
    expect(await (await other.runtime.get(runId)).wait()).toMatchObject({ status: "cancelled" });
    expect(first.deck.runs).toStrictEqual([]);
  });
});

function everything(): AgentPolicy {
  return { ...bounds, maxSideEffect: "user_write", maxCostEffect: "llm_cost", allowTools: ["notes.*"] };
}
