// G1: a host's own rule holds at every entry. Each entry gets the same tool and the same rule, which denies one recipient.
import { defineTool, govern, SimpleFunctionsAgent } from "@spfunctions/agent";
import { Spectator } from "@spfunctions/agent/spectator";
import { Agent, query, SimpleFunctionsRuntime, subagent } from "@spfunctions/agent/v1";
import { isSimpleFunctionsError, type SimpleFunctionsError } from "@spfunctions/contracts";
import {
  createMemoryStore,
  type HostRule,
  type ModelAdapter,
  newInstallationSecret,
  openInstallation,
  openOperator,
  openReplay,
  type PolicyView,
} from "@spfunctions/kernel";
import { connectEmbedded } from "@spfunctions/sdk";
import { openPlatform } from "@spfunctions/server";
import { describe, expect, test } from "vitest";

const installation = openInstallation(newInstallationSecret());
const principal = { accountId: "office", keyId: "clerk", scopes: ["read", "write"], kind: "local" } as const;
const boss = { accountId: "office", keyId: "boss", scopes: ["admin"], kind: "operator" } as const;
const policy = { maxSideEffect: "user_write" } as const;
const [refused, fine] = [{ to: "mallory" }, { to: "anna" }];

/** Denies letters to one recipient, and hears of every call that it is asked about. */
function recipients() {
  const seen: PolicyView[] = [];
  const rule: HostRule = {
    id: "recipients",
    version: "1",
    evaluatePreTool: (view) => {
      seen.push(view);
      return isFor(view, "mallory")
        ? { outcome: "deny", reason: "nobody writes to them" }
        : { outcome: "allow" };
    },
  };
  return { rules: [rule], seen };
}

/** Gives no output about one recipient to anybody. */
const withholding: readonly HostRule[] = [
  {
    id: "outputs",
    version: "1",
    evaluatePostTool: (view) => (isFor(view, "mallory") ? { outcome: "deny" } : { outcome: "allow" }),
  },
];

function isFor({ input }: PolicyView, to: string): boolean {
  return (input as { to?: string }).to === to;
}

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
    run: (given) => ({ sent: sent.push(given), said: "a word for nobody" }),
  });
  return { sent, pack: [send] };
}

async function refusalOf(call: Promise<unknown>): Promise<SimpleFunctionsError> {
  const error: unknown = await call.then(
    () => "it went well",
    (thrown: unknown) => thrown,
  );
  if (isSimpleFunctionsError(error)) return error;
  throw new Error(`no refusal: ${String(error)}`);
}

const gateOf = ({ details }: SimpleFunctionsError) =>
  (details?.["verdict"] as { gate?: string } | undefined)?.gate;

/** Proposes one call in its first answer, and then says it is done. */
const proposing = (name: string, args: object): ModelAdapter => ({
  name: "proposer",
  offline: true,
  complete: async ({ messages }) => {
    const usage = { inputTokens: 10, outputTokens: 5 };
    const isFirst = !messages.some(({ role }) => role === "tool");
    if (!isFirst) return { text: "done", toolCalls: [], finish: "stop", usage };
    return { text: "", toolCalls: [{ id: "c1", name, args }], finish: "tool_calls", usage } as never;
  },
});

const runPolicy = {
  maxSideEffect: "user_write",
  maxCostEffect: "llm_cost",
  approvals: { requireForSideEffectAtOrAbove: "secret" },
  budget: { maxSteps: 8, maxToolCalls: 8, maxChildren: 2, maxDepth: 1 },
  session: { persist: true, ttlMs: 86_400_000, maxHistoryTokens: 32_000 },
} as const;

