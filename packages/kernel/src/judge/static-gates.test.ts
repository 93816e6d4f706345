import type { AgentPolicy, ContractTool, Gate, Risk, Verdict } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import {
  anonymous,
  checked,
  decisionOf,
  forgedRegistry,
  judgeWith,
  openPolicy,
  order,
  principalWith,
  reportOf,
  type ViewChanges,
  verdictOn,
} from "../../test-data/judge-samples.ts";
import { orderSpec, toolWith } from "../../test-data/tool-samples.ts";
import { defineTool } from "../tool/define-tool.ts";

const read = toolWith({ permissions: ["notes:read", "net"] });
const open = toolWith({ name: "world.read", access: { anonymousAllowed: true } });
const write = toolWith({ name: "notes.write", sideEffect: "user_write" });
const reveal = toolWith({ name: "keys.reveal", sideEffect: "secret" });
const restart = toolWith({ name: "host.restart", sideEffect: "runtime" });
const remoteRestart = toolWith({
  name: "host.restart",
  sideEffect: "runtime",
  http: { method: "POST", path: "/api/host/restart" },
});
const paper = toolWith({ name: "paper.place", sideEffect: "paper_trade" });
const trade = defineTool(orderSpec());
const think = toolWith({ name: "text.think", costEffect: "llm_cost" });
const mail = toolWith({ name: "mail.list", risk: ["user_data"] });

const result = (verdict: Verdict, gate: Gate) => reportOf(verdict, gate)?.result;

/** What a verdict decides, and what the gate that decided reports. */
function stopOf(verdict: Verdict) {
  return { decision: decisionOf(verdict), report: verdict.gate && reportOf(verdict, verdict.gate) };
}

function stop(gate: Gate, code: string, reason: string, remedy: string): ReturnType<typeof stopOf> {
  const decision = { outcome: "deny", gate, code, reason, remedy } as ReturnType<typeof decisionOf>;
  return { decision, report: { gate, result: "stopped", detail: reason } };
}

// proves KEY-14.2
describe("1 tool.exists", () => {
  const judge = judgeWith([read, open]);

  test("passes for the canonical name", () => {
    expect(result(verdictOn(read), "tool.exists")).toBe("passed");
  });

  // proves KEY-12.16
  test.each(["notes_read", "Notes.Read", "notes.reed", "notesread"])(
    "%s is not resolved, only suggested",
    (name) => {
      const { verdict } = judge.judge({ tool: name, origin: "direct" });
      expect(stopOf(verdict)).toStrictEqual(
        stop("tool.exists", "unknown_tool", "there is no tool of this name", "did you mean notes.read?"),
      );
    },
  );

  test.each(["completely.different", "", "__proto__", "constructor", "toString", "x".repeat(100_000)])(
    "nothing is near to %.30s",
    (name) => {
      const { verdict } = judge.judge({ tool: name, origin: "direct" });
      expect(stopOf(checked(verdict))).toStrictEqual(
        stop(
          "tool.exists",
          "unknown_tool",
          "there is no tool of this name",
          "use a tool's whole name, as the manifest has it",
        ),
      );
      expect(verdict.gates.slice(1).every((gate) => gate.result === "not_checked")).toBe(true);
      expect(verdict).not.toHaveProperty("toolDigest");
    },
  );
});

describe("2 tool.status", () => {
  test("passes for what is implemented", () => {
    expect(result(verdictOn(read), "tool.status")).toBe("passed");
  });

  // proves KEY-13.6, KEY-14.3
  // proves RUN-11.3
  test.each(["deferred", "deprecated", "forbidden"] as const)("%s is stopped", (status) => {
    expect(stopOf(verdictOn(toolWith({ status })))).toStrictEqual(
      stop(
        "tool.status",
        "tool_not_active",
        `notes.read has the status ${status}, and cannot be called`,
        "call a tool whose status is implemented",
      ),
    );
  });
});

