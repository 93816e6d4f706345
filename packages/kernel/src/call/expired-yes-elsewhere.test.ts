// A1, B9: a yes of this side has its time also while a person is asked where the tool runs. A later yes there does not bring it back.
import { describe, expect, test } from "vitest";
import { AskingPlace } from "../../test-data/asking-place.ts";
import { operatorOf, pending, waiting } from "../../test-data/call-approvals.ts";
import { codeOf, type Desk, openDesk, reopenDesk } from "../../test-data/call-desk.ts";
import { until } from "../../test-data/call-waiting.ts";
import type { CallOutcome } from "../call/call-host.ts";
import { verifyAccount } from "../journal/verify-account.ts";

const write = { tool: "notes.write", input: { text: "a" } };
/** How long a yes of this side is good, by its policy. */
const ttlMs = 60_000;

type Scene = {
  readonly desk: Desk;
  readonly place: AskingPlace;
  readonly call: Promise<CallOutcome>;
  readonly ownId: string;
};

/** A call that was approved here, was sent, and waits for a person there. */
async function sent(
  answer: "approve" | "approveForSession" = "approve",
  options: Partial<Parameters<typeof openDesk>[0]> = {},
): Promise<Scene> {
  const place = new AskingPlace();
  const desk = openDesk({ ...waiting, packs: [place.tool()], ...options });
  const operator = operatorOf(desk);
  const call = desk.call(write);
  const { approvalId } = await pending(operator);
  if (answer === "approve") await operator.approve(approvalId);
  else await operator.approveForSession(approvalId, { forMs: ttlMs });
  await until(() => place.looks.length > 0);
  return { desk, place, call, ownId: approvalId };
}

describe("a yes of this side that ends before the person there has answered", () => {
  test.each(["approve", "approveForSession"] as const)("is not used (%s)", async (answer) => {
    const { desk, place, call, ownId } = await sent(answer);
    desk.clock.advance(ttlMs);
    place.decide("approved");
    const outcome = await call;
    expect(codeOf(outcome)).toBe("approval_expired");
    expect(outcome).toMatchObject({ error: { details: { approvalId: ownId } } });
    expect(place.runs).toStrictEqual([]);
    expect((await desk.records()).findLast(({ kind }) => kind === "call.refused")).toMatchObject({
      waited: true,
      approval: { status: "superseded", elsewhere: { sentBy: ownId } },
    });
  });

  test("is used up to its last millisecond", async () => {
    const { desk, place, call } = await sent();
    desk.clock.advance(ttlMs - 1);
    place.decide("approved");
    expect(codeOf(await call)).toBe("completed");
    expect(place.runs).toHaveLength(1);
  });

  test("leads to a new question when the call is made again, and that yes lets it run, once", async () => {
    const { desk, place, call, ownId } = await sent();
    desk.clock.advance(ttlMs);
    place.decide("approved");
    await call;
    const again = desk.call(write);
    const operator = operatorOf(desk, { life: 8 });
    const { approvalId } = await pending(operator);
    expect(approvalId).not.toBe(ownId);
    expect(place.runs).toStrictEqual([]);
    await operator.approve(approvalId);
    expect(codeOf(await again)).toBe("completed");
    expect(place.runs).toHaveLength(1);
  });

  test("is not used by the next process either", async () => {
    const { desk, place, call } = await sent();
    await desk.seat.close();
    expect(await call).toMatchObject({ error: { details: { reason: "left_waiting" } } });
    desk.clock.advance(ttlMs);
    place.decide("approved");
    const next = reopenDesk(desk, { ...waiting, packs: [place.tool()], clock: desk.clock });
    expect(await next.seat.open()).toMatchObject({ settled: [{ outcome: "refused" }] });
    await next.seat.close();
    expect(place.runs).toStrictEqual([]);
    expect((await next.records()).findLast(({ kind }) => kind === "call.refused")).toMatchObject({
      error: { code: "approval_expired" },
    });
    expect((await verifyAccount(desk.store.inner, "acct_1")).status).not.toBe("broken");
  });

  test("is not used where its row is gone, or is another call's", async () => {
    const { desk, place, call, ownId } = await sent();
    const key = { kind: "approval", accountId: "acct_1", id: ownId } as const;
    const document = await desk.store.inner.document(key);
    const documents = [{ type: "remove", ...key, expects: document?.revision ?? 0 }] as const;
    await desk.store.inner.commit({ durability: "process", now: desk.clock.now(), documents });
    place.decide("approved");
    expect(codeOf(await call)).toBe("approval_mismatch");
    expect(place.runs).toStrictEqual([]);
  });
});

test("a second question there is answered in the time of the same yes, and not after it", async () => {
  const { desk, place, call } = await sent();
  place.next = "appr_there-0002";
  place.decide("approved");
  await until(() => place.approvalId === "appr_there-0002" && place.looks.length > 1);
  desk.clock.advance(ttlMs);
  place.decide("approved");
  expect(codeOf(await call)).toBe("approval_expired");
  expect(place.runs).toStrictEqual([]);
});

test.each([
  ["approve", "completed", 1],
  ["approveForSession", "approval_required", 0],
] as const)(
  "B12: what the host's rule asks by then, a yes to the one call answers, and a yes for the session does not (%s)",
  async (answer, code, runs) => {
    let outcome: "allow" | "ask" = "allow";
    const { place, call } = await sent(answer, { evaluatePreTool: () => ({ outcome }) });
    outcome = "ask";
    place.decide("approved");
    expect(codeOf(await call)).toBe(code);
    expect(place.runs).toHaveLength(runs);
  },
);
