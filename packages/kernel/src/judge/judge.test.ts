import { type AgentPolicy, type Gate, gates, type Verdict } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import {
  anonymous,
  checked,
  judgeWith,
  liveInput,
  openPolicy,
  order,
  verdictOn,
} from "../../test-data/judge-samples.ts";
import { orderSpec, reachableFrom, toolWith } from "../../test-data/tool-samples.ts";
import { defineTool } from "../tool/define-tool.ts";

const read = toolWith();
const trade = defineTool(orderSpec());
const worst = defineTool(
  orderSpec({
    status: "forbidden",
    agent: { callable: false },
    costEffect: "llm_cost",
    risk: ["user_data", "live_trade"],
  }),
);

const results = (verdict: Verdict) => verdict.gates.map((report) => report.result);
const stoppedGates = (verdict: Verdict) =>
  verdict.gates.filter((report) => report.result === "stopped").map((report) => report.gate);

describe("a verdict is whole", () => {
  // proves KEY-2.5
  // proves PORT-19.2, PORT-20.1, PORT-20.3, PORT-20.4, PORT-20.8
  test("allowed: all sixteen gates in their order, and under which policy and tool", () => {
    const policies = [openPolicy, { ...openPolicy, budget: { maxSteps: 5 } }];
    const judge = judgeWith([trade], { policies });
    const { verdict } = judge.judge({ tool: "orders.place", origin: "direct", input: liveInput(order) });
    expect(verdict).toStrictEqual({
      outcome: "allow",
      code: "allowed",
      reason: "no gate stopped it",
      gates: [
        { gate: "tool.exists", result: "passed" },
        { gate: "tool.status", result: "passed" },
        { gate: "agent.callable", result: "passed" },
        { gate: "identity", result: "passed" },
        { gate: "forbidden.risk", result: "passed" },
        { gate: "deny", result: "passed" },
        { gate: "allow", result: "passed" },
        { gate: "max.sideEffect", result: "passed" },
        { gate: "max.costEffect", result: "passed" },
        { gate: "user_data.auth", result: "not_applicable" },
        { gate: "budget", result: "passed" },
        { gate: "input", result: "passed" },
        { gate: "trade", result: "passed" },
        { gate: "capability", result: "not_applicable" },
        { gate: "pre_tool", result: "not_applicable" },
        { gate: "approval", result: "not_applicable" },
      ],
      policyDigest: judge.policyDigest,
      toolDigest: trade.contract.digest,
    });
  });

  test("refused: every static gate is asked all the same, the first that stopped decides", () => {
    const policies = [{ deny: ["orders:write"], allowTools: [], budget: { maxToolCalls: 0 } }];
    const verdict = verdictOn(worst, { policies, principal: anonymous, origin: "model", input: order });
    expect(stoppedGates(verdict)).toStrictEqual(gates.slice(1, 11));
    expect(results(verdict).slice(11)).toStrictEqual(Array.from({ length: 5 }, () => "not_checked"));
    expect(verdict.gate).toBe("tool.status");
    expect(verdict.code).toBe("tool_not_active");
  });

  test("refused on its input: what comes after is not asked", () => {
    const verdict = verdictOn(trade, { input: { ...order, venue: "elsewhere" } });
    expect(results(verdict).slice(11)).toStrictEqual([
      "passed",
      "stopped",
      "not_checked",
      "not_checked",
      "not_checked",
    ]);
  });
});