describe("3 agent.callable", () => {
  const hidden = toolWith({ agent: { callable: false } });

  test("passes what agents may call, and does not apply to plain requests", () => {
    expect(result(verdictOn(read), "agent.callable")).toBe("passed");
    expect(result(verdictOn(hidden, { surface: "plain" }), "agent.callable")).toBe("not_applicable");
    expect(verdictOn(hidden, { surface: "plain" }).outcome).toBe("allow");
  });

  // proves KEY-13.7, KEY-14.4
  // proves RUN-11.4
  test.each([hidden, reveal])("stops what is not for agents", (tool) => {
    const { name } = tool.contract;
    expect(stopOf(verdictOn(tool))).toStrictEqual(
      stop(
        "agent.callable",
        "tool_not_callable",
        `${name} is not for agents: its contract has agent.callable false`,
        "a person may call it with a key of their own",
      ),
    );
  });
});

// proves KEY-14.5
// proves RUN-11.1
describe("4 identity", () => {
  // proves KEY-4.5, KEY-6.15, KEY-13.8
  test("an agent always has a name, also for what is free to everybody", () => {
    expect(result(verdictOn(open), "identity")).toBe("passed");
    expect(stopOf(verdictOn(open, { principal: anonymous }))).toStrictEqual(
      stop(
        "identity",
        "missing_api_key",
        "world.read is not for anonymous callers",
        "call with a key, or as a named principal",
      ),
    );
  });

  // proves KEY-14.16
  test("a plain request needs one unless the tool is free to everybody", () => {
    const plain = { surface: "plain", principal: anonymous } as const;
    expect(result(verdictOn(open, plain), "identity")).toBe("not_applicable");
    expect(verdictOn(open, plain).outcome).toBe("allow");
    for (const tool of [read, write, think, mail, trade]) {
      expect(decisionOf(verdictOn(tool, plain))).toMatchObject({ gate: "identity", code: "missing_api_key" });
    }
  });

  test.each(["key", "operator", "token", "local"])("%s is a name", (kind) => {
    expect(result(verdictOn(read, { principal: principalWith({ kind }) }), "identity")).toBe("passed");
  });
});

const forge = (changes: object): ContractTool => ({ ...trade.contract, ...changes });
const verdictOnForged = (contract: ContractTool) =>
  checked(
    judgeWith([], { registry: forgedRegistry(contract) }).judge({ tool: contract.name, origin: "direct" })
      .verdict,
  );

// proves KEY-2.20, KEY-14.6
describe("5 forbidden.risk", () => {
  const gate = "forbidden.risk";

  test("passes known risks, and a direct trade with guardrails at every level", () => {
    expect(result(verdictOn(read), gate)).toBe("passed");
    expect(result(verdictOn(trade, { policies: [openPolicy, openPolicy] }), gate)).toBe("passed");
  });

  test.each(["harmless", "", "__proto__", "toString"])("G1: the unknown risk %j is stopped", (risk) => {
    expect(stopOf(verdictOnForged(forge({ risk: ["venue", risk as Risk] })))).toStrictEqual(
      stop(
        gate,
        "policy_denied",
        `the contract names an unknown risk: ${risk}`,
        "use a contract whose risks are known",
      ),
    );
  });

  test.each(["events.search", "market.related", "auth.status"])("the reserved name %s is stopped", (name) => {
    expect(stopOf(verdictOnForged(forge({ name })))).toStrictEqual(
      stop(gate, "policy_denied", `${name} is a reserved name`, "rename the tool"),
    );
  });

  // proves RUN-11.10
  test.each(["model", "subagent", "mcp", "spectator"] as const)(
    "a live trade from %s is stopped by no policy",
    (origin) => {
      expect(stopOf(verdictOn(trade, { origin }))).toStrictEqual(
        stop(
          gate,
          "policy_denied",
          `a live trade must be called directly, and this one comes from ${origin}`,
          "a person may place it directly; no policy lifts this",
        ),
      );
      for (const tool of [read, write, paper, restart])
        expect(result(verdictOn(tool, { origin }), gate)).toBe("passed");
    },
  );

  test("G1: an origin that nobody knows is not direct", () => {
    expect(verdictOn(trade, { origin: "DIRECT" as never, input: order }).outcome).toBe("deny");
  });

  test("a live trade whose facts cannot be found is stopped", () => {
    const { trade: _, ...blind } = trade.contract;
    expect(stopOf(verdictOnForged(blind))).toStrictEqual(
      stop(
        gate,
        "policy_denied",
        "the contract does not say where in the input the order's venue, price and quantity are",
        "declare trade in the tool's definition",
      ),
    );
  });

  // proves KEY-10.28, KEY-14.18
  test("a level without guardrails stops every live trade", () => {
    expect(
      stopOf(verdictOn(trade, { policies: [openPolicy, { maxSideEffect: "live_trade" }] })),
    ).toStrictEqual(
      stop(
        gate,
        "policy_denied",
        "a live trade needs guardrails, and the session's policy has none",
        "give trade: { allowedVenues, maxOrderCostCents, maxQuantity } in the session's policy",
      ),
    );
  });
});

