// A1, A2: a yes that no call has used can be taken back. The call that waits by it does not run, and the journal tells it from one that
// somebody put back.
import { expect, test } from "vitest";
import {
  answersIn,
  ask,
  boss,
  leaveWaiting,
  openAsking,
  operatorOf,
  waiting,
  write,
} from "../../test-data/call-approvals.ts";
import { codeOf, reopenDesk } from "../../test-data/call-desk.ts";
import { problemsOf } from "../journal/verify-account.ts";

test("a yes that was taken back runs nothing, and the call is asked about anew when it is made again", async () => {
  const desk = openAsking();
  const { approvalId } = await ask(desk);
  await desk.operator.approve(approvalId);
  const other = operatorOf(desk, { principal: { ...boss, keyId: "anna" }, life: 8 });
  expect(await other.withdraw(approvalId, { note: "the key had leaked" })).toMatchObject({
    status: "superseded",
  });
  const again = await ask(desk);
  expect(again.approvalId).not.toBe(approvalId);
  expect(desk.deck.runs).toStrictEqual([]);
  expect((await answersIn(desk)).toSorted()).toStrictEqual([
    "anna denied: superseded",
    "boss approved: approved",
  ]);
  expect(problemsOf(await desk.seat.verify())).toStrictEqual([]);
});

test("a call that waits by it when its process is gone does not run in the next one", async () => {
  const { desk, approval } = await leaveWaiting();
  const operator = operatorOf(desk, { life: 7 });
  await operator.approve(approval.approvalId);
  await operator.withdraw(approval.approvalId);
  const next = reopenDesk(desk, { ...waiting, clock: desk.clock });
  expect(await next.seat.open()).toMatchObject({ settled: [{ outcome: "refused" }] });
  await next.seat.close();
  expect(desk.deck.runs).toStrictEqual([]);
  expect((await next.records()).findLast(({ kind }) => kind === "call.refused")).toMatchObject({
    error: { code: "approval_mismatch" },
  });
});

test("only a yes that no call has used is taken back, and only by somebody with the scope admin", async () => {
  const desk = openAsking();
  const { approvalId } = await ask(desk);
  await expect(desk.operator.withdraw(approvalId)).rejects.toMatchObject({ code: "invalid_transition" });
  await desk.operator.approve(approvalId);
  for (const principal of [
    { ...boss, kind: "run", runId: "run_00000009" },
    { ...boss, kind: "key", scopes: ["read"] },
  ] as const)
    await expect(operatorOf(desk, { principal, life: 8 }).withdraw(approvalId)).rejects.toMatchObject({
      code: "forbidden",
    });
  expect(codeOf(await desk.call(write))).toBe("completed");
  await expect(desk.operator.withdraw(approvalId)).rejects.toMatchObject({ code: "invalid_transition" });
  await expect(desk.operator.withdraw("appr_00000000")).rejects.toMatchObject({ code: "not_found" });
});

test("B22: one that is put back after it was taken back is named by the journal", async () => {
  const desk = openAsking();
  const { approvalId } = await ask(desk);
  await desk.operator.approve(approvalId);
  const key = { kind: "approval", accountId: "acct_1", id: approvalId } as const;
  const before = await desk.store.inner.document(key);
  await desk.operator.withdraw(approvalId);
  const now = await desk.store.inner.document(key);
  const { status = "", body = "" } = before ?? {};
  const documents = [{ type: "put", ...key, expects: now?.revision ?? 0, status, body }] as const;
  await desk.store.inner.commit({ durability: "process", now: desk.clock.now(), documents });
  expect(JSON.stringify(problemsOf(await desk.seat.verify()))).toContain(approvalId);
});