// proves KEY-13.9, KEY-14.1, KEY-14.17
describe("the first gate that stops decides, in the order they are listed", () => {
  // Each step mends what the gate before it stopped, and nothing else.
  const spec = { name: "orders.place", sideEffect: "live_trade", costEffect: "llm_cost" } as const;
  const active = defineTool(
    orderSpec({ ...spec, agent: { callable: false }, capability: { kind: "net", url: "/url" } }),
  );
  const callable = defineTool(
    orderSpec({ ...spec, risk: ["user_data"], capability: { kind: "net", url: "/url" } }),
  );
  const free = defineTool(orderSpec({ ...spec }));
  const forbidding: AgentPolicy = { deny: ["orders:write"], allow: [], budget: { maxToolCalls: 0 } };
  const rails = openPolicy.trade;
  const strict = { ...rails, maxQuantity: 1 };
  const approvals = { requireForSideEffectAtOrAbove: "none" } as const;

  const steps: [Gate, () => Verdict][] = [
    ["tool.exists", () => judgeWith([]).judge({ tool: "orders.place", origin: "model" }).verdict],
    [
      "tool.status",
      () => verdictOn(worst, { policies: [forbidding], principal: anonymous, origin: "model" }),
    ],
    [
      "agent.callable",
      () => verdictOn(active, { policies: [forbidding], principal: anonymous, origin: "model" }),
    ],
    [
      "identity",
      () => verdictOn(callable, { policies: [forbidding], principal: anonymous, origin: "model" }),
    ],
    ["forbidden.risk", () => verdictOn(callable, { policies: [forbidding], origin: "model" })],
    ["deny", () => verdictOn(callable, { policies: [{ ...forbidding, trade: strict }] })],
    [
      "allow",
      () => verdictOn(callable, { policies: [{ allow: [], budget: { maxToolCalls: 0 }, trade: strict }] }),
    ],
    [
      "max.sideEffect",
      () => verdictOn(callable, { policies: [{ budget: { maxToolCalls: 0 }, trade: strict }] }),
    ],
    [
      "max.costEffect",
      () =>
        verdictOn(callable, {
          policies: [{ maxSideEffect: "live_trade", budget: { maxToolCalls: 0 }, trade: strict }],
        }),
    ],
    [
      "budget",
      () =>
        verdictOn(callable, { policies: [{ ...openPolicy, budget: { maxToolCalls: 0 }, trade: strict }] }),
    ],
    ["input", () => verdictOn(callable, { policies: [{ ...openPolicy, trade: strict }], input: 5 })],
    [
      "trade",
      () => verdictOn(callable, { policies: [{ ...openPolicy, trade: strict, approvals }], input: order }),
    ],
    ["capability", () => verdictOn(callable, { policies: [{ ...openPolicy, approvals }], input: order })],
    [
      "pre_tool",
      () =>
        verdictOn(free, {
          policies: [{ ...openPolicy, approvals }],
          input: order,
          hasPreTool: true,
          preTool: { outcome: "deny" },
        }),
    ],
    ["approval", () => verdictOn(free, { policies: [{ ...openPolicy, approvals }], input: order })],
  ];

  test.each(steps)("%s", (gate, verdict) => {
    expect(checked(verdict()).gate).toBe(gate);
  });

  test("no gate is left out", () => {
    // `user_data.auth` stops only who has no name, and `identity` has stopped them before.
    const left = gates.filter((gate) => !steps.some(([step]) => step === gate));
    expect(left).toStrictEqual(["user_data.auth"]);
  });
});

describe("replaying asks what the tool and the policy say, and no more", () => {
  const replay = { mode: "replay" } as const;

  test("gates 1 to 3 and 5 to 9 are asked, the others do not apply, with an input or without", () => {
    for (const input of [undefined, order, 5, { secret: "[redacted]" }]) {
      const verdict = verdictOn(trade, { ...replay, input });
      expect(verdict.outcome).toBe("allow");
      const asked = verdict.gates.filter((report) => report.result === "passed").map((report) => report.gate);
      expect(asked).toStrictEqual([
        "tool.exists",
        "tool.status",
        "agent.callable",
        "forbidden.risk",
        "deny",
        "allow",
        "max.sideEffect",
        "max.costEffect",
      ]);
      const others = verdict.gates.filter((report) => !asked.includes(report.gate));
      expect(new Set(others.map((report) => report.result))).toStrictEqual(new Set(["not_applicable"]));
    }
  });

  test("who replays needs no name, no budget and no approval", () => {
    const mail = toolWith({ risk: ["user_data"] });
    const policies = [
      { budget: { maxToolCalls: 0 }, approvals: { requireForSideEffectAtOrAbove: "none" as const } },
    ];
    expect(verdictOn(mail, { ...replay, policies, principal: anonymous, input: {} }).outcome).toBe("allow");
  });

  test.each<[Gate, () => Verdict]>([
    ["tool.exists", () => judgeWith([], replay).judge({ tool: "a.b", origin: "direct" }).verdict],
    ["tool.status", () => verdictOn(worst, replay)],
    ["agent.callable", () => verdictOn(toolWith({ agent: { callable: false } }), replay)],
    ["forbidden.risk", () => verdictOn(trade, { ...replay, origin: "model" })],
    ["deny", () => verdictOn(trade, { ...replay, policies: [{ ...openPolicy, denyTools: ["orders.*"] }] })],
    ["allow", () => verdictOn(trade, { ...replay, policies: [{ ...openPolicy, allow: [] }] })],
    [
      "max.sideEffect",
      () => verdictOn(toolWith({ sideEffect: "user_write" }), { ...replay, policies: [{}] }),
    ],
    ["max.costEffect", () => verdictOn(toolWith({ costEffect: "llm_cost" }), { ...replay, policies: [{}] })],
  ])("%s still stops", (gate, verdict) => {
    expect(checked(verdict())).toMatchObject({ outcome: "deny", gate });
  });
});

