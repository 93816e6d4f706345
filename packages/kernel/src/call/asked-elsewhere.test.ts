// Where a tool runs elsewhere and a person is asked there, nothing has begun: the effect was denied before it was executed, its key is
// free, and a call that waits is sent again under the same key, once, also after a crash at any commit of its life.
import { ApprovalRequiredError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { AskingPlace } from "../../test-data/asking-place.ts";
import { operatorOf, pending, waiting } from "../../test-data/call-approvals.ts";
import { codeOf, type Desk, type DeskOptions, openDesk, reopenDesk } from "../../test-data/call-desk.ts";
import { atFirst, FaultyStore } from "../../test-data/call-store.ts";
import { settlement, turn, until } from "../../test-data/call-waiting.ts";
import { type AccountVerification, verifyAccount } from "../journal/verify-account.ts";

const write = { tool: "notes.write", input: { text: "a" } };

function scene(options: DeskOptions = {}): Desk & { readonly place: AskingPlace } {
  const place = new AskingPlace();
  return { ...openDesk({ packs: [place.tool()], asking: "wait", ...options }), place };
}

async function storyOf({ records }: Pick<Desk, "records">): Promise<string[]> {
  return (await records()).flatMap((record) =>
    "callId" in record ? ["status" in record ? `${record.kind} ${record.status}` : record.kind] : [],
  );
}

test("a tool of this side that throws the same has failed, and may have done something", async () => {
  const desk = openDesk({
    asking: "wait",
    deed: () => {
      throw new ApprovalRequiredError("ask somebody", {
        details: { approvalId: "appr_00000001", expiresAt: "2026-01-02T04:04:05.000Z" },
      });
    },
  });
  const outcome = await desk.call({ ...write, idempotencyKey: "k" });
  expect([outcome.type, codeOf(outcome)]).toStrictEqual(["failed", "approval_required"]);
  expect(await storyOf(desk)).toStrictEqual(["call.intended", "call.settled failed"]);
  expect(await desk.call({ ...write, idempotencyKey: "k" })).toMatchObject({ replayed: true });
});

test("a call that does not wait has its key back, and counts as no call of a tool", async () => {
  const desk = scene({ asking: "return" });
  const outcome = await desk.call({ ...write, idempotencyKey: "k" });
  expect(codeOf(outcome)).toBe("approval_required");
  expect(await storyOf(desk)).toStrictEqual(["call.intended", "call.settled denied_before_execution"]);
  expect((await desk.records()).at(-1)).toMatchObject({
    spent: { toolCalls: 0 },
    error: { code: "approval_required", reason: "asked_elsewhere" },
  });
  desk.place.decide("approved");
  expect(codeOf(await desk.call({ ...write, idempotencyKey: "k" }))).toBe("completed");
  expect(desk.place.runs).toStrictEqual(["k"]);
});

test("where nobody can say how the question stands, nobody waits", async () => {
  const place = new AskingPlace();
  const desk = openDesk({ packs: [place.tool("notes.write", false)], asking: "wait" });
  expect(codeOf(await desk.call(write))).toBe("approval_required");
  expect(await storyOf(desk)).toStrictEqual(["call.intended", "call.settled denied_before_execution"]);
});

describe("a call that waits", () => {
  test("goes on with the answer, under the same key", async () => {
    const desk = scene();
    const call = desk.call(write);
    await until(() => desk.place.looks.length > 0);
    desk.place.decide("approved");
    expect(codeOf(await call)).toBe("completed");
    expect(await storyOf(desk)).toStrictEqual([
      "call.intended",
      "call.settled denied_before_execution",
      "call.waiting",
      "call.intended",
      "call.settled completed",
    ]);
    expect(desk.place.runs).toHaveLength(1);
  });

  test.each([
    ["denied", "approval_denied"],
    ["expired", "approval_expired"],
    ["cancelled", "cancelled"],
    ["superseded", "approval_mismatch"],
  ] as const)("ends when it is %s there, with %s", async (status, code) => {
    const desk = scene();
    const call = desk.call(write);
    await until(() => desk.place.looks.length > 0);
    desk.place.decide(status);
    expect(codeOf(await call)).toBe(code);
    expect((await desk.records()).at(-1)).toMatchObject({
      kind: "call.refused",
      waited: true,
      approval: { status, elsewhere: { times: 1 }, decidedBy: { keyId: "boss" } },
    });
    expect(desk.place.runs).toStrictEqual([]);
  });

  test("is not sent again where this side's own policy has changed its mind", async () => {
    let isOpen = true;
    const desk = scene({
      evaluatePreTool: () => (isOpen ? { outcome: "allow" } : { outcome: "deny", reason: "closed by now" }),
    });
    const call = desk.call(write);
    await until(() => desk.place.looks.length > 0);
    isOpen = false;
    desk.place.decide("approved");
    expect(codeOf(await call)).toBe("policy_denied");
    expect(desk.place.runs).toStrictEqual([]);
  });

  test("A1: is not sent again by a yes there where this side asks for a person by now", async () => {
    let asks = false;
    const desk = scene({ evaluatePreTool: () => ({ outcome: asks ? "ask" : "allow" }) });
    const call = desk.call(write);
    await until(() => desk.place.looks.length > 0);
    asks = true;
    desk.place.decide("approved");
    expect(codeOf(await call)).toBe("approval_required");
    expect((await desk.records()).at(-1)).toMatchObject({
      kind: "call.refused",
      verdict: { outcome: "ask", gate: "pre_tool" },
      approval: { status: "superseded" },
    });
    expect(desk.place.runs).toStrictEqual([]);
  });

  test("asks no faster than once a second where it is not let wait, and stops with its caller", async () => {
    const desk = scene();
    desk.place.say = () => ({ status: "pending" });
    const giveUp = new AbortController();
    const call = desk.call({ ...write, signal: giveUp.signal });
    for (const times of [1, 2, 3]) {
      await until(() => desk.place.looks.length === times && desk.clock.waits.includes(1000));
      desk.clock.advance(999);
      await turn();
      expect(desk.place.looks).toHaveLength(times);
      desk.clock.advance(1);
    }
    giveUp.abort();
    expect(codeOf(await call)).toBe("cancelled");
    expect(desk.place.looks.length).toBeLessThanOrEqual(4);
  });

  test("stops with its caller also where that place never answers", async () => {
    const desk = scene();
    desk.place.say = () => new Promise(() => {});
    const giveUp = new AbortController();
    const call = desk.call({ ...write, signal: giveUp.signal });
    await until(() => desk.place.looks.length > 0);
    giveUp.abort();
    expect(codeOf(await call)).toBe("cancelled");
  });

  test("S1: shows nothing of what a stranger throws there, and believes it to be away", async () => {
    const desk = scene();
    desk.place.say = () => {
      throw new Error("sf_live_CanaryCanaryCanaryCanaryCanary01");
    };
    const call = desk.call(write);
    await until(() => desk.clock.waits.includes(2000));
    desk.place.say = undefined;
    desk.place.decide("approved");
    desk.clock.advance(2000);
    expect(codeOf(await call)).toBe("completed");
    expect(JSON.stringify(await desk.records())).not.toContain("Canary");
  });

  test("is asked about three times at most", async () => {
    const desk = scene();
    desk.place.isForgetful = true;
    desk.place.decide("approved");
    expect(codeOf(await desk.call(write))).toBe("approval_required");
    const waits = (await desk.records()).filter(({ kind }) => kind === "call.waiting");
    expect(waits).toMatchObject([1, 2, 3].map((times) => ({ approval: { elsewhere: { times } } })));
    expect((await storyOf(desk)).at(-1)).toBe("call.settled denied_before_execution");
  });

  test("is left waiting when its seat closes, and goes on in the next one", async () => {
    const desk = scene();
    const call = desk.call(write);
    await until(() => desk.place.looks.length > 0);
    await desk.seat.close();
    const outcome = await call;
    expect(outcome).toMatchObject({ type: "refused", error: { details: { reason: "left_waiting" } } });
    const next = reopenDesk(desk, { packs: [desk.place.tool()], asking: "wait" });
    expect(await next.seat.open()).toMatchObject({ settled: [{ outcome: "left" }] });
    const runId = outcome.type === "refused" ? (outcome.error.details?.["runId"] as string) : "";
    const resumed = next.seat.resume(runId);
    expect(await settlement(resumed)).toStrictEqual({ state: "pending" });
    desk.place.decide("approved");
    expect(codeOf(await resumed)).toBe("completed");
    expect(desk.place.runs).toHaveLength(1);
    await next.seat.close();
    expect((await verifyAccount(desk.store.inner, "acct_1")).status).toBe("ok");
  });
});

test("approved here while nobody was there, it is sent by the next one, which does not wait for the place that asks then", async () => {
  const place = new AskingPlace();
  const options: DeskOptions = { ...waiting, packs: [place.tool()] };
  const desk = openDesk(options);
  const operator = operatorOf(desk);
  const call = desk.call(write);
  const own = await pending(operator);
  await desk.seat.close();
  await call;
  await operator.approve(own.approvalId);
  const next = reopenDesk(desk, options);
  const { approvalId } = place;
  expect(await next.seat.open()).toMatchObject({
    settled: [{ outcome: "left", waitsFor: { approvalId, elsewhere: "notes.write" } }],
  });
  expect((await next.records()).findLast(({ kind }) => kind === "call.waiting")).toMatchObject({
    approval: { approvalId, elsewhere: { times: 1, sentBy: own.approvalId } },
  });
  const resumed = next.seat.resume(own.runId);
  place.decide("approved");
  expect(codeOf(await resumed)).toBe("completed");
  expect(place.runs).toHaveLength(1);
  await next.seat.close();
});

test("a place that asks once more is waited for once more, also by the one that looks after what was left", async () => {
  const desk = scene();
  const call = desk.call(write);
  await until(() => desk.place.looks.length > 0);
  await desk.seat.close();
  await call;
  const next = reopenDesk(desk, { packs: [desk.place.tool()], asking: "wait" });
  await next.seat.open();
  desk.place.next = "appr_there-0002";
  desk.place.decide("approved");
  await until(() => next.clock.waits.includes(1000));
  next.clock.advance(1000);
  await until(() => desk.place.looks.at(-1) === 25_000);
  desk.place.decide("approved");
  await until(() => desk.place.runs.length === 1);
  await next.seat.close();
  const waits = (await next.records()).flatMap((one) => (one.kind === "call.waiting" ? [one.approval] : []));
  expect(waits).toMatchObject([
    { approvalId: "appr_there-0001", elsewhere: { times: 1 } },
    { approvalId: "appr_there-0002", elsewhere: { times: 2 } },
  ]);
  expect((await storyOf(next)).at(-1)).toBe("call.settled completed");
});

test("killed before it was on record that a person is asked there, it ends as what must be approved, and its key is free", async () => {
  const desk = scene({ asking: "return" });
  desk.store.fault = ({ appends = [] }) =>
    JSON.stringify(appends).includes("call.settled") ? { type: "die", written: false } : undefined;
  const request = { ...write, idempotencyKey: "k" };
  void desk.call(request).catch(() => undefined);
  await desk.store.died.promise;
  const next = reopenDesk(desk, { packs: [desk.place.tool()] });
  expect(await next.seat.open()).toMatchObject({ settled: [{ outcome: "refused", by: "retry" }] });
  expect(await next.seat.unknown()).toStrictEqual([]);
  expect(await next.seat.isClaimed("notes.write", "k")).toBe(false);
  desk.place.decide("approved");
  expect(codeOf(await next.call(request))).toBe("completed");
  expect(desk.place.runs).toStrictEqual(["k"]);
});

test("killed before it was on record that a person is asked there, a call that waits goes back to waiting", async () => {
  const desk = scene();
  const { place } = desk;
  desk.store.fault = atFirst("call.settled", { type: "die", written: false });
  void desk.call(write).catch(() => undefined);
  await desk.store.died.promise;
  const next = reopenDesk(desk, { packs: [place.tool()], asking: "wait" });
  expect(await next.seat.open()).toMatchObject({
    settled: [{ outcome: "left", waitsFor: { approvalId: place.approvalId, elsewhere: "notes.write" } }],
  });
  expect(await storyOf(next)).toStrictEqual([
    "call.intended",
    "call.retried",
    "call.settled denied_before_execution",
    "call.waiting",
  ]);
  place.decide("approved");
  await until(() => place.runs.length === 1);
  await next.seat.close();
  expect((await storyOf(next)).at(-1)).toBe("call.settled completed");
  expect((await verifyAccount(desk.store.inner, "acct_1")).status).toBe("ok");
});

test("X1: killed at any commit of its life, it runs at most once, nobody is left in doubt, and what ran is on record", async () => {
  const seen: string[] = [];
  for (const written of [true, false]) {
    for (let at = 0; ; at++) {
      const { status, runs, verified, hasDied } = await lifeThatEndsAt(at, written);
      if (!hasDied) break;
      seen.push(status ?? "nothing");
      expect({ at, written, runs }).toStrictEqual({ at, written, runs: status === "completed" ? 1 : 0 });
      expect(verified).toBe("ok");
    }
  }
  // Before its intent there is nothing; from then on it comes to what it would have come to without.
  expect(new Set(seen)).toStrictEqual(new Set(["nothing", "completed"]));
  expect(seen.filter((one) => one === "completed").length).toBeGreaterThan(6);
});

type Life = {
  readonly hasDied: boolean;
  readonly status: string | undefined;
  readonly runs: number;
  readonly verified: AccountVerification["status"];
};

/** A call that waits and is approved, in a process that dies at a commit, and in the one after it. */
async function lifeThatEndsAt(at: number, written: boolean): Promise<Life> {
  const store = new FaultyStore();
  const place = new AskingPlace();
  const desk = openDesk({ packs: [place.tool()], asking: "wait", store });
  store.fault = (_unit, index) => (index === at ? { type: "die", written } : undefined);
  const call = desk.call(write).catch(() => undefined);
  const isOver = Promise.race([call.then(() => false), store.died.promise.then(() => true)]);
  void until(() => place.looks.length > 0)
    .then(() => place.decide("approved"))
    .catch(() => undefined);
  const hasDied = await isOver;
  if (place.status === "pending") place.decide("approved");
  const next = reopenDesk(desk, { packs: [place.tool()], asking: "wait" });
  await next.seat.open();
  await next.seat.close();
  const ends = (await next.records()).flatMap((one) => (one.kind === "call.settled" ? [one.status] : []));
  const { status: verified } = await verifyAccount(store.inner, "acct_1");
  return { hasDied, status: ends.at(-1), runs: place.runs.length, verified };
}
