// G4: what is judged by code and shown to a person is the recorded form. A call that changes something runs unseen at no entry.
import { defineTool, govern, SimpleFunctionsAgent } from "@spfunctions/agent";
import { Spectator } from "@spfunctions/agent/spectator";
import { SimpleFunctionsRuntime, subagent } from "@spfunctions/agent/v1";
import {
  type Approval,
  heldSecrets,
  isSimpleFunctionsError,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import {
  createMemoryStore,
  type ModelAdapter,
  newInstallationSecret,
  openInstallation,
  openOperator,
  type Store,
} from "@spfunctions/kernel";
import { connectEmbedded } from "@spfunctions/sdk";
import { openPlatform } from "@spfunctions/server";
import { describe, expect, test } from "vitest";
import { Home, notesPack } from "../packages/cli/test-data/run-sf.ts";

const installation = openInstallation(newInstallationSecret());
const principal = { accountId: "office", keyId: "clerk", scopes: ["read", "write"], kind: "local" } as const;
const boss = { accountId: "office", keyId: "boss", scopes: ["admin"], kind: "operator" } as const;
/** The recipient stands where only secrets are looked for. */
const unseen = { secret: { to: "mallory" } };
const asked = { pointer: "/secret/to", kind: "secret", length: 7 };

function mailTools() {
  const sent: unknown[] = [];
  const input = {
    type: "object",
    properties: {
      text: { type: "string" },
      secret: { type: "object" },
      login: { type: "string", "x-sf-secret": true },
    },
    additionalProperties: false,
  } as const;
  const shared = { input, output: {}, permissions: ["mail"], costEffect: "none" } as const;
  const send = defineTool({
    ...shared,
    name: "mail.send",
    description: "Sends a letter.",
    sideEffect: "user_write",
    http: { method: "POST", path: "/api/mail" },
    run: (given) => ({ sent: sent.push(given) }),
  });
  const draft = defineTool({
    ...shared,
    name: "mail.look",
    description: "Shows what a letter would be.",
    sideEffect: "none",
    run: () => ({ sent: 0 }),
  });
  return { sent, pack: [send, draft] };
}

async function refusalOf(call: Promise<unknown>): Promise<SimpleFunctionsError> {
  const error: unknown = await call.then(
    () => "it went well",
    (thrown: unknown) => thrown,
  );
  if (isSimpleFunctionsError(error)) return error;
  throw new Error(`no refusal: ${String(error)}`);
}

const operatorOf = (store: Store) => openOperator({ store, installation, principal: boss });

function openOffice(more: { readonly policy?: object; readonly sessionId?: string } = {}) {
  const { sent, pack } = mailTools();
  const store = createMemoryStore();
  const office = govern({
    packs: [pack],
    policy: { maxSideEffect: "user_write" },
    principal,
    store,
    installation,
    ...more,
  });
  return { office, sent, store, operator: operatorOf(store) };
}

describe("what is hidden in a call that changes something", () => {
  test("stops it at the gate approval, and the question names each place, kind and length", async () => {
    const { office, sent, operator } = openOffice();
    const refusal = await refusalOf(office.call("mail.send", unseen));
    expect(refusal.code).toBe("approval_required");
    expect(refusal.details).toMatchObject({ reason: "hidden_parts", hidden: [asked] });
    expect(refusal.details?.["verdict"]).toMatchObject({ outcome: "ask", gate: "approval" });
    const [question] = await operator.list();
    expect(question?.hidden).toStrictEqual([asked]);
    expect(question?.reason).toContain("/secret/to (secret, 7 characters)");
    expect(JSON.stringify(question)).not.toContain("mallory");
    expect(sent).toStrictEqual([]);
  });

  test("runs once a person has approved it, that call and no other", async () => {
    const { office, sent, operator } = openOffice();
    await refusalOf(office.call("mail.send", unseen));
    const [question] = await operator.list();
    await operator.approve(question?.approvalId ?? "");
    await expect(refusalOf(office.call("mail.send", { secret: { to: "oscar" } }))).resolves.toMatchObject({
      code: "approval_required",
    });
    await office.call("mail.send", unseen);
    expect(sent).toStrictEqual([unseen]);
    await expect(refusalOf(office.call("mail.send", unseen))).resolves.toMatchObject({
      code: "approval_required",
    });
  });

  test("is told by explain, before anything is called", () => {
    const { office } = openOffice();
    expect(office.explain("mail.send", unseen)).toMatchObject({ outcome: "ask", gate: "approval" });
    expect(office.explain("mail.send", { text: "hello" })).toMatchObject({ outcome: "allow" });
  });

  test("is denied where nobody can be asked, and the remedy names x-sf-secret", async () => {
    const { sent, pack } = mailTools();
    // Nobody else has the store, so no person could answer.
    const alone = govern({ packs: [pack], policy: { maxSideEffect: "user_write" }, principal });
    const refusal = await refusalOf(alone.call("mail.send", unseen));
    expect([refusal.code, refusal.details?.["reason"]]).toStrictEqual(["policy_denied", "hidden_parts"]);
    expect(refusal.message).toContain("x-sf-secret");
    expect(sent).toStrictEqual([]);
  });

  test("stops nothing where its schema declares it, in that place alone", async () => {
    const { office, sent } = openOffice();
    await office.call("mail.send", { login: "mallory" });
    expect(sent).toStrictEqual([{ login: "mallory" }]);
    // Otherwise a recipient could be hidden by writing it into the declared member as well.
    const refusal = await refusalOf(office.call("mail.send", { login: "mallory", ...unseen }));
    expect(refusal.details).toMatchObject({ reason: "hidden_parts", hidden: [asked] });
  });

  test("stops nothing where this process holds it", async () => {
    const { office, sent } = openOffice();
    const word = "correct-horse-battery-staple";
    heldSecrets.add(word);
    try {
      await office.call("mail.send", { secret: { to: "correct-horse-battery-staple" } });
      await office.call("mail.send", { text: "it is correct-horse-battery-staple" });
      expect(sent).toHaveLength(2);
    } finally {
      heldSecrets.remove(word);
    }
  });

  test("is named also where a member's name is hidden, or an item of a list", async () => {
    const { office, sent } = openOffice();
    const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    for (const [input, hidden] of [
      [
        { secret: { [token]: "mallory" } },
        [{ pointer: "/secret", kind: "github_token, secret", length: 47 }],
      ],
      [
        { secret: { to: ["mallory", "oscar"] } },
        [
          { pointer: "/secret/to/0", kind: "secret", length: 7 },
          { pointer: "/secret/to/1", kind: "secret", length: 5 },
        ],
      ],
    ] as const) {
      const { code, details } = await refusalOf(office.call("mail.send", input));
      expect([code, details?.["hidden"]]).toStrictEqual(["approval_required", hidden]);
    }
    expect(sent).toStrictEqual([]);
  });

  test("is told to policies in code: of the input before and after the call, and of the output", async () => {
    const told: unknown[] = [];
    const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    const issue = defineTool({
      name: "keys.issue",
      description: "Makes a key.",
      input: { type: "object" },
      output: {},
      permissions: ["keys"],
      sideEffect: "none",
      costEffect: "none",
      run: () => ({ made: [token] }),
    });
    const office = govern({
      packs: [issue],
      policy: {},
      principal,
      rules: [
        {
          id: "watcher",
          version: "1",
          evaluatePreTool: ({ hidden }) => (told.push(hidden), { outcome: "allow" }),
          evaluatePostTool: ({ hidden, outputHidden }) => (
            told.push(hidden, outputHidden), { outcome: "allow" }
          ),
        },
      ],
    });
    await office.call("keys.issue", unseen);
    const made = { pointer: "/made/0", kind: expect.any(String), length: 40 };
    expect(told).toStrictEqual([[asked], [asked], [made]]);
    await office.close();
  });

  test("stops no call that changes nothing", async () => {
    const { office } = openOffice();
    expect((await office.call("mail.look", unseen)).output).toStrictEqual({ sent: 0 });
  });

  test("is covered by no yes for a session, and fixed by none", async () => {
    const asking = {
      maxSideEffect: "user_write",
      approvals: { requireForSideEffectAtOrAbove: "user_write" },
    };
    const { office, sent, operator } = openOffice({ policy: asking, sessionId: "monday" });
    const question = async (input: object): Promise<Approval> => {
      const { details } = await refusalOf(office.call("mail.send", input));
      return await operator.get(String(details?.["approvalId"]));
    };
    const hidden = await question(unseen);
    const forSession = operator.approveForSession(hidden.approvalId, {});
    expect((await refusalOf(forSession)).details).toMatchObject({ reason: "hidden_parts" });
    const declared = await question({ login: "word", text: "hello" });
    const fixed = operator.approveForSession(declared.approvalId, { fixed: ["/login"] });
    expect((await refusalOf(fixed)).details).toMatchObject({ reason: "hidden_parts" });
    await operator.approveForSession(declared.approvalId, {});
    await office.call("mail.send", { text: "covered" });
    expect((await refusalOf(office.call("mail.send", unseen))).code).toBe("approval_required");
    expect(sent).toStrictEqual([{ text: "covered" }]);
  });
});

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
  budget: { maxSteps: 8, maxToolCalls: 8 },
  session: { persist: true, ttlMs: 86_400_000, maxHistoryTokens: 32_000 },
} as const;

