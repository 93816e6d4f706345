// What a host starts is judged as a call of its parent's model is, read at the door, and told nothing that its parent was not.
import { describe, expect, test } from "vitest";
import {
  budget,
  childSpec,
  type FamilyOptions,
  openFamily,
  type Parts,
  start,
  untilChild,
} from "../../test-data/family.ts";
import { read, type RunDesk } from "../../test-data/run-desk.ts";
import { heldBack, untilKind } from "../../test-data/run-levers.ts";
import type { EvaluatePreTool } from "../call/ask-policy.ts";
import type { HostRule } from "../call/host-rules.ts";

const digger = childSpec("digger");
const given = { subagent: "subagent.digger", task: "look", key: "k" };

/** A parent at its model, until it is let end. */
async function standing(specs = [digger], options: FamilyOptions = {}, first?: Parts["parent"]) {
  const ending = heldBack<void>();
  const before = typeof first === "function" ? [] : (first ?? []);
  const parts: Parts = {
    parent: async (_input, step) => before[step - 1] ?? (await ending.held(), "done"),
    digger: ["gold"],
    middle: async () => (await ending.held(), "done"),
  };
  const desk = openFamily(parts, specs, options);
  const { runId } = await desk.start();
  await untilKind(desk, runId, "model.intended");
  const end = async () => {
    ending.let();
    await (await desk.runs.get(runId)).wait();
    await desk.runs.close();
  };
  return { desk, runId, end };
}

async function children({ runs }: RunDesk, runId: string): Promise<number> {
  return (await (await runs.get(runId)).result()).children.length;
}

describe("what its parent's policies do not allow starts nothing:", () => {
  test.each([
    ["the tool is denied", { denyTools: ["subagent.digger"] }, "deny", "policy_denied"],
    ["its permission is denied", { deny: ["subagent:start"] }, "deny", "policy_denied"],
    ["others are allowed", { allowTools: ["notes.read"] }, "allow", "policy_denied"],
    ["nothing may cost anything", { maxCostEffect: "none" }, "max.costEffect", "policy_denied"],
    [
      "a person must approve: host code is none",
      { approvals: { requireForCostEffectAtOrAbove: "llm_cost" } },
      "approval",
      "approval_required",
    ],
  ])("%s", async (_what, policy, gate, code) => {
    const { desk, runId, end } = await standing([digger], { policy });
    await expect(desk.runs.startChild(runId, given)).rejects.toMatchObject({
      code,
      details: { verdict: { gate } },
    });
    expect(await children(desk, runId)).toBe(0);
    await end();
  });

  const rule = (evaluatePreTool: EvaluatePreTool): HostRule => ({
    id: "starts",
    version: "1",
    evaluatePreTool,
  });
  test.each<[string, EvaluatePreTool, string]>([
    ["denies it", () => ({ outcome: "deny", reason: "no" }), "policy_denied"],
    ["asks for a person: host code is none", () => ({ outcome: "ask" }), "approval_required"],
    ["throws", () => Promise.reject(new Error("out of order")), "policy_denied"],
    ["allows it", () => ({ outcome: "allow" }), "started"],
  ])("the host's own rule %s", async (_what, evaluatePreTool, code) => {
    for (const own of [{ rules: [rule(evaluatePreTool)] }, { evaluatePreTool }]) {
      const { desk, runId, end } = await standing([digger], own);
      const came = await codeOf(desk.runs.startChild(runId, given));
      expect([came, await children(desk, runId)]).toStrictEqual(code === "started" ? [code, 1] : [code, 0]);
      await end();
    }
  });

  test("the host's own rule is shown the task as the call of a model would show it", async () => {
    const seen: object[] = [];
    const { desk, runId, end } = await standing([digger], {
      rules: [
        rule(
          ({ tool, input, origin, runId: run }) => (
            seen.push({ tool, input, origin, run }), { outcome: "allow" }
          ),
        ),
      ],
    });
    await (await desk.runs.startChild(runId, given)).wait();
    expect(seen).toMatchObject([{ tool: "subagent.digger", input: { task: given.task }, run: runId }]);
    await end();
  });

  test.each([
    ["nothing", {}, "completed"],
    ["this one", { denyTools: ["subagent.digger"] }, "policy_denied"],
  ])(
    "of a child, whose package has no subagent, where its policy denies %s",
    async (_what, policy, outcome) => {
      const middle = childSpec("middle", {
        budget: { maxChildren: 1, maxSteps: 9, maxToolCalls: 9 },
        policy: { maxSideEffect: "user_write", maxCostEffect: "llm_cost", ...policy },
      });
      const { desk, runId, end } = await standing([middle, digger], {}, [[start("middle")]]);
      const child = await untilChild(desk, runId);
      const came = await desk.runs.startChild(child, given).then(
        async (handle) => (await handle.wait()).status,
        ({ code }: { readonly code: string }) => code,
      );
      expect(came).toBe(outcome);
      await end();
    },
  );

  // proves CHILD-16.22
  test("of a child of a child, as deep as the policy lets it", async () => {
    const deep = { ...budget, maxDepth: 3 };
    const middle = childSpec("middle", { budget: { maxChildren: 2, maxSteps: 9, maxToolCalls: 9 } });
    const { desk, runId, end } = await standing([middle, digger], { policy: { budget: deep } }, [
      [start("middle")],
    ]);
    const child = await untilChild(desk, runId);
    const below = await desk.runs.startChild(child, { ...given, subagent: "subagent.middle" });
    expect((await (await desk.runs.startChild(below.runId, given)).wait()).output).toBe("gold");
    await end();
  });
});

