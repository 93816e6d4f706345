import { type AgentPolicy, canonicalJson, parseJsonStrict, type TraceHeader } from "@spfunctions/contracts";
import {
  createMemoryStore,
  defineTool,
  memoryTrace,
  type EvaluatePreTool,
  exportTrace,
  openInstallation,
  openReplay,
  segmentsOf,
} from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { collected } from "../../../kernel/test-data/call-desk.ts";
import { countingIds } from "../../../kernel/test-data/call-ids.ts";
import { govern } from "../govern.ts";
import type { Decision } from "./decision.ts";
import { suggestPolicy } from "./suggest-policy.ts";
import { whatIf } from "./what-if.ts";

const installation = openInstallation(new Uint8Array(32).fill(203));
const principal = {
  accountId: "acct_1",
  keyId: "key_1",
  scopes: ["read", "write", "trade"],
  kind: "local",
} as const;
const word = "a word known to what-if alone";

const shared = { description: "For a test.", output: {}, permissions: [], costEffect: "none" } as const;
const read = defineTool({ ...shared, name: "notes.read", input: {}, sideEffect: "none", run: () => null });
const write = defineTool({
  ...shared,
  name: "notes.write",
  // Shorter than any placeholder.
  input: { type: "object", properties: { apiKey: { type: "string", maxLength: 12, "x-sf-secret": true } } },
  sideEffect: "user_write",
  run: () => null,
});
const order = defineTool({
  ...shared,
  name: "orders.place",
  input: { type: "object" },
  sideEffect: "live_trade",
  trade: {
    venue: "/venue",
    side: "/side",
    quantity: "/quantity",
    dryRun: "/dryRun",
    jurisdiction: "/jurisdiction",
    confirm: "/confirm",
  },
  run: () => null,
});

const rails = {
  allowedVenues: ["kalshi"],
  maxOrderCostCents: 10_000,
  maxQuantity: 10,
  requireLimitPrice: false,
};
const trading: AgentPolicy = { maxSideEffect: "live_trade", trade: rails };
const confirmed: AgentPolicy = { ...trading, trade: { ...rails, confirmToken: word } };
const bid = { venue: "kalshi", side: "buy", quantity: 3, dryRun: true };

type Made = readonly [tool: string, input?: unknown];
type Conditions = { readonly evaluatePreTool?: EvaluatePreTool; readonly erase?: true };

/** Makes calls under a policy, and gives the trace. */
async function recorded(
  policy: AgentPolicy,
  calls: readonly Made[],
  conditions: Conditions = {},
): Promise<string> {
  const { erase, ...host } = conditions;
  const store = createMemoryStore();
  const packs = [read, write, order];
  const clock = new ManualClock();
  const made = govern({ packs, policy, principal, store, installation, clock, ids: countingIds(), ...host });
  for (const [tool, input] of calls) {
    const { callId } = await made.call(tool, input).catch(() => ({ callId: undefined }));
    if (erase === true && callId !== undefined) await made.erase(callId);
  }
  await made.close();
  const [stream = ""] = await collected(segmentsOf(store, "acct_1"));
  return `${(await collected(exportTrace(store, "acct_1", stream))).join("\n")}\n`;
}

const agreeing: EvaluatePreTool = () => ({ outcome: "allow" });

function short({ outcome, gate }: Decision): string {
  return gate === undefined ? outcome : `${outcome} ${gate}`;
}

/** What is said of the only call of a trace. */
async function only(policy: AgentPolicy, trace: string) {
  const { calls } = await whatIf(policy, [trace]);
  expect(calls).toHaveLength(1);
  const [call] = calls;
  return {
    now: call && short(call.now),
    ...(call?.uncertain && { or: short(call.uncertain.otherwise), because: call.uncertain.because }),
  };
}