describe("a host's own rule is asked about every call", () => {
  test("of the library", async () => {
    const [{ sent, pack }, { rules }] = [mailTools(), recipients()];
    const office = govern({ packs: [pack], policy, principal, rules });
    const refusal = await refusalOf(office.call("mail.send", refused));
    expect([refusal.code, gateOf(refusal)]).toStrictEqual(["policy_denied", "pre_tool"]);
    expect(refusal.message).toContain("recipients: nobody writes to them");
    await office.call("mail.send", fine);
    expect(sent).toStrictEqual([fine]);
  });

  test.each(["rules", "evaluatePreTool"] as const)("of a platform, over HTTP, given as %s", async (given) => {
    const [{ sent, pack }, { rules, seen }] = [mailTools(), recipients()];
    const [{ evaluatePreTool } = rules[0] as HostRule] = rules;
    const option = given === "rules" ? { rules } : { evaluatePreTool };
    const platform = await openPlatform({
      store: createMemoryStore(),
      installation,
      packs: [pack],
      ...option,
    });
    for (const scopes of [
      ["read", "write"],
      ["admin", "write"],
    ] as const) {
      const key = await platform.createKey("office", { name: scopes[0], scopes: [...scopes] });
      const client = connectEmbedded(platform, { apiKey: key.secret });
      const refusal = await refusalOf(client.call("mail.send", refused));
      expect(refusal.code).toBe("policy_denied");
      await client.call("mail.send", fine);
    }
    expect(sent).toStrictEqual([fine, fine]);
    expect(seen.every(({ principal: { kind } }) => kind === "key")).toBe(true);
    await platform.close();
  });

  test("of a direct runner, on its own side", async () => {
    const [{ sent, pack }, { rules }] = [mailTools(), recipients()];
    const platform = await openPlatform({ store: createMemoryStore(), installation, packs: [pack] });
    const key = await platform.createKey("office", { scopes: ["read", "write"] });
    const client = connectEmbedded(platform, { apiKey: key.secret });
    await using agent = new SimpleFunctionsAgent({ client, policy, rules });
    expect(gateOf(await refusalOf(agent.call("mail.send", refused)))).toBe("pre_tool");
    // What the platform says is not asked before the call is made there.
    expect(await agent.explain("mail.send", refused)).toMatchObject({
      outcome: "unchecked",
      reason: "unchecked: pre_tool, platform; nothing else stopped it",
      unchecked: ["pre_tool", "platform"],
    });
    expect(await agent.check("mail.send", refused)).toMatchObject({ outcome: "deny", gate: "pre_tool" });
    expect(await agent.check("mail.send", fine)).toMatchObject({
      outcome: "unchecked",
      unchecked: ["platform"],
      asksPerson: false,
    });
    expect(sent).toStrictEqual([]);
    await platform.close();
  });

  test("of a model-backed run, also after another process has taken it on", async () => {
    const [{ sent, pack }, { rules, seen }] = [mailTools(), recipients()];
    const store = createMemoryStore();
    const made = (more: object = {}) =>
      new SimpleFunctionsRuntime({
        packs: [pack],
        model: proposing("mail.send", refused),
        principal: { ...principal, kind: "key" },
        store,
        installation,
        policy: { ...runPolicy, approvals: { requireForSideEffectAtOrAbove: "user_write" } },
        rules,
        ...more,
      });
    await using first = made();
    expect((await first.run({ objective: "write" })).status).toBe("completed");
    expect([sent, seen.length]).toStrictEqual([[], 1]);
    const asking = made({ model: proposing("mail.send", fine) });
    const rest = await asking.run({ objective: "write" });
    expect(rest.status).toBe("requires_approval");
    await asking.close();
    const operator = openOperator({ store, installation, principal: boss });
    const [question] = await operator.list();
    await operator.approve(question?.approvalId ?? "");
    await using second = made({ model: proposing("mail.send", fine) });
    const before = seen.length;
    expect((await second.resume(rest.runId)).status).toBe("completed");
    // What was approved is asked about once more before it runs.
    expect([sent, seen.length > before]).toStrictEqual([[fine], true]);
  });

  test("of an agent, and of a query", async () => {
    const [{ sent, pack }, { rules, seen }] = [mailTools(), recipients()];
    const shared = {
      packs: [pack],
      principal: { ...principal, kind: "key" },
      policy: runPolicy,
      rules,
    } as const;
    await using agent = Agent.create({
      ...shared,
      model: proposing("mail.send", refused),
      builtinTools: ["mail.send"],
    });
    expect((await (await agent.send("write")).wait()).status).toBe("completed");
    const conversation = query({
      prompt: "write",
      options: { ...shared, model: proposing("mail.send", refused), builtinTools: ["mail.send"] },
    });
    for await (const { type } of conversation) if (type === "turn.completed") break;
    await conversation.close();
    expect([seen.length, sent]).toStrictEqual([2, []]);
  });

  test("of a subagent, which inherits it", async () => {
    const [{ sent, pack }, { rules, seen }] = [mailTools(), recipients()];
    const child = subagent({
      name: "writer",
      objective: "Write what you are told.",
      tools: ["mail.send"],
      budget: { maxSteps: 4, maxToolCalls: 2 },
      route: { type: "use_allowed_override", routeId: "child", modelId: "proposer" },
    });
    await using runtime = new SimpleFunctionsRuntime({
      packs: [pack, child],
      model: { ...proposing("subagent.writer", { task: "write" }), name: "parent" },
      routes: { child: proposing("mail.send", refused) },
      principal: { ...principal, kind: "key" },
      installation,
      policy: runPolicy,
      rules,
    });
    expect((await runtime.run({ objective: "have it written" })).status).toBe("completed");
    expect(seen.map(({ tool, origin }) => `${tool} ${origin}`)).toStrictEqual([
      "subagent.writer model",
      "mail.send subagent",
    ]);
    expect(sent).toStrictEqual([]);
  });

  test("of a long-lived agent", async () => {
    const [{ sent, pack }, { rules, seen }] = [mailTools(), recipients()];
    const calls = JSON.stringify([{ id: "t1", tool: "mail.send", args: refused }]);
    let said = 0;
    const { session: _session, budget: _budget, ...turnPolicy } = runPolicy;
    await using agent = new Spectator({
      model: {
        name: "writer",
        offline: true,
        complete: async () => ({
          text: said++ === 0 ? `Writing. <<<TOOL_CALLS_JSON>>>${calls}<<<END_TOOL_CALLS_JSON>>>` : "No.",
          toolCalls: [],
          finish: "stop",
          usage: { inputTokens: 10, outputTokens: 5 },
        }),
      },
      packs: [pack],
      policy: turnPolicy,
      principal,
      installation,
      rules,
    });
    const session = await agent.open("monday");
    expect((await session.turn("Write to somebody.")).status).toBe("completed");
    expect([seen.length, sent]).toStrictEqual([1, []]);
  });

  test("and of no replay: nobody is asked about what is only repeated", async () => {
    const [{ sent, pack }, { rules, seen }] = [mailTools(), recipients()];
    const lines: string[] = [];
    const trace = (line: string) => void lines.push(line);
    const office = govern({ packs: [pack], policy, principal, installation, rules, trace });
    await office.call("mail.send", fine);
    await office.close();
    const before = seen.length;
    const replay = await openReplay([lines.join("\n")]);
    await using again = govern({ packs: [pack], policy, principal, installation, rules, replay });
    await again.call("mail.send", fine);
    expect([seen.length, sent]).toStrictEqual([before, [fine]]);
  });
});

