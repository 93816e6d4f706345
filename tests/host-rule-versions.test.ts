// A1: the rule that decides is part of the policy digest, by its id and version: what a person has approved under one is not approved under
// another, and a run goes on under the one that it was started with.
import { defineTool, govern, SimpleFunctionsAgent } from "@spfunctions/agent";
import { Spectator } from "@spfunctions/agent/spectator";
import { SimpleFunctionsRuntime, subagent } from "@spfunctions/agent/v1";
import { isSimpleFunctionsError, type SimpleFunctionsError, type Verdict } from "@spfunctions/contracts";
import {
  createMemoryStore,
  type EvaluatePreTool,
  type HostRule,
  type ModelAdapter,
  newInstallationSecret,
  openInstallation,
  openOperator,
  type Store,
} from "@spfunctions/kernel";
import { connectEmbedded } from "@spfunctions/sdk";
import { openPlatform } from "@spfunctions/server";
import { describe, expect, onTestFinished, test } from "vitest";

const installation = openInstallation(newInstallationSecret());
const principal = { accountId: "office", keyId: "clerk", scopes: ["read", "write"], kind: "local" } as const;
const boss = { accountId: "office", keyId: "boss", scopes: ["admin"], kind: "operator" } as const;
const asking = {
  maxSideEffect: "user_write",
  maxCostEffect: "llm_cost",
  approvals: { requireForSideEffectAtOrAbove: "user_write" },
} as const;
const letter = { to: "anna" };

const ruleOf = (version: string): readonly HostRule[] => [
  { id: "recipients", version, evaluatePreTool: () => ({ outcome: "allow" }) },
];

function mailTools() {
  const sent: unknown[] = [];
  const send = defineTool({
    name: "mail.send",
    description: "Sends a letter.",
    input: {
      type: "object",
      properties: { to: { type: "string" } },
      required: ["to"],
      additionalProperties: false,
    },
    output: {},
    permissions: ["mail"],
    sideEffect: "user_write",
    costEffect: "none",
    http: { method: "POST", path: "/api/mail" },
    run: (given) => ({ sent: sent.push(given) }),
  });
  return { sent, pack: [send] };
}

async function outcomeOf(call: Promise<unknown>): Promise<{ readonly code: string; readonly id: string }> {
  try {
    await call;
    return { code: "completed", id: "" };
  } catch (error) {
    if (!isSimpleFunctionsError(error)) throw error;
    return { code: error.code, id: String(error.details?.["approvalId"]) };
  }
}

async function thenClose(call: Promise<unknown>, opened: { close: () => Promise<unknown> }): Promise<void> {
  try {
    await call;
  } finally {
    await opened.close();
  }
}

async function approve(store: Store, approvalId: string): Promise<void> {
  const operator = openOperator({ store, installation, principal: boss });
  await operator.approve(approvalId);
  await operator.close();
}

const others = [
  ["under another version", ruleOf("2")],
  ["without the rule", []],
  ["with one rule more", [...ruleOf("1"), { ...(ruleOf("1")[0] as HostRule), id: "hours" }]],
] as const satisfies readonly (readonly [string, readonly HostRule[]])[];

