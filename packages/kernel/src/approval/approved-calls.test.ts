// An approval lifts what only a person could decide, and nothing else: policies of the host's, keys, held outputs and prices stay what
// they are (A1, X1, J1).
import { describe, expect, test } from "vitest";
import {
  answersIn,
  ask,
  askingPolicy,
  begin,
  openAsking,
  pending,
  storyOf,
  write,
} from "../../test-data/call-approvals.ts";
import { codeOf, kindsOf } from "../../test-data/call-desk.ts";
import { kindsIn } from "../../test-data/call-store.ts";
import { until } from "../../test-data/call-waiting.ts";
import type { CallOutcome } from "../call/call-host.ts";
import { problemsOf } from "../journal/verify-account.ts";
import type { PolicyAnswer } from "../judge/input-gates.ts";

const keyed = { ...write, idempotencyKey: "k" };

function isReplayed(outcome: CallOutcome): boolean {
  return outcome.type === "completed" && outcome.result.replayed === true;
}

describe("X1: a key that comes with a call which is asked about", () => {
  test("is not claimed by the asking, and runs once when it was approved", async () => {
    const desk = openAsking();
    const { approvalId } = await ask(desk, keyed);
    expect(await desk.seat.isClaimed("notes.write", "k")).toBe(false);
    await desk.operator.approve(approvalId);
    const first = await desk.call(keyed);
    const again = await desk.call(keyed);
    expect([codeOf(first), codeOf(again)]).toStrictEqual(["completed", "completed"]);
    expect(again).toMatchObject({ result: { replayed: true, receipt: { approvalId } } });
    expect(desk.deck.runs).toMatchObject([{ idempotencyKey: "k" }]);
    expect(await kindsOf(desk)).toStrictEqual([
      "segment.opened",
      "call.refused",
      "call.intended",
      "call.settled",
      "call.repeated",
      "segment.opened",
      "approval.answered",
    ]);
  });

  test("is answered from the record without anybody being asked again", async () => {
    const desk = openAsking();
    await desk.operator.approve((await ask(desk, keyed)).approvalId);
    await desk.call(keyed);
    expect(codeOf(await desk.call(keyed))).toBe("completed");
    expect(await desk.operator.list()).toStrictEqual([]);
    // Also after the approval's time, and for whoever would wait.
    desk.clock.advance(120_000);
    expect(codeOf(await desk.call({ ...keyed, asking: "wait" }))).toBe("completed");
    expect(desk.deck.runs).toHaveLength(1);
  });

  test("and was used for another input is a conflict before anybody is asked", async () => {
    const desk = openAsking();
    await desk.operator.approve((await ask(desk, keyed)).approvalId);
    await desk.call(keyed);
    expect(codeOf(await desk.call({ ...keyed, input: { text: "b" } }))).toBe("idempotency_conflict");
    expect(await desk.operator.list()).toStrictEqual([]);
  });

  test("runs once where two that wait are both approved: the second gets the answer of the first", async () => {
    const desk = openAsking();
    const calls = [1, 2].map(() => desk.call({ ...keyed, asking: "wait" }));
    await until(() => desk.events.filter(({ type }) => type === "approval.required").length === 2);
    const [one, other] = await desk.operator.list();
    await desk.operator.approve(one?.approvalId ?? "");
    await until(() => desk.deck.runs.length === 1);
    await desk.operator.approve(other?.approvalId ?? "");
    const outcomes = await Promise.all(calls);
    expect(outcomes.map(codeOf)).toStrictEqual(["completed", "completed"]);
    expect(outcomes.filter(isReplayed)).toHaveLength(1);
    expect(desk.deck.runs).toHaveLength(1);
    // The yes that was not needed is not used, and its call has ended where it waited.
    expect((await desk.operator.get(other?.approvalId ?? "")).status).toBe("approved");
    await Promise.all([desk.seat.close(), desk.operator.close()]);
    const verification = await desk.seat.verify();
    expect([verification.status, problemsOf(verification)]).toStrictEqual(["ok", []]);
  });

  test("ends the second of two that wait where the first has not ended", async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    const desk = openAsking({ deed: () => promise });
    const calls = [1, 2].map(() => desk.call({ ...keyed, asking: "wait" }));
    await until(() => desk.events.filter(({ type }) => type === "approval.required").length === 2);
    for (const { approvalId } of await desk.operator.list()) {
      await desk.operator.approve(approvalId);
    }
    const second = await Promise.race(calls);
    expect(second).toMatchObject({ type: "refused", error: { code: "idempotency_in_progress" } });
    resolve(null);
    await Promise.all(calls);
    expect((await storyOf(desk)).filter((one) => one.includes("idempotency"))).toStrictEqual([
      "call.refused approved idempotency_in_progress",
    ]);
    const refused = (await desk.records()).find(({ kind }) => kind === "call.refused");
    expect(refused).toMatchObject({ waited: true });
    await Promise.all([desk.seat.close(), desk.operator.close()]);
    expect((await desk.seat.verify()).status).toBe("ok");
  });

  test("ends a call where it has waited, also when others are written elsewhere by now", async () => {
    for (const isUnderWay of [true, false]) {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      const desk = openAsking({ limits: { segmentRecords: 3 }, deed: () => promise });
      const calls = [1, 2].map(() => desk.call({ ...keyed, asking: "wait" }));
      await until(() => desk.events.filter(({ type }) => type === "approval.required").length === 2);
      const [one, other] = await desk.operator.list();
      for (const n of [1, 2, 3])
        await desk.seat.call({
          tool: "notes.check",
          input: { n },
          timeoutMs: 1,
          signal: AbortSignal.abort(),
        });
      expect(desk.seat.segments.length).toBeGreaterThan(1);
      await desk.operator.approve(one?.approvalId ?? "");
      await until(() => desk.deck.runs.length === 1);
      if (!isUnderWay) resolve(null);
      if (!isUnderWay) await Promise.race(calls);
      await desk.operator.approve(other?.approvalId ?? "");
      if (isUnderWay) await Promise.race(calls);
      resolve(null);
      await Promise.all(calls);
      await Promise.all([desk.seat.close(), desk.operator.close()]);
      const verification = await desk.seat.verify();
      expect([isUnderWay, verification.status, problemsOf(verification)]).toStrictEqual([
        isUnderWay,
        "ok",
        [],
      ]);
    }
  });

  // proves PORT-13.12
  test("is sent on as the effect's own key by a call that has waited", async () => {
    const desk = openAsking();
    const { outcome, approval } = await begin(desk, keyed);
    await desk.operator.approve(approval.approvalId);
    await outcome;
    expect(desk.deck.runs).toMatchObject([{ idempotencyKey: "k" }]);
  });
});