test("every call is told with what it was and what it would be, and every difference as a sentence", async () => {
  const trace = await recorded({ maxSideEffect: "user_write" }, [
    ["notes.read"],
    ["notes.write", {}],
    ["notes.wrte"],
  ]);
  const at = "2026-01-02T03:04:05.000Z";
  const [first, second, third] = [1, 3, 4].map((n) => `call_00000001-0000-4000-8000-00000000000${n}`);
  const same = {
    trace: 1,
    callId: first,
    tool: "notes.read",
    toolDigest: read.contract.digest,
    at,
    was: { outcome: "allow", code: "allowed", status: "completed" },
    now: { outcome: "allow", code: "allowed", reason: "no gate stopped it" },
    differs: false,
  };
  const refused = {
    trace: 1,
    callId: second,
    tool: "notes.write",
    toolDigest: write.contract.digest,
    at,
    was: { outcome: "allow", code: "allowed", status: "completed" },
    now: {
      outcome: "deny",
      gate: "deny",
      code: "policy_denied",
      reason: "the agent's policy denies notes.write",
      remedy: 'take "notes.write" out of denyTools',
    },
    differs: true,
  };
  const unheard = { outcome: "deny", gate: "tool.exists", code: "unknown_tool" };
  const unknown = {
    trace: 1,
    callId: third,
    tool: "notes.wrte",
    at,
    was: { ...unheard, status: "denied_before_execution", error: "unknown_tool" },
    now: { ...unheard, reason: "there is no tool of this name", remedy: "did you mean notes.write?" },
    differs: false,
  };
  const sentence = `notes.write (${second}, ${at}) was allowed and would be refused at gate deny (policy_denied): the agent's policy denies notes.write; take "notes.write" out of denyTools.`;
  expect(await whatIf({ maxSideEffect: "user_write", denyTools: ["notes.write"] }, [trace])).toStrictEqual({
    calls: [same, refused, unknown],
    counts: {
      calls: 3,
      different: 1,
      uncertain: 0,
      was: { allow: 2, deny: 1, ask: 0 },
      now: { allow: 1, deny: 2, ask: 0 },
    },
    differences: [{ ...refused, sentence }],
  });
});

test("each level is judged on its own, and every one must pass (G2)", async () => {
  const trace = await recorded({}, [["notes.read"]]);
  const { calls } = await whatIf(
    [
      { level: "key", policy: {} },
      { level: "run", policy: { denyTools: ["notes.*"] } },
    ],
    [trace],
  );
  expect(calls[0]?.now.reason).toBe("the run's policy denies notes.*");
});

test("a record that two traces have is judged once, and the calls of all come in order", async () => {
  const one = await recorded({}, [["notes.read", { n: 1 }]]);
  const other = await recorded({}, [["notes.read", { n: 2 }]]);
  const unsealed = one.trimEnd().split("\n").slice(0, -1).join("\n");
  const { calls } = await whatIf({}, [unsealed, other, one]);
  expect(calls.map(({ trace }) => trace)).toStrictEqual([3, 2]);
});

describe("what only the call itself could tell stands as it was found:", () => {
  test("an input that fitted fits, whatever its record shows instead of a secret", async () => {
    const trace = await recorded({ maxSideEffect: "user_write" }, [["notes.write", { apiKey: "hunter22" }]]);
    expect(trace).not.toContain("hunter22");
    expect(await only({ maxSideEffect: "paper_trade" }, trace)).toStrictEqual({ now: "allow" });
  });

  test("a hidden part that nobody was shown is asked about under every policy, unless the process held it", async () => {
    const trace = await recorded({ maxSideEffect: "user_write" }, [
      ["notes.write", { password: "hunter22" }],
    ]);
    expect(await only({ maxSideEffect: "user_write" }, trace)).toStrictEqual({ now: "ask approval" });
    expect(await only({ maxSideEffect: "paper_trade" }, trace)).toStrictEqual({
      now: "ask approval",
      or: "allow",
      because: "its record does not say whether a person was shown /password",
    });
  });

  test("one that did not fit does not, in the words of then", async () => {
    const trace = await recorded({ maxSideEffect: "user_write" }, [["notes.write", 5]]);
    const { calls } = await whatIf({ maxSideEffect: "paper_trade" }, [trace]);
    expect(calls[0]?.now).toStrictEqual({
      outcome: "deny",
      gate: "input",
      code: "invalid_input",
      reason: "the input must be object",
      remedy: "see the input schema of notes.write",
    });
  });

  test.each(["deny", "ask"] as const)("the host's own policy is not asked again: %s", async (outcome) => {
    const trace = await recorded({}, [["notes.read"]], { evaluatePreTool: () => ({ outcome }) });
    expect(await only({ maxSideEffect: "user_write" }, trace)).toStrictEqual({ now: `${outcome} pre_tool` });
  });
});

