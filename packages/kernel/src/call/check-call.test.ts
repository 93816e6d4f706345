// G1: what would become of a call, asked beforehand: every gate is asked, nothing runs, nothing is written and nothing is used up.
import { describe, expect, test } from "vitest";
import { ask, asking, openAsking, operatorOf, write } from "../../test-data/call-approvals.ts";
import { codeOf, type DeskOptions, openDesk, principalOf } from "../../test-data/call-desk.ts";
import { openNetworkDesk, page } from "../../test-data/call-network.ts";
import type { HostRule } from "./host-rules.ts";

const ruleOf = (outcome: "allow" | "deny" | "ask", reason?: string): HostRule => ({
  id: `says-${outcome}`,
  version: "1",
  evaluatePreTool: () => ({ outcome, ...(reason !== undefined && { reason }) }),
});

/** Nothing has run, and nothing was to be written. */
async function checked(desk: ReturnType<typeof openDesk>, input: object = write.input, approvalId?: string) {
  const before = desk.store.units.length;
  const check = await desk.seat.check({ tool: "notes.write", input, approvalId });
  expect(desk.store.units).toHaveLength(before);
  expect(desk.deck.runs).toStrictEqual([]);
  return check;
}

describe("explain says in its first word that a gate was not asked", () => {
  test("where the host has a rule: the call that it refuses is not said to be allowed", async () => {
    const desk = openDesk({ rules: [ruleOf("deny")] });
    const explanation = desk.seat.explain("notes.write", { text: "a" });
    expect(explanation).toMatchObject({
      outcome: "unchecked",
      code: "unchecked",
      reason: "unchecked: pre_tool; nothing else stopped it",
      unchecked: ["pre_tool"],
    });
    expect(codeOf(await desk.call(write))).toBe("policy_denied");
  });

  test("where no input was given", () => {
    const { unchecked, outcome } = openDesk().seat.explain("notes.write");
    expect([outcome, unchecked]).toStrictEqual([
      "unchecked",
      ["input", "trade", "capability", "pre_tool", "approval"],
    ]);
  });

  test("where a person must approve the call in any case", () => {
    const desk = openDesk({ ...asking, rules: [ruleOf("allow")] });
    expect(desk.seat.explain("notes.write", { text: "a" })).toMatchObject({
      outcome: "unchecked",
      gate: "approval",
      code: "approval_required",
      reason: "unchecked: pre_tool; a person must approve side effects from user_write up",
    });
  });

  test("and not where everything was asked, or the call is refused in any case", () => {
    const { seat } = openDesk();
    expect(seat.explain("notes.write", { text: "a" })).toMatchObject({
      outcome: "allow",
      reason: "no gate stopped it",
    });
    expect(seat.explain("notes.write", { text: "a" })).not.toHaveProperty("unchecked");
    const denied = openDesk({ levels: [{ level: "agent", policy: {} }] }).seat.explain("notes.write");
    expect(denied).toMatchObject({ outcome: "deny", gate: "max.sideEffect" });
    expect(denied).not.toHaveProperty("unchecked");
  });
});

describe("check asks every gate, and says what the call then does", () => {
  const approvals = { requireForSideEffectAtOrAbove: "user_write" } as const;
  test.each<[string, DeskOptions, object]>([
    ["that runs", { rules: [ruleOf("allow")] }, { outcome: "allow", asksPerson: false }],
    ["that a rule denies", { rules: [ruleOf("deny", "no")] }, { outcome: "deny", gate: "pre_tool" }],
    [
      "that a rule asks about",
      { rules: [ruleOf("ask")] },
      { outcome: "ask", gate: "pre_tool", asksPerson: true },
    ],
    ["that a policy asks about", asking, { outcome: "ask", gate: "approval", asksPerson: true }],
    [
      "that a rule denies and a policy asks about",
      {
        levels: [{ level: "agent", policy: { maxSideEffect: "user_write", approvals } }],
        rules: [ruleOf("deny")],
      },
      { outcome: "deny", gate: "pre_tool", asksPerson: false },
    ],
    [
      "that a policy denies",
      { levels: [{ level: "agent", policy: {} }], rules: [ruleOf("allow")] },
      { outcome: "deny", gate: "max.sideEffect" },
    ],
  ])("%s", async (_, options, expected) => {
    const desk = openDesk({ rules: [], ...options });
    const check = await checked(desk);
    expect(check).toMatchObject(expected);
    expect(check).not.toHaveProperty("unchecked");
    const outcome = await desk.call(write);
    const code = { allow: "completed", deny: "policy_denied", ask: "approval_required", unchecked: "" };
    expect(codeOf(outcome)).toBe(code[check.outcome]);
    expect(outcome.type === "refused" ? outcome.receipt?.verdict.gate : undefined).toBe(check.gate);
  });

  test("with the reason that a rule gives, which no record has", async () => {
    const check = await checked(openDesk({ rules: [ruleOf("deny", "not on Mondays")] }));
    expect(check.reason).toBe("the host's policy objects: says-deny: not on Mondays");
  });

  test("an input that does not fit is refused before a rule is asked", async () => {
    let asked = 0;
    const rule: HostRule = {
      id: "counts",
      version: "1",
      evaluatePreTool: () => {
        asked += 1;
        return { outcome: "allow" };
      },
    };
    const desk = openDesk({ rules: [rule] });
    expect(await desk.seat.check({ tool: "notes.strict", input: { text: 5 } })).toMatchObject({
      gate: "input",
    });
    expect(asked).toBe(0);
    expect(await desk.seat.check({ tool: "no.such_tool" })).toMatchObject({ gate: "tool.exists" });
  });
});

