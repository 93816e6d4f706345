// A2, B3: whoever asks is not who approves. What does not count changes nothing, and is on record with whose it was.
import { describe, expect, test } from "vitest";
import {
  answersIn,
  ask,
  askingPolicy,
  boss,
  openAsking,
  operatorOf,
  write,
} from "../../test-data/call-approvals.ts";
import { codeOf, principalOf } from "../../test-data/call-desk.ts";
import type { GivenPrincipal } from "../seat/given-principal.ts";

const asker = principalOf();

const refused: readonly (readonly [string, GivenPrincipal])[] = [
  ["whoever asked, with the same credential", asker],
  ["whoever asked, with more scopes", { ...asker, scopes: ["read", "write", "trade", "admin"] }],
  ["whoever asked, as an operator", { ...asker, kind: "operator", scopes: ["admin"] }],
  ["a run", { ...boss, kind: "run", runId: "run_00000009" }],
  ["a run of the operator's own key", { ...boss, kind: "run", runId: "run_00000009", scopes: ["admin"] }],
  ["a token", { ...boss, kind: "token" }],
  ["nobody in particular", { ...boss, kind: "anonymous" }],
  ["a key without the scope admin", { ...boss, kind: "key", scopes: ["read", "write", "trade"] }],
  ["an operator without the scope admin", { ...boss, scopes: ["read"] }],
];

describe("it is not answered by", () => {
  test.each(refused)("%s", async (_, principal) => {
    const desk = openAsking();
    const approval = await ask(desk);
    const { approvalId } = approval;
    const somebody = operatorOf(desk, { principal, life: 8 });
    for (const answer of ["approve", "deny", "approveForSession"] as const) {
      await expect(somebody[answer](approvalId)).rejects.toMatchObject({
        code: "forbidden",
        details: { approvalId },
      });
    }
    expect(await desk.operator.get(approvalId)).toStrictEqual(approval);
    expect(await desk.operator.grants()).toStrictEqual([]);
    const who = principal.keyId;
    expect(await answersIn(desk)).toStrictEqual([
      `${who} approved: forbidden`,
      `${who} denied: forbidden`,
      `${who} approved_for_session: forbidden`,
    ]);
    expect(codeOf(await desk.call(write))).toBe("approval_required");
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("whoever asked under another id, where the host knows that, and the attempt is on record", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk);
    const seen: unknown[] = [];
    const isInFamily = async ({ keyId }: { readonly keyId: string }) => seen.push(keyId) > 0;
    const other = operatorOf(desk, {
      principal: { ...boss, keyId: "key_9", kind: "key" },
      life: 8,
      isInFamily,
    });
    await expect(other.approve(approvalId)).rejects.toMatchObject({ code: "forbidden" });
    expect(seen).toStrictEqual([asker.keyId]);
    expect(await answersIn(desk)).toStrictEqual(["key_9 approved: forbidden"]);
    expect((await desk.operator.get(approvalId)).status).toBe("pending");
  });

  test("somebody of another account", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk);
    const other = operatorOf(desk, { principal: { ...boss, accountId: "acct_2" }, life: 8 });
    await expect(other.approve(approvalId)).rejects.toMatchObject({ code: "not_found" });
    expect((await desk.operator.get(approvalId)).status).toBe("pending");
  });
});

const taken: readonly (readonly [string, GivenPrincipal])[] = [
  ["an operator", boss],
  ["a key with the scope admin", { ...boss, kind: "key" }],
  ["a local principal with the scope admin", { ...boss, kind: "local" }],
  ["an approver whom the policy names", { ...boss, keyId: "key_7", kind: "key", scopes: ["read"] }],
  ["an approver whom the policy names, with no scope", { ...boss, keyId: "key_7", kind: "key", scopes: [] }],
];

describe("it is answered by", () => {
  test.each(taken)("%s", async (_, principal) => {
    const policy = { ...askingPolicy, approvals: { ...askingPolicy.approvals, approvers: ["key_7"] } };
    const desk = openAsking({ levels: [{ level: "agent", policy }] });
    const { approvalId } = await ask(desk);
    const somebody = operatorOf(desk, { principal, life: 8 });
    expect(await somebody.approve(approvalId)).toMatchObject({ status: "approved", decidedBy: principal });
    expect(await answersIn(desk)).toStrictEqual([`${principal.keyId} approved: approved`]);
    expect(codeOf(await desk.call(write))).toBe("completed");
  });

  test("whoever started a run, about what the run asks; with the very key that it was lent by, nobody", async () => {
    const run = { ...boss, kind: "run", runId: "run_00000001", scopes: ["read", "write"] } as const;
    const desk = openAsking({ principal: run });
    const { approvalId } = await ask(desk);
    const lender = operatorOf(desk, { principal: { ...boss, kind: "key" }, life: 7 });
    await expect(lender.approve(approvalId)).rejects.toMatchObject({ code: "forbidden" });
    const starter = operatorOf(desk, { principal: boss, life: 8 });
    expect((await starter.approve(approvalId)).status).toBe("approved");
    expect(codeOf(await desk.call(write))).toBe("completed");
  });
});

const level = (approvers: readonly string[]) => ({
  ...askingPolicy,
  approvals: { ...askingPolicy.approvals, approvers },
});

test("an approver is one whom every level that asks has named", async () => {
  const desk = openAsking({
    levels: [
      { level: "key", policy: level(["key_7", "key_8"]) },
      { level: "agent", policy: level(["key_8", "key_9"]) },
    ],
  });
  const { approvalId, approvers } = await ask(desk);
  expect(approvers).toStrictEqual(["key_8"]);
  const named = (keyId: string, life: number) =>
    operatorOf(desk, { principal: { ...boss, keyId, kind: "key", scopes: [] }, life });
  await expect(named("key_7", 7).approve(approvalId)).rejects.toMatchObject({ code: "forbidden" });
  await expect(named("key_9", 6).approve(approvalId)).rejects.toMatchObject({ code: "forbidden" });
  expect((await named("key_8", 5).approve(approvalId)).status).toBe("approved");
});

test("an operator for a principal that is none is not opened", () => {
  const { store, clock } = openAsking();
  expect(() => operatorOf({ store, clock }, { principal: { ...boss, keyId: "" } })).toThrow(
    expect.objectContaining({ code: "invalid_input" }),
  );
});