describe("a rule about outputs withholds what it denies", () => {
  test("in the library and at a platform", async () => {
    const { sent, pack } = mailTools();
    const office = govern({ packs: [pack], policy, principal, rules: withholding });
    expect((await refusalOf(office.call("mail.send", refused))).details).toMatchObject({
      stage: "post_tool",
    });
    const platform = await openPlatform({
      store: createMemoryStore(),
      installation,
      packs: [pack],
      rules: withholding,
    });
    const key = await platform.createKey("office", { scopes: ["read", "write"] });
    const client = connectEmbedded(platform, { apiKey: key.secret });
    expect((await refusalOf(client.call("mail.send", refused))).details).toMatchObject({
      stage: "post_tool",
    });
    await client.call("mail.send", fine);
    expect(sent).toHaveLength(3);
    await platform.close();
  });
});

describe("a rule about outputs withholds what it denies from a model, too", () => {
  const listening = (asked: string[], name = "mail.send"): ModelAdapter => {
    const model = proposing(name, name === "mail.send" ? refused : { task: "write" });
    return {
      ...model,
      complete: async (...given) => {
        asked.push(JSON.stringify(given[0].messages));
        return await model.complete(...given);
      },
    };
  };

  test("in a run and in its subagent", async () => {
    const [{ sent, pack }, asked]: [ReturnType<typeof mailTools>, string[]] = [mailTools(), []];
    const child = subagent({
      name: "writer",
      objective: "Write what you are told.",
      tools: ["mail.send"],
      budget: { maxSteps: 4, maxToolCalls: 2 },
      route: { type: "use_allowed_override", routeId: "child", modelId: "proposer" },
    });
    const shared = {
      packs: [pack, child],
      routes: { child: listening(asked) },
      principal: { ...principal, kind: "key" },
      installation,
      policy: runPolicy,
      rules: withholding,
    } as const;
    for (const name of ["mail.send", "subagent.writer"]) {
      await using runtime = new SimpleFunctionsRuntime({
        ...shared,
        model: { ...listening(asked, name), name: "parent" },
      });
      expect((await runtime.run({ objective: "write" })).status).toBe("completed");
    }
    expect([sent.length, asked.join().includes("a word for nobody")]).toStrictEqual([2, false]);
    expect(asked.join()).toContain("policy_denied");
  });

  test("in a long-lived agent", async () => {
    const [{ sent, pack }, asked]: [ReturnType<typeof mailTools>, string[]] = [mailTools(), []];
    const { session: _session, budget: _budget, ...turnPolicy } = runPolicy;
    await using agent = new Spectator({
      model: listening(asked),
      toolCalling: "native",
      packs: [pack],
      policy: turnPolicy,
      principal,
      installation,
      rules: withholding,
    });
    const session = await agent.open("monday");
    expect((await session.turn("Write to somebody.")).status).toBe("completed");
    expect([sent.length, asked.join().includes("a word for nobody")]).toStrictEqual([1, false]);
  });

  test("in a direct runner, on its own side", async () => {
    const { sent, pack } = mailTools();
    const platform = await openPlatform({ store: createMemoryStore(), installation, packs: [pack] });
    const { secret } = await platform.createKey("office", { scopes: ["read", "write"] });
    await using agent = new SimpleFunctionsAgent({
      client: connectEmbedded(platform, { apiKey: secret }),
      policy,
      rules: withholding,
    });
    const refusal = await refusalOf(agent.call("mail.send", refused));
    expect([refusal.details?.["stage"], sent.length]).toStrictEqual(["post_tool", 1]);
    await platform.close();
  });
});