describe("an approval that was asked for under a rule", () => {
  const begun = async (
    open: (store: Store, rules: readonly HostRule[]) => Promise<() => Promise<unknown>>,
  ) => {
    const store = createMemoryStore();
    const call = await open(store, ruleOf("1"));
    const { code, id } = await outcomeOf(call());
    expect(code).toBe("approval_required");
    await approve(store, id);
    return { store, id };
  };
  const entries = {
    library:
      (pack: ReturnType<typeof mailTools>["pack"]) => async (store: Store, rules: readonly HostRule[]) => {
        const office = govern({ packs: [pack], policy: asking, principal, store, installation, rules });
        return () => thenClose(office.call("mail.send", letter), office);
      },
    // Its own side asks; the platform, which has no policy, does not.
    "direct runner": (pack: ReturnType<typeof mailTools>["pack"]) => {
      const served = (async () => {
        const platform = await openPlatform({ store: createMemoryStore(), installation, packs: [pack] });
        const key = await platform.createKey("office", { scopes: ["read", "write"] });
        onTestFinished(async () => void (await platform.close()));
        return connectEmbedded(platform, { apiKey: key.secret });
      })();
      return async (store: Store, rules: readonly HostRule[]) => {
        const client = await served;
        const shared = { client, policy: asking, account: "office", store, installation, rules };
        const agent = new SimpleFunctionsAgent(shared);
        return () => thenClose(agent.call("mail.send", letter), agent);
      };
    },
    platform: (pack: ReturnType<typeof mailTools>["pack"]) => {
      let secret: string | undefined;
      return async (store: Store, rules: readonly HostRule[]) => {
        const platform = await openPlatform({ store, installation, packs: [pack], policy: asking, rules });
        secret ??= (await platform.createKey("office", { scopes: ["read", "write"] })).secret;
        const client = connectEmbedded(platform, { apiKey: secret });
        return () => thenClose(client.call("mail.send", letter), platform);
      };
    },
  };

  describe.each(["library", "direct runner", "platform"] as const)("in a %s", (entry) => {
    test.each(others)("does not fit %s", async (_, rules) => {
      const { sent, pack } = mailTools();
      const open = entries[entry](pack);
      const { store, id } = await begun(open);
      const again = await outcomeOf((await open(store, rules))());
      expect(again.code).toBe("approval_required");
      expect(again.id).not.toBe(id);
      expect(sent).toStrictEqual([]);
    });

    test("fits under the same version, also after a restart", async () => {
      const { sent, pack } = mailTools();
      const open = entries[entry](pack);
      const { store } = await begun(open);
      expect((await outcomeOf((await open(store, ruleOf("1")))())).code).toBe("completed");
      expect(sent).toStrictEqual([letter]);
    });
  });

  test("is refused where a call names it under another version", async () => {
    const { pack } = mailTools();
    const open = entries.library(pack);
    const { store, id } = await begun(open);
    const office = govern({
      packs: [pack],
      policy: asking,
      principal,
      store,
      installation,
      rules: ruleOf("2"),
    });
    const call = office.call("mail.send", letter, { approvalId: id });
    await expect(call).rejects.toMatchObject({ code: "approval_mismatch" });
    await expect(call).rejects.toThrow(/policy was changed/);
  });

  test("without an id and a version fits only the same text in the same process", async () => {
    const [{ sent, pack }, store] = [mailTools(), createMemoryStore()];
    const open = (evaluatePreTool: HostRule["evaluatePreTool"]) =>
      govern({
        packs: [pack],
        policy: asking,
        principal,
        store,
        installation,
        ...(evaluatePreTool && { evaluatePreTool }),
      });
    const first = open(() => ({ outcome: "allow" }));
    const { id } = await outcomeOf(first.call("mail.send", letter));
    await approve(store, id);
    const changed = open(() => ({ outcome: "allow", reason: "another text" }));
    expect((await outcomeOf(changed.call("mail.send", letter))).code).toBe("approval_required");
    expect((await outcomeOf(open(undefined).call("mail.send", letter))).code).toBe("approval_required");
    const same = open(() => ({ outcome: "allow" }));
    expect((await outcomeOf(same.call("mail.send", letter))).code).toBe("completed");
    expect(sent).toStrictEqual([letter]);
  });
});

test("a verdict names the rules by id and version, and its policy digest covers them", async () => {
  const { pack } = mailTools();
  const verdictUnder = async (rules: readonly HostRule[]): Promise<Verdict> => {
    await using office = govern({ packs: [pack], policy: { maxSideEffect: "user_write" }, principal, rules });
    return (await office.call("mail.send", letter)).receipt.verdict;
  };
  const [none, one, two] = [
    await verdictUnder([]),
    await verdictUnder(ruleOf("1")),
    await verdictUnder(ruleOf("2")),
  ];
  expect([none.rules, one.rules, two.rules]).toStrictEqual([
    undefined,
    [{ id: "recipients", version: "1" }],
    [{ id: "recipients", version: "2" }],
  ]);
  expect(new Set([none, one, two].map(({ policyDigest }) => policyDigest)).size).toBe(3);
});