describe("a confirm word is in no record, and what was found about it stands:", () => {
  const other: AgentPolicy = { ...confirmed, denyTools: ["notes.*"] };
  const because = "its record hides: confirm";

  test("where it was right, or nobody asked for it, the order passes, or not", async () => {
    const trace = await recorded(confirmed, [["orders.place", { ...bid, confirm: word }]]);
    expect(await only(other, trace)).toStrictEqual({ now: "allow", or: "deny trade", because });
  });

  test("where the order was refused it still is, or not", async () => {
    const trace = await recorded(confirmed, [["orders.place", { ...bid, confirm: "some other word" }]]);
    expect(await only(other, trace)).toStrictEqual({
      now: "deny trade",
      or: "allow",
      because: `${because}; the host's own policy was not asked about it`,
    });
  });

  test("where it does not decide, nothing is uncertain", async () => {
    const trace = await recorded(confirmed, [["orders.place", { ...bid, confirm: word }]]);
    expect(await only(trading, trace)).toStrictEqual({ now: "allow" });
    const tight = { ...other, trade: { ...rails, confirmToken: word, maxQuantity: 2 } };
    expect(await only(tight, trace)).toStrictEqual({ now: "deny trade" });
    expect(await only({}, trace)).toStrictEqual({ now: "deny forbidden.risk" });
  });

  test("where there was none, there is none", async () => {
    const trace = await recorded(trading, [["orders.place", bid]]);
    expect(await only(confirmed, trace)).toStrictEqual({ now: "deny trade" });
  });

  test("with the installation, the policy that was in force is known again", async () => {
    const trace = await recorded(confirmed, [["orders.place", { ...bid, confirm: word }]]);
    const { counts, differences } = await whatIf(confirmed, [trace], { installation });
    expect([counts.uncertain, differences]).toStrictEqual([0, []]);
    const wide = await whatIf(confirmed, [trace]);
    expect([wide.counts.uncertain, wide.differences]).toStrictEqual([1, []]);
  });

  test("and it is in no answer (S1)", async () => {
    const trace = await recorded(confirmed, [["orders.place", { ...bid, confirm: "some other word" }]]);
    expect(JSON.stringify(await whatIf(other, [trace]))).not.toContain(word);
  });
});

const under = (changes: object): AgentPolicy => ({ ...trading, trade: { ...rails, ...changes } });

describe("what is not known is uncertain only where it could decide:", () => {
  const because = "it was refused before anybody looked at its input, which is not recorded";

  test("a call that was refused before its input", async () => {
    const trace = await recorded({}, [["notes.write", {}]]);
    expect(await only({ maxSideEffect: "user_write" }, trace)).toStrictEqual({
      now: "allow",
      or: "deny input",
      because,
    });
    const asking: AgentPolicy = {
      maxSideEffect: "user_write",
      approvals: { requireForSideEffectAtOrAbove: "user_write" },
    };
    expect(await only(asking, trace)).toStrictEqual({ now: "ask approval", or: "deny input", because });
    expect(await only({ maxSideEffect: "user_write", denyTools: ["notes.*"] }, trace)).toStrictEqual({
      now: "deny deny",
    });
  });

  test("an order that was refused before its input is taken for one that could pass", async () => {
    const trace = await recorded({}, [["orders.place", bid]]);
    expect(await only(trading, trace)).toStrictEqual({ now: "allow", or: "deny input", because });
  });

  test("a fact that looked like a secret: what was found about it stands, whatever the guardrails ask of it", async () => {
    const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    const asking = under({ allowedVenues: ["kalshi", secret], requireJurisdiction: true });
    const trace = await recorded(asking, [["orders.place", { ...bid, venue: secret, jurisdiction: secret }]]);
    expect(trace).not.toContain(secret);
    // Nobody was shown them either: a person was asked.
    const unseen = "its record does not say whether a person was shown /jurisdiction, /venue";
    const both = `its record hides: venue, jurisdiction; ${unseen}`;
    const uncertain = { now: "ask approval", or: "deny trade", because: both };
    const elsewhere = under({ allowedVenues: ["elsewhere"] });
    expect(await only(elsewhere, trace)).toStrictEqual(uncertain);
    for (const changes of [{}, { jurisdiction: "FR" }, { blockedJurisdictions: ["US"] }]) {
      expect(await only(under({ requireJurisdiction: true, ...changes }), trace)).toStrictEqual(uncertain);
    }
    const nowhere = under({ requireJurisdiction: true, jurisdiction: "FR", blockedJurisdictions: ["FR"] });
    expect(await only(nowhere, trace)).toStrictEqual({ now: "deny trade" });
  });

  test("a hidden fact of a call about which a policy asked: both answers are possible, asked or not", async () => {
    const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz";
    const rules = under({ allowedVenues: ["kalshi", secret] });
    const asking = { ...rules, approvals: { requireForSideEffectAtOrAbove: "none" } } as const;
    const trace = await recorded(asking, [["orders.place", { ...bid, venue: secret }]]);
    expect(await only(rules, trace)).toStrictEqual({
      now: "allow",
      or: "deny trade",
      because: "its record hides: venue; its record does not say whether a person was shown /venue",
    });
  });

  test("an erased input", async () => {
    const erased = await recorded(trading, [["orders.place", bid]], { erase: true });
    const tighter = { ...trading, trade: { ...rails, maxQuantity: 2 } };
    expect(await only(tighter, erased)).toStrictEqual({
      now: "allow",
      or: "deny trade",
      because: "its input was erased",
    });
    const read2 = await recorded({}, [["notes.read", { n: 1 }]], { erase: true });
    expect(await only({ maxSideEffect: "user_write" }, read2)).toStrictEqual({ now: "allow" });
  });

  test("a host's policy that was not asked, where there is one", async () => {
    const tight = { ...trading, trade: { ...rails, maxQuantity: 2 } };
    const calls: Made[] = [["orders.place", bid], ["notes.read"]];
    const [alone, asked, untold] = [
      await recorded(tight, calls),
      await recorded(tight, calls, { evaluatePreTool: agreeing }),
      await recorded(tight, calls.slice(0, 1)),
    ];
    const uncertain = await Promise.all(
      [alone, asked, untold].map(
        async (trace) => (await whatIf(trading, [trace])).calls[0]?.uncertain?.because,
      ),
    );
    const unasked = "the host's own policy was not asked about it";
    expect(uncertain).toStrictEqual([undefined, unasked, unasked]);
  });
});