// proves CHILD-10.7, CHILD-10.9, CHILD-13.8, CHILD-16.13
test("a start that is refused leaves no record, whatever it was refused for", async () => {
  const policyRef = { kind: "handoff", ref: "x.y" } as const;
  const strange = { type: "selected_refs", refs: ["content_0190aaaa-nothing" as never], policyRef } as const;
  const hostOnly = { ...strange, policyRef: { kind: "host", ref: "x" } } as const;
  const all: [policy: object, more: object, code: string][] = [
    [{ denyTools: ["subagent.digger"] }, {}, "policy_denied"],
    [{ budget: { ...budget, maxDepth: 0 } }, {}, "budget_exceeded maxDepth"],
    [{ budget: { ...budget, maxChildren: 0 } }, {}, "budget_exceeded maxChildren"],
    [{}, { handoff: strange }, "not_found"],
    [{}, { handoff: hostOnly }, "not_found"],
    [{}, { subagent: "subagent.nobody" }, "not_found"],
  ];
  const left = await Promise.all(
    all.map(async ([policy, more]) => {
      const { desk, runId, end } = await standing([digger], { policy });
      const before = await desk.records(runId);
      const said = await codeOf(desk.runs.startChild(runId, { ...given, ...more }));
      const after = await desk.records(runId);
      await end();
      return [said, after.length - before.length];
    }),
  );
  expect(left).toStrictEqual(all.map(([, , code]) => [code, 0]));
});

type Refused = { readonly code: string; readonly details?: { readonly limit?: string } };

async function codeOf(starting: Promise<unknown>): Promise<string> {
  const { code, details }: Refused = await starting.then(
    () => ({ code: "started" }),
    (error: Refused) => error,
  );
  return [code, details?.limit ?? []].flat().join(" ");
}

describe("what is given is read at the door:", () => {
  const summing = childSpec("digger", { handoff: { type: "summary_only", maxTokens: 100 } });
  const policyRef = { kind: "handoff", ref: "x.y" } as const;

  test.each([
    ["nothing", [digger], undefined],
    ["no key", [digger], { ...given, key: " " }],
    ["no task", [digger], { ...given, task: "" }],
    ["data that is no object", [digger], { ...given, data: [1] }],
    ["something that nobody knows", [digger], { ...given, tasks: "look" }],
    ["no summary, where one is handed over", [summing], given],
    ["a summary that is no text", [summing], { ...given, summary: 5 }],
    ["a summary that nobody is told", [digger], { ...given, summary: "so far" }],
    ["a handoff that there is not", [digger], { ...given, handoff: { type: "all" } }],
    ["a handoff of nothing", [digger], { ...given, handoff: { type: "selected_refs", policyRef } }],
    ["a summary of no length", [digger], { ...given, handoff: { type: "summary_only" } }],
  ])("%s is refused", async (_what, specs, wrong) => {
    const { desk, runId, end } = await standing(specs);
    await expect(desk.runs.startChild(runId, wrong as never)).rejects.toMatchObject({
      code: "invalid_input",
    });
    expect(await children(desk, runId)).toBe(0);
    await end();
  });

  test("a handoff in place of the subagent's own needs no summary", async () => {
    const { desk, runId, end } = await standing([summing]);
    const child = await desk.runs.startChild(runId, { ...given, handoff: { type: "none" } });
    expect((await child.wait()).status).toBe("completed");
    await end();
  });

  // proves CHILD-16.20
  test("the same key is for the same subagent and the same task", async () => {
    const { desk, runId, end } = await standing([digger, childSpec("other")]);
    const data = { token: "sk_live_abcdefghijklmnopqrstuvwx", at: 1 };
    const first = await desk.runs.startChild(runId, { ...given, data });
    const again = await desk.runs.startChild(runId, { ...given, data: { ...data } });
    expect(again.runId).toBe(first.runId);
    const others = [{ ...given, task: "dig", data }, given, { ...given, data, subagent: "subagent.other" }];
    for (const other of others)
      await expect(desk.runs.startChild(runId, other)).rejects.toMatchObject({
        code: "idempotency_conflict",
      });
    expect(await children(desk, runId)).toBe(1);
    await end();
  });

  // proves CHILD-16.20
  test("the same key several times at once starts it once, and each has it", async () => {
    const { desk, runId, end } = await standing();
    const all = await Promise.all(Array.from({ length: 6 }, () => desk.runs.startChild(runId, given)));
    expect(new Set(all.map((one) => one.runId)).size).toBe(1);
    expect(await children(desk, runId)).toBe(1);
    await end();
  });
});

test.each(["selected_refs", "summary_only"] as const)(
  "what was withheld from a parent is handed on by nobody, also by %s",
  async (type) => {
    const evaluatePostTool: FamilyOptions["evaluatePostTool"] = ({ tool }) => ({
      outcome: tool === "notes.read" ? "deny" : "allow",
    });
    const deed = () => ({ text: "for nobody" });
    const { desk, runId, end } = await standing([digger], { deed, evaluatePostTool }, [[read]]);
    await untilKind(desk, runId, "call.withheld");
    const records = await desk.records(runId);
    const held = records.find((one) => one.kind === "call.read" && one.held === true);
    const ref = held?.kind === "call.read" ? held.output?.ref : undefined;
    const policyRef = { kind: "handoff", ref: "x.y" } as const;
    const handoff =
      type === "selected_refs"
        ? { type, refs: [ref as never], policyRef }
        : { type, summaryRef: ref as never, maxTokens: 1000, policyRef };
    await expect(desk.runs.startChild(runId, { ...given, handoff })).rejects.toMatchObject({
      code: "not_found",
      details: { reason: "no_content" },
    });
    expect(await children(desk, runId)).toBe(0);
    await end();
  },
);