const denying = (policy: AgentPolicy) => ({ policies: [openPolicy, { ...openPolicy, ...policy }] });

// proves KEY-14.7
// proves RUN-2.5
describe("6 deny", () => {
  test.each<[string, AgentPolicy]>([
    ["nothing denied", {}],
    ["empty lists", { deny: [], denyTools: [] }],
    ["other permissions", { deny: ["notes:write", "notes"] }],
    ["other tools", { denyTools: ["notes.write", "notes.read.all", "note.*", "world.*"] }],
  ])("passes with %s", (_, policy) => {
    expect(result(verdictOn(read, denying(policy)), "deny")).toBe("passed");
  });

  // proves KEY-2.17
  test("stops any of the tool's permissions", () => {
    for (const permission of ["notes:read", "net"]) {
      expect(stopOf(verdictOn(read, denying({ deny: ["other", permission] })))).toStrictEqual(
        stop(
          "deny",
          "policy_denied",
          `the session's policy denies the permission ${permission}`,
          `take "${permission}" out of deny`,
        ),
      );
    }
  });

  test.each(["notes.read", "notes.*"])("stops the tool by %s", (pattern) => {
    expect(stopOf(verdictOn(read, denying({ denyTools: ["world.*", pattern] })))).toStrictEqual(
      stop(
        "deny",
        "policy_denied",
        `the session's policy denies ${pattern}`,
        `take "${pattern}" out of denyTools`,
      ),
    );
  });

  // proves KEY-14.15
  test("G2: wins over every allow of the same level and of others", () => {
    const allowing: AgentPolicy = { ...openPolicy, allow: ["notes:read", "net"], allowTools: ["notes.read"] };
    const verdict = verdictOn(read, { policies: [allowing, { ...allowing, deny: ["net"] }, allowing] });
    expect(verdict).toMatchObject({ outcome: "deny", gate: "deny" });
    expect(result(verdict, "allow")).toBe("passed");
  });
});