describe("a run", () => {
  type Rules = { readonly rules: readonly HostRule[] } | { readonly evaluatePreTool: EvaluatePreTool };
  const model: ModelAdapter = {
    name: "proposer",
    offline: true,
    complete: async ({ messages }) => {
      const usage = { inputTokens: 10, outputTokens: 5 };
      const isFirst = !messages.some(({ role }) => role === "tool");
      if (!isFirst) return { text: "done", toolCalls: [], finish: "stop", usage };
      const toolCalls = [{ id: "c1", name: "mail.send", args: letter }];
      return { text: "", toolCalls, finish: "tool_calls", usage } as never;
    },
  };
  const policy = {
    ...asking,
    budget: { maxSteps: 8, maxToolCalls: 8 },
    session: { persist: true, ttlMs: 86_400_000, maxHistoryTokens: 32_000 },
  } as const;
  const started = async (given: Rules = { rules: ruleOf("1") }) => {
    const [{ sent, pack }, store] = [mailTools(), createMemoryStore()];
    const open = (rules: Rules) =>
      new SimpleFunctionsRuntime({
        packs: [pack],
        model,
        principal: { ...principal, kind: "key" },
        store,
        installation,
        policy,
        ...rules,
      });
    const first = open(given);
    const { runId, approvals } = await first.run({ objective: "write" });
    await first.close();
    await approve(store, approvals[0]?.approvalId ?? "");
    return { sent, open, runId };
  };

  test.each(others)("goes on with the package that it was started with, and not %s", async (_, rules) => {
    const { sent, open, runId } = await started();
    await using second = open({ rules });
    const refusal = second.resume(runId);
    await expect(refusal).rejects.toMatchObject({
      code: "invalid_package",
      details: { reason: "other_package" },
    });
    await expect(refusal).rejects.toThrow(/under other rules of the host/);
    expect(sent).toStrictEqual([]);
  });

  test("goes on under the same version in another process", async () => {
    const { sent, open, runId } = await started();
    await using second = open({ rules: ruleOf("1") });
    expect((await second.resume(runId)).status).toBe("completed");
    expect(sent).toStrictEqual([letter]);
  });

  test("whose rule has no id and no version goes on in another process, and not by what was approved in this one", async () => {
    const { sent, open, runId } = await started({ evaluatePreTool: () => ({ outcome: "allow" }) });
    await using second = open({ evaluatePreTool: () => ({ outcome: "allow", reason: "another text" }) });
    const result = await second.resume(runId);
    expect([result.status, sent]).toStrictEqual(["completed", []]);
    expect(JSON.stringify(result.steps)).toContain("approval_mismatch");
  });
});