describe("the same stops a call", () => {
  test("of a model-backed run, which goes on with it after a yes", async () => {
    const { sent, pack } = mailTools();
    const store = createMemoryStore();
    await using runtime = new SimpleFunctionsRuntime({
      packs: [pack],
      model: proposing("mail.send", unseen),
      principal: { ...principal, kind: "key" },
      store,
      installation,
      policy: runPolicy,
    });
    const rest = await runtime.run({ objective: "write" });
    expect([rest.status, sent]).toStrictEqual(["requires_approval", []]);
    const operator = operatorOf(store);
    const [question] = await operator.list();
    expect(question?.hidden).toStrictEqual([asked]);
    await operator.approve(question?.approvalId ?? "");
    expect((await runtime.resume(rest.runId)).status).toBe("completed");
    expect(sent).toStrictEqual([unseen]);
  });

  test("of a subagent", async () => {
    const { sent, pack } = mailTools();
    const store = createMemoryStore();
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
      routes: { child: proposing("mail.send", unseen) },
      principal: { ...principal, kind: "key" },
      store,
      installation,
      policy: runPolicy,
    });
    const rest = await runtime.run({ objective: "have it written" });
    expect([rest.status, sent]).toStrictEqual(["requires_approval", []]);
    const operator = operatorOf(store);
    const [question] = await operator.list();
    expect(question?.hidden).toStrictEqual([asked]);
    await operator.deny(question?.approvalId ?? "");
    await runtime.resume(rest.runId);
    expect(sent).toStrictEqual([]);
  });

  test("of a long-lived agent", async () => {
    const { sent, pack } = mailTools();
    const store = createMemoryStore();
    const calls = JSON.stringify([{ id: "t1", tool: "mail.send", args: unseen }]);
    const { policy } = { policy: { ...runPolicy, session: undefined, budget: undefined } };
    const { session: _session, budget: _budget, ...turnPolicy } = policy;
    const agent = new Spectator({
      model: {
        name: "writer",
        offline: true,
        complete: async () => ({
          text: `Writing. <<<TOOL_CALLS_JSON>>>${calls}<<<END_TOOL_CALLS_JSON>>>`,
          toolCalls: [],
          finish: "stop",
          usage: { inputTokens: 10, outputTokens: 5 },
        }),
      },
      packs: [pack],
      policy: turnPolicy,
      principal,
      store,
      installation,
    });
    const session = await agent.open("monday");
    const turn = await session.turn("Write to somebody.");
    expect([turn.status, sent]).toStrictEqual(["requires_approval", []]);
    const [question] = await operatorOf(store).list();
    expect(question?.hidden).toStrictEqual([asked]);
    await agent.close();
  });

  test("at a platform, over HTTP, where another key answers", async () => {
    const { sent, pack } = mailTools();
    const store = createMemoryStore();
    const platform = await openPlatform({ store, installation, packs: [pack] });
    const writer = await platform.createKey("office", { name: "writer", scopes: ["read", "write"] });
    const admin = await platform.createKey("office", { name: "admin", scopes: ["admin"] });
    const client = connectEmbedded(platform, { apiKey: writer.secret });
    const anna = connectEmbedded(platform, { apiKey: admin.secret });
    const send = async () => await client.call("mail.send", unseen);
    const refusal = await refusalOf(send());
    expect([refusal.code, refusal.details?.["reason"]]).toStrictEqual(["approval_required", "hidden_parts"]);
    expect(refusal.details?.["hidden"]).toStrictEqual([asked]);
    const approvalId = String(refusal.details?.["approvalId"]);
    expect((await anna.approvals.get(approvalId)).hidden).toStrictEqual([asked]);
    await anna.approvals.answer(approvalId, { answer: "approved" });
    await send();
    expect(sent).toStrictEqual([unseen]);
    await platform.close();
  });

  test("of a direct runner, on its own side", async () => {
    const { sent, pack } = mailTools();
    const store = createMemoryStore();
    const platform = await openPlatform({ store, installation, packs: [pack] });
    const writer = await platform.createKey("office", { name: "writer", scopes: ["read", "write"] });
    const agent = new SimpleFunctionsAgent({
      client: connectEmbedded(platform, { apiKey: writer.secret }),
      policy: { maxSideEffect: "user_write" },
      store: createMemoryStore(),
      installation,
    });
    const refusal = await refusalOf(agent.call("mail.send", unseen));
    expect([refusal.code, refusal.details?.["reason"]]).toStrictEqual(["approval_required", "hidden_parts"]);
    expect(sent).toStrictEqual([]);
    await agent.close();
    await platform.close();
  });

  test("of sf call, and sf explain says so before", async () => {
    const home = new Home();
    home.write("policy.json", { maxSideEffect: "user_write" });
    const token = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    const input = JSON.stringify({ text: `for mallory: ${token}` });
    const args = ["notes.add", "--pack", notesPack, "--policy", "policy.json", "--input", input];
    const explained = await home.run(["explain", ...args]);
    expect([explained.code, explained.out]).toStrictEqual([4, expect.stringContaining("/text (")]);
    const first = await home.run(["call", ...args]);
    expect([first.code, first.err]).toStrictEqual([
      4,
      expect.stringMatching(/\/text \(\w+, 40 characters\)/),
    ]);
    expect(first.err).not.toContain(token);
    const [, id = ""] = /sf approvals approve (\S+)/.exec(first.err) ?? [];
    expect((await home.run(["approvals", "show", id])).out).toContain("/text (");
    expect((await home.run(["approvals", "approve", id])).code).toBe(0);
    expect((await home.run(["call", ...args])).code).toBe(0);
    expect(home.read("notes")).toContain(token);
  });
});