// proves KEY-2.17, KEY-14.8
// proves RUN-2.5
describe("7 allow", () => {
  test.each<[string, AgentPolicy]>([
    ["no lists", {}],
    ["every permission", { allow: ["net", "notes:read", "more"] }],
    ["the tool", { allowTools: ["notes.read"] }],
    ["its namespace", { allowTools: ["world.*", "notes.*"] }],
  ])("passes with %s", (_, policy) => {
    expect(result(verdictOn(read, { policies: [policy] }), "allow")).toBe("passed");
  });

  test("a tool without permissions is covered by any list", () => {
    expect(result(verdictOn(write, { policies: [{ ...openPolicy, allow: [] }] }), "allow")).toBe("passed");
  });

  // proves KEY-14.14
  test.each<[AgentPolicy, string, string]>([
    [
      { allow: [] },
      "the agent's policy does not allow the permission notes:read",
      'add "notes:read" to allow',
    ],
    [{ allow: ["notes:read"] }, "the agent's policy does not allow the permission net", 'add "net" to allow'],
    [{ allowTools: [] }, "the agent's policy does not allow notes.read", 'add "notes.read" to allowTools'],
    [
      { allowTools: ["notes.write", "note.*"] },
      "the agent's policy does not allow notes.read",
      'add "notes.read" to allowTools',
    ],
  ])("%j stops it", (policy, reason, remedy) => {
    expect(stopOf(verdictOn(read, { policies: [policy] }))).toStrictEqual(
      stop("allow", "policy_denied", reason, remedy),
    );
  });
});

// proves KEY-14.9
describe("8 max.sideEffect", () => {
  const gate = "max.sideEffect";
  const plain = { surface: "plain" } as const;
  const under = (maxSideEffect: AgentPolicy["maxSideEffect"], allowTools?: string[]): ViewChanges => ({
    ...plain,
    policies: [{ ...openPolicy, maxSideEffect, ...(allowTools === undefined ? {} : { allowTools }) }],
  });

  // proves KEY-2.7, KEY-2.10, KEY-9.13
  test.each([
    [read, ["none", "auth_telemetry_write", "user_write", "secret", "runtime", "paper_trade", "live_trade"]],
    [write, ["user_write", "secret", "runtime", "paper_trade", "live_trade"]],
    [reveal, ["secret"]],
    [restart, ["runtime"]],
    [paper, ["paper_trade", "live_trade"]],
    [trade, ["live_trade"]],
  ] as const)("a ceiling stands for a set of classes", (tool, ceilings) => {
    const all = [
      "none",
      "auth_telemetry_write",
      "user_write",
      "secret",
      "runtime",
      "paper_trade",
      "live_trade",
    ] as const;
    const passing = all.filter((ceiling) => result(verdictOn(tool, under(ceiling)), gate) === "passed");
    expect(passing).toStrictEqual(ceilings);
  });

  // proves KEY-2.18, KEY-14.13
  test("without a ceiling nothing is changed", () => {
    expect(stopOf(verdictOn(write, { policies: [{}] }))).toStrictEqual(
      stop(
        gate,
        "policy_denied",
        "its side effect is user_write, and the agent's policy allows none",
        'set maxSideEffect to "user_write"',
      ),
    );
  });

  // proves KEY-2.8, KEY-2.9
  test("secret and runtime are allowed by name under a ceiling at or above them", () => {
    expect(result(verdictOn(reveal, under("live_trade", ["keys.reveal"])), gate)).toBe("passed");
    expect(result(verdictOn(restart, under("paper_trade", ["host.restart"])), gate)).toBe("passed");
    expect(stopOf(verdictOn(restart, under("paper_trade", ["host.*"])))).toStrictEqual(
      stop(
        gate,
        "policy_denied",
        "its side effect is runtime, and the agent's policy allows that only by a tool's full name in allowTools",
        'set maxSideEffect to "runtime", or name host.restart in allowTools',
      ),
    );
    expect(stopOf(verdictOn(restart, under("secret", ["host.restart"])))).toStrictEqual(
      stop(
        gate,
        "policy_denied",
        "its side effect is runtime, and the agent's policy allows side effects up to secret",
        'set maxSideEffect to "runtime"',
      ),
    );
  });

  test("named at one level only is not named at the other", () => {
    const named = { ...openPolicy, allowTools: ["host.restart"] };
    expect(verdictOn(restart, { policies: [named, openPolicy] }).outcome).toBe("deny");
    expect(verdictOn(restart, { policies: [named, named] }).outcome).toBe("allow");
  });

  test.each([
    [write, ["read", "trade", "admin"], "write"],
    [paper, ["read", "trade", "admin"], "write"],
    [reveal, ["read", "write", "trade"], "admin"],
    [remoteRestart, ["read", "write", "trade"], "admin"],
    [trade, ["read", "write", "admin"], "trade"],
    [read, [], "read"],
  ] as const)("the principal's scopes stand for classes too", (tool, scopes, needed) => {
    const view = { ...plain, policies: [{ ...openPolicy, allowTools: ["*"].map(() => tool.contract.name) }] };
    const without = verdictOn(tool, { ...view, principal: principalWith({ scopes }) });
    expect(stopOf(without)).toStrictEqual(
      stop(
        gate,
        "policy_denied",
        `the principal's scopes (${scopes.join(", ") || "none"}) do not include the side effect ${tool.contract.sideEffect}`,
        `call as a principal with the scope ${needed}`,
      ),
    );
    const withIt = verdictOn(tool, { ...view, principal: principalWith({ scopes: [needed] }) });
    expect(result(withIt, gate)).toBe("passed");
  });

  test("who may write may run what the host named in full, if it runs here", () => {
    const writer = { ...plain, principal: principalWith({ scopes: ["write"] }) };
    const inFull = { ...openPolicy, allowTools: ["host.restart"] };
    const byPattern = { ...openPolicy, maxSideEffect: "runtime", allowTools: ["host.*"] } as const;
    const passes = (tool: typeof restart, policies: AgentPolicy[], view: ViewChanges = writer) =>
      result(verdictOn(tool, { ...view, policies }), gate) === "passed";
    expect(passes(restart, [inFull])).toBe(true);
    // G2: a level more never allows more.
    expect(passes(restart, [inFull, inFull])).toBe(true);
    expect(passes(restart, [byPattern, inFull])).toBe(false);
    expect(passes(restart, [byPattern])).toBe(false);
    expect(passes(restart, [inFull, openPolicy])).toBe(false);
    expect(passes(remoteRestart, [inFull])).toBe(false);
    expect(passes(reveal, [{ ...openPolicy, allowTools: ["keys.reveal"] }])).toBe(false);
    for (const scopes of [["read"], ["trade"], ["read", "trade"]] as const)
      expect(passes(restart, [inFull], { ...plain, principal: principalWith({ scopes }) })).toBe(false);
    expect(stopOf(verdictOn(restart, { ...writer, policies: [byPattern] }))).toStrictEqual(
      stop(
        gate,
        "policy_denied",
        "the principal's scopes (write) do not include the side effect runtime",
        "call as a principal with the scope admin, or with write and host.restart named in allowTools of every level",
      ),
    );
  });

  test("who has no name reads, whatever scopes it says it has", () => {
    const loud = principalWith({ kind: "anonymous" });
    expect(result(verdictOn(open, { ...plain, principal: loud }), gate)).toBe("passed");
    for (const tool of [write, restart, trade]) {
      expect(result(verdictOn(tool, { ...plain, principal: loud, mode: "replay" }), gate)).toBe("stopped");
    }
  });
});