describe("what a person has approved under a rule is not done under another", () => {
  const usage = { inputTokens: 10, outputTokens: 5 };
  const proposing = (name: string, args: object): ModelAdapter => ({
    name: "proposer",
    offline: true,
    complete: async ({ messages }) => {
      const isFirst = !messages.some(({ role }) => role === "tool");
      if (!isFirst) return { text: "done", toolCalls: [], finish: "stop", usage };
      return { text: "", toolCalls: [{ id: "c1", name, args }], finish: "tool_calls", usage } as never;
    },
  });

  test.each(others)("by a subagent %s", async (_, rules) => {
    const [{ sent, pack }, store] = [mailTools(), createMemoryStore()];
    const child = subagent({
      name: "writer",
      objective: "Write what you are told.",
      tools: ["mail.send"],
      budget: { maxSteps: 4, maxToolCalls: 2 },
      route: { type: "use_allowed_override", routeId: "child", modelId: "proposer" },
    });
    const open = (given: readonly HostRule[]) =>
      new SimpleFunctionsRuntime({
        packs: [pack, child],
        model: { ...proposing("subagent.writer", { task: "write" }), name: "parent" },
        routes: { child: proposing("mail.send", letter) },
        principal: { ...principal, kind: "key" },
        store,
        installation,
        policy: {
          ...asking,
          budget: { maxSteps: 8, maxToolCalls: 8, maxChildren: 2, maxDepth: 1 },
          session: { persist: true, ttlMs: 86_400_000, maxHistoryTokens: 32_000 },
        },
        rules: given,
      });
    const first = open(ruleOf("1"));
    const { runId, status, approvals } = await first.run({ objective: "have it written" });
    expect(status).toBe("requires_approval");
    await first.close();
    await approve(store, approvals[0]?.approvalId ?? "");
    await using second = open(rules);
    await expect(second.resume(runId)).rejects.toMatchObject({ details: { reason: "other_package" } });
    expect(sent).toStrictEqual([]);
    await using same = open(ruleOf("1"));
    expect((await same.resume(runId)).status).toBe("completed");
    expect(sent).toStrictEqual([letter]);
  });

  test.each(others)("by a long-lived agent %s", async (_, rules) => {
    const [{ sent, pack }, store] = [mailTools(), createMemoryStore()];
    const open = (given: readonly HostRule[]) =>
      new Spectator({
        model: proposing("mail.send", letter),
        toolCalling: "native",
        packs: [pack],
        policy: asking,
        principal,
        store,
        installation,
        rules: given,
      });
    const first = open(ruleOf("1"));
    const asked = await (await first.open("monday")).turn("Write to anna.");
    expect(asked.status).toBe("requires_approval");
    await first.close();
    await approve(store, asked.approvals[0]?.approvalId ?? "");
    await using second = open(rules);
    const came = await outcomeOf((await second.open("monday")).resume());
    expect([came.code, sent]).toStrictEqual(["invalid_package", []]);
    await second.close();
    await using same = open(ruleOf("1"));
    expect((await (await same.open("monday")).resume())?.status).toBe("completed");
    expect(sent).toStrictEqual([letter]);
  });
});

test.each<[string, unknown, RegExp]>([
  ["that is a function", () => ({ outcome: "allow" }), /rules is a list: rules: \[\{ id: "spending"/],
  ["without a version", [{ id: "a", evaluatePreTool: () => ({ outcome: "allow" }) }], /version/],
  ["with an id of spaces", [{ ...ruleOf("1")[0], id: "a b" }], /expected a rule's id/],
  [
    "with a secret as its version",
    [{ ...ruleOf("1")[0], version: `ghp_${"a1B2c3D4e5F6".repeat(3)}` }],
    /secret/,
  ],
  ["without a function", [{ id: "a", version: "1" }], /neither evaluatePreTool nor evaluatePostTool/],
  [
    "with a mistyped function",
    [{ id: "a", version: "1", evaluatePretool: () => 1 }],
    /no member evaluatePretool/,
  ],
  ["twice with the same id", [...ruleOf("1"), ...ruleOf("2")], /two rules have the id recipients/],
])("a rule %s is refused before anything is called", async (_, rules, message) => {
  const { pack } = mailTools();
  const refused = (make: () => unknown) => {
    const error = (() => {
      try {
        return make() as SimpleFunctionsError;
      } catch (thrown) {
        return thrown as SimpleFunctionsError;
      }
    })();
    expect([error.code, message.test(error.message)]).toStrictEqual(["host_configuration_needed", true]);
  };
  refused(() => govern({ packs: [pack], policy: {}, principal, rules: rules as never }));
  const platform = openPlatform({ store: createMemoryStore(), installation, rules: rules as never });
  await platform.then(
    () => expect.fail("it was opened"),
    (error: SimpleFunctionsError) => refused(() => error),
  );
});