describe("check says whether an approval would cover the call, and uses none up", () => {
  test("one that waits for an answer is named, then it covers the call, which runs once by it", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk, write);
    expect(await checked(desk)).toMatchObject({
      outcome: "ask",
      asksPerson: true,
      pendingApprovalId: approvalId,
    });
    await desk.operator.approve(approvalId);
    for (const _ of [1, 2, 3])
      expect(await checked(desk)).toMatchObject({
        outcome: "allow",
        asksPerson: false,
        coveredBy: { approvalId },
      });
    expect(await checked(desk, { text: "another" })).toMatchObject({ outcome: "ask", asksPerson: true });
    expect(codeOf(await desk.call(write))).toBe("completed");
  });

  test("a standing grant covers it as often as it says, however often it was checked", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk, write);
    const { grantId } = await desk.operator.approveForSession(approvalId, { maxUses: 2 });
    for (const _ of [1, 2, 3])
      expect(await checked(desk)).toMatchObject({ outcome: "allow", coveredBy: { grantId } });
    const [first, second] = [await desk.call({ ...write, input: { text: "b" } }), await desk.call(write)];
    expect([codeOf(first), codeOf(second)]).toStrictEqual(["completed", "completed"]);
  });

  test("one that was denied, and one that is named and fits another call, refuse it", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk, write);
    expect(await checked(desk, { text: "b" }, approvalId)).toMatchObject({
      outcome: "deny",
      code: "approval_mismatch",
      asksPerson: false,
    });
    await desk.operator.deny(approvalId);
    expect(await checked(desk)).toMatchObject({ outcome: "deny", code: "approval_denied" });
  });

  test("and what a rule asks now, no yes for a session answers", async () => {
    const desk = openAsking({ rules: [ruleOf("ask")] });
    const operator = operatorOf(desk);
    expect(await checked(desk)).toMatchObject({ outcome: "ask", gate: "pre_tool", asksPerson: true });
    expect(await operator.list()).toStrictEqual([]);
  });
});

test("check looks at what was granted, and uses up no grant for one call", async () => {
  const desk = openNetworkDesk();
  const checkPage = async () => await desk.seat.check({ tool: "web.fetch", input: { url: page } });
  expect(desk.seat.explain("web.fetch", { url: page }).unchecked).toStrictEqual(["capability"]);
  expect(await checkPage()).toMatchObject({ outcome: "deny", gate: "capability" });
  expect(await desk.operator.capabilities.list({ status: "any" })).toStrictEqual([]);
  await desk.operator.capabilities.grant("net:example.com", { scope: "once" } as never);
  const before = desk.store.units.length;
  expect([(await checkPage()).outcome, (await checkPage()).outcome]).toStrictEqual(["allow", "allow"]);
  expect(desk.store.units).toHaveLength(before);
  expect([await desk.got(), (await checkPage()).outcome]).toStrictEqual(["completed", "deny"]);
});

test("a seat that only inspects says that who calls was not asked, and asks its rules", async () => {
  const desk = openDesk({ inspects: true, principal: principalOf(), rules: [ruleOf("allow")] });
  expect(await checked(desk)).toMatchObject({
    outcome: "unchecked",
    unchecked: ["identity", "user_data.auth"],
  });
});
