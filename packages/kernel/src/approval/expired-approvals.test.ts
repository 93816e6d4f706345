// A1, B9: an approval is used, and answered, before its time is over or not at all, whether anybody has swept up or not.
import { describe, expect, test } from "vitest";
import {
  answersIn,
  ask,
  askingPolicy,
  begin,
  openAsking,
  operatorOf,
  storyOf,
  write,
} from "../../test-data/call-approvals.ts";
import { codeOf } from "../../test-data/call-desk.ts";
import { atFirst } from "../../test-data/call-store.ts";
import { settlement, turn } from "../../test-data/call-waiting.ts";

const ttlMs = askingPolicy.approvals.ttlMs;

describe("an answer", () => {
  test("counts in the last millisecond", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk);
    desk.clock.advance(ttlMs - 1);
    expect((await desk.operator.approve(approvalId)).status).toBe("approved");
    expect(await answersIn(desk)).toStrictEqual(["boss approved: approved"]);
  });

  test.each([["approve"], ["deny"], ["approveForSession"]] as const)(
    "does not count from the millisecond on at which it ends: %s",
    async (answer) => {
      const desk = openAsking();
      const { approvalId } = await ask(desk);
      desk.clock.advance(ttlMs);
      await expect(desk.operator[answer](approvalId)).rejects.toMatchObject({ code: "approval_expired" });
      expect((await desk.operator.get(approvalId)).status).toBe("pending");
      expect(await desk.operator.list()).toStrictEqual([]);
      expect(await answersIn(desk)).toMatchObject([expect.stringMatching(/^boss .*: approval_expired$/)]);
      expect(codeOf(await desk.call(write))).toBe("approval_required");
      expect(desk.deck.runs).toStrictEqual([]);
    },
  );

  test("does not count where its time is over when it is written, however early it was given", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk);
    const { promise, resolve: open } = Promise.withResolvers<void>();
    const slow = operatorOf(desk, { store: desk.store, life: 8 });
    desk.store.beforeLease = () => promise;
    const answer = slow.approve(approvalId);
    answer.catch(() => undefined);
    await turn();
    desk.clock.advance(ttlMs);
    open();
    await expect(answer).rejects.toMatchObject({ code: "approval_expired" });
    expect(await answersIn(desk)).toStrictEqual(["boss approved: approval_expired"]);
  });
});