// proves KEY-9.14, KEY-14.10
// proves RUN-12.2
describe("9 max.costEffect", () => {
  // proves KEY-2.6, KEY-2.19, KEY-14.13
  test("venue_request_cost unless said otherwise", () => {
    expect(
      result(verdictOn(toolWith({ costEffect: "venue_request_cost" }), { policies: [{}] }), "max.costEffect"),
    ).toBe("passed");
    expect(stopOf(verdictOn(think, { policies: [{}] }))).toStrictEqual(
      stop(
        "max.costEffect",
        "policy_denied",
        "its cost is llm_cost, and the agent's policy allows costs up to venue_request_cost",
        'set maxCostEffect to "llm_cost"',
      ),
    );
  });

  test("every level has its own", () => {
    expect(verdictOn(think, { policies: [openPolicy, openPolicy] }).outcome).toBe("allow");
    expect(
      stopOf(verdictOn(think, { policies: [openPolicy, { ...openPolicy, maxCostEffect: "none" }] })),
    ).toStrictEqual(
      stop(
        "max.costEffect",
        "policy_denied",
        "its cost is llm_cost, and the session's policy allows none",
        'set maxCostEffect to "llm_cost"',
      ),
    );
  });
});

// proves KEY-14.11
// proves RUN-11.9
describe("10 user_data.auth", () => {
  test("applies to what reads user data, by risk or by permission", () => {
    expect(result(verdictOn(read), "user_data.auth")).toBe("not_applicable");
    expect(result(verdictOn(mail), "user_data.auth")).toBe("passed");
    expect(result(verdictOn(toolWith({ permissions: ["user_data"] })), "user_data.auth")).toBe("passed");
  });

  test("stops whoever has no name", () => {
    const verdict = verdictOn(mail, { principal: anonymous, surface: "plain" });
    expect(verdict.gate).toBe("identity");
    expect(reportOf(verdict, "user_data.auth")).toStrictEqual({
      gate: "user_data.auth",
      result: "stopped",
      detail: "mail.list reads a user's data, and that is not for anonymous callers",
    });
  });

  test("stops a contract that asks nobody for a name", () => {
    const contract = { ...mail.contract, authRequired: false };
    const judge = judgeWith([], { registry: forgedRegistry(contract) });
    expect(stopOf(checked(judge.judge({ tool: "mail.list", origin: "direct" }).verdict))).toStrictEqual(
      stop(
        "user_data.auth",
        "missing_api_key",
        "mail.list reads a user's data, and that is not for anonymous callers",
        "call with a key, or as a named principal",
      ),
    );
  });
});