describe("verdicts that calls share", () => {
  const judge = judgeWith([read, trade], { policies: [{}] });
  const calls = [
    { tool: "notes.read", origin: "direct", input: liveInput({}) },
    { tool: "notes.read", origin: "direct" },
    { tool: "orders.place", origin: "direct", input: liveInput(order) },
    { tool: "nothing.there", origin: "direct" },
    { tool: "notes.read", origin: "direct", input: liveInput(5) },
  ] as const;

  test("are frozen to the ground, and hold nothing that could run", () => {
    for (const call of calls) {
      const { verdict } = judge.judge(call);
      const parts = [...reachableFrom(verdict)];
      expect(parts.length).toBe(18);
      expect(parts.filter((part) => !Object.isFrozen(part) || typeof part === "function")).toStrictEqual([]);
    }
  });

  test("cannot be changed by who got one: the next call is judged alike", () => {
    for (const call of calls) {
      const { verdict } = judge.judge(call);
      const before = JSON.stringify(verdict);
      const changeable = verdict as { outcome: string; gates: { result: string }[] };
      expect(() => {
        changeable.outcome = "allow";
      }).toThrow(TypeError);
      expect(() => {
        for (const report of changeable.gates) report.result = "passed";
      }).toThrow(TypeError);
      expect(() => changeable.gates.pop()).toThrow(TypeError);
      expect(JSON.stringify(judge.judge(call).verdict)).toBe(before);
    }
  });

  test("are told apart by origin and by what the run has spent", () => {
    const shared = judgeWith([trade, read], { policies: [{ ...openPolicy, budget: { maxToolCalls: 2 } }] });
    const outcome = (call: object) =>
      shared.judge({ tool: "orders.place", origin: "direct", ...call }).verdict.outcome;
    expect(
      [{}, { origin: "model" }, {}, { spent: { toolCalls: 2 } }, { spent: { toolCalls: 1 } }, {}].map(
        outcome,
      ),
    ).toStrictEqual(["allow", "deny", "allow", "deny", "allow", "allow"]);
  });
});

const digestsOf = (...policies: AgentPolicy[]) => {
  const { policyDigest, packageFingerprint } = judgeWith([read], { policies });
  return { policyDigest, packageFingerprint };
};

describe("what a call is decided under", () => {
  test("is the same for the same policies, and another for another policy, order or tool", () => {
    const one = digestsOf({}, openPolicy);
    expect(digestsOf({ maxSideEffect: "none" }, openPolicy)).toStrictEqual(one);
    for (const other of [
      digestsOf({}),
      digestsOf(openPolicy, {}),
      digestsOf({}, { ...openPolicy, deny: [] }),
    ]) {
      expect(other.policyDigest).not.toBe(one.policyDigest);
      expect(other.packageFingerprint).not.toBe(one.packageFingerprint);
    }
    const more = judgeWith([read, trade], { policies: [{}, openPolicy] });
    expect(more.policyDigest).toBe(one.policyDigest);
    expect(more.packageFingerprint).not.toBe(one.packageFingerprint);
  });

  test("what a run may use up is the least of every level", () => {
    const { budget } = judgeWith([read], {
      policies: [{ budget: { maxSteps: 5, maxWallMs: 100 } }, { budget: { maxSteps: 3, maxTokens: 7 } }],
    });
    expect(budget).toStrictEqual({ maxSteps: 3, maxWallMs: 100, maxTokens: 7 });
  });
});