describe("a call that was approved", () => {
  test("runs in the last millisecond", async () => {
    const desk = openAsking();
    await desk.operator.approve((await ask(desk)).approvalId);
    desk.clock.advance(ttlMs - 1);
    expect(codeOf(await desk.call(write))).toBe("completed");
  });

  test("does not run from the millisecond on at which its approval ends; it is asked about anew", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk);
    await desk.operator.approve(approvalId);
    desk.clock.advance(ttlMs);
    const named = await desk.call({ ...write, approvalId });
    expect(codeOf(named)).toBe("approval_expired");
    const again = await desk.call(write);
    expect(again).toMatchObject({ error: { code: "approval_required" } });
    expect(again).not.toMatchObject({ error: { details: { approvalId } } });
    expect(desk.deck.runs).toStrictEqual([]);
    expect(await storyOf(desk)).toStrictEqual([
      "call.refused pending approval_required",
      "call.refused expired approval_expired",
      "call.refused pending approval_required",
    ]);
  });

  test("does not run where its approval ends while a host's policy is asked once more", async () => {
    const { promise, resolve: open } = Promise.withResolvers<void>();
    let isSlow = false;
    const desk = openAsking({
      evaluatePreTool: async () => {
        if (isSlow) await promise;
        return { outcome: "allow" };
      },
    });
    await desk.operator.approve((await ask(desk)).approvalId);
    isSlow = true;
    const call = desk.call(write);
    await turn();
    desk.clock.jump(ttlMs);
    isSlow = false;
    open();
    expect(codeOf(await call)).toBe("approval_required");
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("does not run where its approval ends before its intent can be written", async () => {
    const desk = openAsking({ limits: { segmentRecords: 2 } });
    await desk.operator.approve((await ask(desk)).approvalId);
    const { promise, resolve: open } = Promise.withResolvers<void>();
    desk.store.beforeLease = () => promise;
    const call = desk.call(write);
    expect(await settlement(call)).toMatchObject({ state: "pending" });
    desk.clock.jump(ttlMs);
    open();
    expect(codeOf(await call)).toBe("approval_required");
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("runs where the clock was put forward and back again before anybody looked", async () => {
    const desk = openAsking();
    await desk.operator.approve((await ask(desk)).approvalId);
    desk.clock.jump(ttlMs);
    desk.clock.jump(-ttlMs);
    expect(codeOf(await desk.call(write))).toBe("completed");
  });

  test("runs where the clock was put back, and not longer than its time says", async () => {
    const desk = openAsking();
    await desk.operator.approve((await ask(desk)).approvalId);
    desk.clock.jump(-3_600_000);
    desk.clock.advance(3_600_000 + ttlMs);
    expect(codeOf(await desk.call(write))).toBe("approval_required");
    expect(desk.deck.runs).toStrictEqual([]);
  });
});

describe("a call that waits", () => {
  test("ends when its time is over, and closes the question", async () => {
    const desk = openAsking();
    const { outcome, approval } = await begin(desk);
    desk.clock.advance(ttlMs - 1);
    expect(await settlement(outcome)).toStrictEqual({ state: "pending" });
    desk.clock.advance(1);
    expect(await outcome).toMatchObject({
      type: "refused",
      error: { code: "approval_expired", details: { approvalId: approval.approvalId } },
    });
    expect((await desk.operator.get(approval.approvalId)).status).toBe("expired");
    await expect(desk.operator.approve(approval.approvalId)).rejects.toMatchObject({
      code: "approval_expired",
    });
    expect(await storyOf(desk)).toStrictEqual([
      "call.waiting pending",
      "call.refused expired approval_expired",
    ]);
    expect(desk.clock.waiting).toBe(0);
  });

  test("does not end early where the clock is put back, nor run late where it is put forward", async () => {
    const desk = openAsking();
    const { outcome, approval } = await begin(desk);
    desk.clock.jump(-ttlMs);
    desk.clock.advance(ttlMs);
    expect(await settlement(outcome)).toStrictEqual({ state: "pending" });
    desk.clock.jump(2 * ttlMs);
    await expect(desk.operator.approve(approval.approvalId)).rejects.toMatchObject({
      code: "approval_expired",
    });
    desk.clock.advance(ttlMs);
    expect(codeOf(await outcome)).toBe("approval_expired");
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("does not go on by an approval whose time is over before its intent is written", async () => {
    const desk = openAsking();
    const { outcome, approval } = await begin(desk);
    desk.store.fault = atFirst("call.intended", { type: "throw" });
    await desk.operator.approve(approval.approvalId);
    expect(await settlement(outcome)).toStrictEqual({ state: "pending" });
    desk.clock.advance(ttlMs);
    expect(codeOf(await outcome)).toBe("approval_expired");
    expect(desk.deck.runs).toStrictEqual([]);
  });
});

test("a time that no clock can count is cut, not an error", async () => {
  const policy = {
    ...askingPolicy,
    approvals: { ...askingPolicy.approvals, ttlMs: Number.MAX_SAFE_INTEGER },
  };
  const desk = openAsking({ levels: [{ level: "agent", policy }] });
  const { createdAt, expiresAt, approvalId } = await ask(desk);
  expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(366 * 24 * 3_600_000);
  await desk.operator.approve(approvalId);
  expect(codeOf(await desk.call(write))).toBe("completed");
});

async function lasts(desk: ReturnType<typeof openAsking>): Promise<number> {
  const { createdAt, expiresAt } = await ask(desk);
  return Date.parse(expiresAt) - Date.parse(createdAt);
}

test("a policy that says nothing of a time gives a person an hour, or what the seat says", async () => {
  const policy = { ...askingPolicy, approvals: { requireForSideEffectAtOrAbove: "user_write" } } as const;
  const levels = [{ level: "agent", policy }] as const;
  expect(await lasts(openAsking({ levels }))).toBe(3_600_000);
  expect(await lasts(openAsking({ levels, limits: { approvalMs: 5000 } }))).toBe(5000);
});