/** What each entry answers to a call that its rule denies, with the rule given up after the entry was made and before the call. */
const later: Readonly<Record<string, (terms: LaterTerms) => Promise<void>>> = {
  library: async ({ pack, rules, giveUp }) => {
    const office = govern({ packs: [pack], policy, principal, rules });
    giveUp();
    await refusalOf(office.call("mail.send", refused));
  },
  "direct runner": async ({ pack, rules, giveUp }) => {
    const platform = await openPlatform({ store: createMemoryStore(), installation, packs: [pack] });
    const { secret } = await platform.createKey("office", { scopes: ["read", "write"] });
    await using agent = new SimpleFunctionsAgent({
      client: connectEmbedded(platform, { apiKey: secret }),
      policy,
      rules,
    });
    giveUp();
    await refusalOf(agent.call("mail.send", refused));
    await platform.close();
  },
  platform: async ({ pack, rules, giveUp }) => {
    const platform = await openPlatform({ store: createMemoryStore(), installation, packs: [pack], rules });
    giveUp();
    const { secret } = await platform.createKey("office", { scopes: ["read", "write"] });
    await refusalOf(connectEmbedded(platform, { apiKey: secret }).call("mail.send", refused));
    await platform.close();
  },
  runtime: async ({ pack, rules, giveUp }) => {
    await using runtime = new SimpleFunctionsRuntime({
      packs: [pack],
      model: proposing("mail.send", refused),
      principal: { ...principal, kind: "key" },
      policy: runPolicy,
      rules,
    });
    giveUp();
    expect((await runtime.run({ objective: "write" })).status).toBe("completed");
  },
  "long-lived agent": async ({ pack, rules, giveUp }) => {
    const { session: _session, budget: _budget, ...turnPolicy } = runPolicy;
    await using agent = new Spectator({
      model: proposing("mail.send", refused),
      toolCalling: "native",
      packs: [pack],
      policy: turnPolicy,
      principal,
      installation,
      rules,
    });
    giveUp();
    const session = await agent.open("monday");
    expect((await session.turn("Write to somebody.")).status).toBe("completed");
  },
};

type LaterTerms = {
  readonly pack: ReturnType<typeof mailTools>["pack"];
  readonly rules: readonly HostRule[];
  readonly giveUp: () => void;
};

describe.each([
  ["taken from the list", (rules: HostRule[]) => rules.splice(0)],
  [
    "made to allow everything",
    (rules: HostRule[]) =>
      Object.assign(rules[0] as object, { evaluatePreTool: () => ({ outcome: "allow" }) }),
  ],
] as const)("a rule that is %s after it was given is asked all the same", (_, change) => {
  test.each(Object.keys(later))("by the %s", async (entry) => {
    const [{ sent, pack }, given] = [mailTools(), recipients()];
    const rules = given.rules.map((rule) => ({ ...rule }));
    await later[entry]?.({ pack, rules, giveUp: () => void change(rules) });
    expect([given.seen.length, sent]).toStrictEqual([1, []]);
  });
});

test("a child that the host starts is under it, as one that a model starts", async () => {
  const [{ sent, pack }, { rules, seen }] = [mailTools(), recipients()];
  const asked = Promise.withResolvers<void>();
  const child = subagent({
    name: "writer",
    objective: "Write what you are told.",
    tools: ["mail.send"],
    budget: { maxSteps: 4, maxToolCalls: 2 },
  });
  const closed: HostRule = {
    id: "closed",
    version: "1",
    evaluatePreTool: ({ tool }) => ({ outcome: tool === "subagent.writer" ? "deny" : "allow" }),
  };
  await using runtime = new SimpleFunctionsRuntime({
    packs: [pack, child],
    model: {
      name: "waiting",
      offline: true,
      complete: async () => {
        await asked.promise;
        return { text: "done", toolCalls: [], finish: "stop", usage: { inputTokens: 1, outputTokens: 1 } };
      },
    },
    principal: { ...principal, kind: "key" },
    installation,
    policy: runPolicy,
    rules: [...rules, closed],
  });
  const stream = runtime.runStream({ objective: "wait" });
  const starting = runtime.startChild(await stream.runId, {
    subagent: "subagent.writer",
    task: "write",
    key: "k",
  });
  expect(gateOf(await refusalOf(starting))).toBe("pre_tool");
  asked.resolve();
  expect((await stream.result).children ?? []).toStrictEqual([]);
  expect([seen.map(({ tool }) => tool), sent]).toStrictEqual([[], []]);
});