/** Answers one after the other, the last one again and again. */
function saying(...answers: readonly PolicyAnswer[]) {
  const left = [...answers];
  return () => (left.length > 1 ? (left.shift() as PolicyAnswer) : (left[0] as PolicyAnswer));
}

describe("a host's own policy", () => {
  const generous = { maxSideEffect: "user_write", maxCostEffect: "llm_cost" } as const;
  const levels = [{ level: "agent", policy: generous }] as const;

  test("that asks is answered by a person, in its own words", async () => {
    const evaluatePreTool = saying({ outcome: "ask", reason: "over the limit" });
    const desk = openAsking({ levels, evaluatePreTool });
    const approval = await ask(desk);
    expect(approval.reason).toContain("over the limit");
    await desk.operator.approve(approval.approvalId);
    expect(codeOf(await desk.call(write))).toBe("completed");
    const intent = (await desk.records()).find(({ kind }) => kind === "call.intended");
    expect(intent).toMatchObject({ verdict: { outcome: "allow" }, approval: { status: "used" } });
  });

  test("that asks, where the policy asks, too, is answered by the same yes", async () => {
    const desk = openAsking({ evaluatePreTool: saying({ outcome: "ask" }) });
    await desk.operator.approve((await ask(desk)).approvalId);
    expect(codeOf(await desk.call(write))).toBe("completed");
    expect(await answersIn(desk)).toStrictEqual(["boss approved: approved"]);
  });

  test("that denies the second time is not overruled by a yes, which stands unused", async () => {
    const desk = openAsking({
      evaluatePreTool: saying({ outcome: "allow" }, { outcome: "allow" }, { outcome: "deny" }),
    });
    const { approvalId } = await ask(desk);
    await desk.operator.approve(approvalId);
    expect(codeOf(await desk.call(write))).toBe("policy_denied");
    expect(desk.deck.runs).toStrictEqual([]);
    expect((await desk.operator.get(approvalId)).status).toBe("approved");
    const refused = (await desk.records()).findLast(({ kind }) => kind === "call.refused");
    expect(refused).toMatchObject({
      verdict: { outcome: "deny", gate: "pre_tool" },
      approval: { approvalId, status: "approved" },
    });
  });

  test("that denies when a waiting call goes on ends it, with that verdict, and its question", async () => {
    const desk = openAsking({
      evaluatePreTool: saying({ outcome: "allow" }, { outcome: "deny", reason: "not now" }),
    });
    const { outcome, approval } = await begin(desk);
    await desk.operator.approve(approval.approvalId);
    expect(await outcome).toMatchObject({
      type: "refused",
      error: { code: "policy_denied" },
      receipt: { verdict: { gate: "pre_tool", outcome: "deny" } },
    });
    expect((await desk.operator.get(approval.approvalId)).status).toBe("superseded");
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("B15: that fails the second time has denied", async () => {
    let isFailing = false;
    const desk = openAsking({
      evaluatePreTool: () => {
        if (isFailing) throw new Error("out of order");
        return { outcome: "allow" };
      },
    });
    await desk.operator.approve((await ask(desk)).approvalId);
    isFailing = true;
    expect(codeOf(await desk.call(write))).toBe("policy_denied");
    expect(desk.deck.runs).toStrictEqual([]);
  });
});

describe("an output that is held", () => {
  test("is released after its approved call, or withheld, as always", async () => {
    for (const outcome of ["allow", "deny"] as const) {
      const desk = openAsking({ evaluatePostTool: () => ({ outcome }) });
      const { outcome: call, approval } = await begin(desk);
      await desk.operator.approve(approval.approvalId);
      const ended = await call;
      expect(codeOf(ended)).toBe(outcome === "allow" ? "completed" : "policy_denied");
      const output = ended.type === "completed" ? ended.result.output : undefined;
      expect(output).toStrictEqual(outcome === "allow" ? { done: true } : undefined);
      expect((await storyOf(desk)).map((one) => one.split(" ")[0])).toStrictEqual([
        "call.waiting",
        "call.intended",
        "call.settled",
        outcome === "allow" ? "call.released" : "call.withheld",
      ]);
    }
  });
});

describe("a read that is asked about", () => {
  const policy = {
    maxCostEffect: "llm_cost",
    approvals: { requireForCostEffectAtOrAbove: "search_cost" },
  } as const;

  test("for its price runs when it was approved, once", async () => {
    const desk = openAsking({ levels: [{ level: "agent", policy }] });
    const search = { tool: "notes.search", input: { q: "a" } };
    const { approvalId, sideEffect, costEffect } = await ask(desk, search);
    expect([sideEffect, costEffect]).toStrictEqual(["none", "search_cost"]);
    expect(codeOf(await desk.call({ tool: "notes.read" }))).toBe("completed");
    await desk.operator.approve(approvalId);
    expect([codeOf(await desk.call(search)), codeOf(await desk.call(search))]).toStrictEqual([
      "completed",
      "approval_required",
    ]);
  });

  test("J1: uses its approval in the commit of its intent, which survives a power cut", async () => {
    const desk = openAsking({ levels: [{ level: "agent", policy }] });
    const search = { tool: "notes.search", input: { q: "a" } };
    await desk.operator.approve((await ask(desk, search)).approvalId);
    await desk.call(search);
    const intent = desk.store.units.find((unit) => kindsIn(unit).includes("call.intended"));
    expect([intent?.durability, intent?.documents?.map(({ kind }) => kind)]).toStrictEqual([
      "power",
      ["approval"],
    ]);
  });

  test("although it costs nothing says first what it is about to do", async () => {
    const every = { ...askingPolicy, approvals: { requireForSideEffectAtOrAbove: "none" } } as const;
    const desk = openAsking({ levels: [{ level: "agent", policy: every }] });
    await desk.operator.approve((await ask(desk, { tool: "notes.read" })).approvalId);
    expect(codeOf(await desk.call({ tool: "notes.read" }))).toBe("completed");
    expect(await storyOf(desk)).toStrictEqual([
      "call.refused pending approval_required",
      "call.intended used",
      "call.settled completed",
    ]);
  });
});

test("asking and answering survive a power cut", async () => {
  const desk = openAsking();
  const { outcome } = await begin(desk);
  const asked = desk.store.units.find((unit) => kindsIn(unit).includes("call.waiting"));
  expect(asked?.durability).toBe("power");
  await desk.operator.approve((await pending(desk.operator)).approvalId);
  await outcome;
  const used = desk.store.units.find((unit) => kindsIn(unit).includes("call.intended"));
  expect(used?.durability).toBe("power");
});

test("what is asked about and cannot be read, or was called off before, puts no question", async () => {
  const desk = openAsking();
  expect(codeOf(await desk.call({ ...write, input: [() => {}] }))).toBe("invalid_input");
  expect(codeOf(await desk.call({ ...write, signal: AbortSignal.abort() }))).toBe("cancelled");
  expect(await desk.operator.list({ status: "any" })).toStrictEqual([]);
});