const budget = (maxWallMs: number) => ({ budget: { maxWallMs } });

test("a call that took longer than it would be given now is told of, and not under the policy that was in force", async () => {
  let elapsed = 0;
  const clock = {
    now: () => 1_800_000_000_000,
    elapsed: () => (elapsed += 50),
    after: () => () => undefined,
  };
  const slow = async (policy: AgentPolicy) => {
    const trace = memoryTrace();
    const made = govern({ packs: [read], policy, principal, installation, clock, trace });
    await made.call("notes.read");
    await made.close();
    return await trace.text();
  };
  const { differences } = await whatIf(budget(10), [await slow({})]);
  expect(differences).toMatchObject([{ cutOff: { tookMs: 50, afterMs: 10 }, now: { outcome: "allow" } }]);
  expect(differences[0]?.sentence).toMatch(/ would be allowed, and cut off after 10 ms: it took 50 ms\.$/);
  expect((await whatIf(budget(50), [await slow({})])).differences).toStrictEqual([]);
  expect((await whatIf(budget(10), [await slow(budget(10))])).differences).toStrictEqual([]);
});

describe("refused at the door:", () => {
  test("a broken trace, as a replay refuses it, by its number (B22)", async () => {
    const trace = await recorded({}, [["notes.read"]]);
    const traces = [trace, trace.replace('\\"outcome\\":\\"allow\\"', '\\"outcome\\":\\"deny\\"')];
    const [error, asReplay] = [await rejectionOf(whatIf({}, traces)), await rejectionOf(openReplay(traces))];
    expect(error.toJSON()).toStrictEqual(asReplay.toJSON());
    expect([error.code, error.message]).toStrictEqual([
      "journal_corrupt",
      expect.stringMatching(/^trace 2 cannot be trusted: record 2 /),
    ]);
  });

  test("a trace without the contract of a call", async () => {
    const [first = "", ...lines] = (await recorded({}, [["notes.read"]])).trimEnd().split("\n").slice(0, -1);
    const header = { ...(parseJsonStrict(first) as object as TraceHeader), tools: [] };
    const error = await rejectionOf(whatIf({}, [[canonicalJson(header), ...lines].join("\n")]));
    expect([error.code, error.message]).toStrictEqual([
      "journal_corrupt",
      "trace 1 cannot be trusted: record 2 is of a tool that the first line does not have",
    ]);
  });

  test.each<[unknown, string]>([
    [{ maxSideEfect: "none" }, 'invalid policy: unknown key "maxSideEfect"; did you mean "maxSideEffect"?'],
    [[], "invalid policy: a list of levels holds at least one; give a policy"],
    [
      [{ level: "agent", policy: { allow: 1 } }],
      "invalid policy: /allow: Invalid input: expected array, received number",
    ],
    [[{ level: "boss", policy: {} }], expect.stringMatching(/^invalid policy level: /)],
    [[null], expect.stringMatching(/^policy level is missing/)],
  ])("a malformed policy: %j", async (policy, message) => {
    const error = await rejectionOf(whatIf(policy as AgentPolicy, []));
    expect([error.code, error.message]).toStrictEqual(["invalid_policy", message]);
  });
});

test("a trace that is kept somewhere is read there, as its text would be", async () => {
  const trace = memoryTrace();
  const made = govern({ packs: [read, write], policy: { maxSideEffect: "user_write" }, principal, trace });
  await made.call("notes.read");
  await made.call("notes.write", {});
  await made.close();
  const told = await whatIf({}, [trace]);
  expect(told).toStrictEqual(await whatIf({}, [await trace.text()]));
  expect(told.differences.map(({ tool }) => tool)).toStrictEqual(["notes.write"]);
  expect(await suggestPolicy([trace])).toStrictEqual(await suggestPolicy([await trace.text()]));
});