const limited = (budget: NonNullable<AgentPolicy["budget"]>, ...more: AgentPolicy[]): ViewChanges => ({
  policies: [{ budget }, ...more],
});

// proves KEY-14.12
describe("11 budget", () => {
  test("applies where a level has one", () => {
    expect(result(verdictOn(read), "budget")).toBe("not_applicable");
    expect(result(verdictOn(read, limited({})), "budget")).toBe("not_applicable");
    expect(result(verdictOn(read, limited({ maxTokens: 0 })), "budget")).toBe("passed");
    expect(result(verdictOn(read, limited({ maxToolCalls: 1, maxSteps: 1 })), "budget")).toBe("passed");
  });

  // proves RUN-12.3, RUN-12.4
  test.each(["maxToolCalls", "maxSteps"] as const)("%s 0: not even one", (limit) => {
    expect(stopOf(verdictOn(read, limited({ [limit]: 0 })))).toStrictEqual(
      stop(
        "budget",
        "budget_exceeded",
        `${limit} is 0, and all of it is used`,
        `raise ${limit} in the policy's budget`,
      ),
    );
  });

  test("counts what the run has used", () => {
    const view = limited({ maxToolCalls: 3, maxSteps: 5 });
    expect(result(verdictOn(read, { ...view, spent: { toolCalls: 2, steps: 4 } }), "budget")).toBe("passed");
    expect(verdictOn(read, { ...view, spent: { toolCalls: 3, steps: 0 } }).reason).toBe(
      "maxToolCalls is 3, and all of it is used",
    );
    expect(verdictOn(read, { ...view, spent: { toolCalls: 0, steps: 5 } }).reason).toBe(
      "maxSteps is 5, and all of it is used",
    );
  });

  test("the lowest of all levels counts", () => {
    const verdict = verdictOn(read, limited({ maxToolCalls: 9 }, { budget: { maxToolCalls: 1 } }, {}));
    expect(result(verdict, "budget")).toBe("passed");
    const spent = { toolCalls: 1 };
    expect(
      verdictOn(read, { ...limited({ maxToolCalls: 9 }, { budget: { maxToolCalls: 1 } }), spent }).reason,
    ).toBe("maxToolCalls is 1, and all of it is used");
  });
});
