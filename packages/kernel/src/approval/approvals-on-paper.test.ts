// What is left of an approved call for somebody who trusts nobody: its receipt, its trace, and a replay, in which nobody is asked.
import { describe, expect, test } from "vitest";
import { ask, asking, begin, openAsking, pending, waiting, write } from "../../test-data/call-approvals.ts";
import {
  codeOf,
  collected,
  type Desk,
  firstTrace,
  installation,
  openDesk,
  reopenDesk,
  traceOf,
} from "../../test-data/call-desk.ts";
import { brokenPromises } from "../../test-data/call-events.ts";
import type { CallOutcome } from "../call/call-host.ts";
import { segmentsOf } from "../journal/verify-account.ts";
import { verifyReceipt } from "../receipt/verify-receipt.ts";
import { openReplay } from "../replay/replay.ts";
import { diffTraces } from "../trace/diff-traces.ts";
import { exportTrace } from "../trace/export-trace.ts";
import { readTrace } from "../trace/read-trace.ts";
import { traceEntries } from "../trace/trace-entries.ts";
import type { Operator } from "./open-operator.ts";

function receiptOf(outcome: CallOutcome) {
  return outcome.type === "completed" ? outcome.result.receipt : outcome.receipt;
}

/** Calls of every end that an approval can have, signed, in one segment. */
async function played(): Promise<{
  readonly desk: Desk & { operator: Operator };
  readonly outcomes: CallOutcome[];
}> {
  const desk = openAsking();
  const wait = async (text: string, act: (id: string) => unknown, signal?: AbortSignal) => {
    const request = { ...write, input: { text }, signReceipt: true, signal };
    const { outcome, approval } = await begin(desk, request);
    await act(approval.approvalId);
    return await outcome;
  };
  const controller = new AbortController();
  const outcomes = [
    await wait("approved", (id) => desk.operator.approve(id)),
    await wait("denied", (id) => desk.operator.deny(id, { note: "no" })),
    await wait("expired", () => desk.clock.advance(60_000)),
    await wait("cancelled", () => controller.abort(), controller.signal),
    await desk.call({ ...write, input: { text: "returned" }, signReceipt: true }),
  ];
  await desk.operator.approve((await pending(desk.operator)).approvalId);
  outcomes.push(await desk.call({ ...write, input: { text: "returned" }, signReceipt: true }));
  outcomes.push(await wait("session", (id) => desk.operator.approveForSession(id)));
  outcomes.push(await desk.call({ ...write, input: { text: "granted" }, signReceipt: true }));
  await desk.operator.close();
  await desk.seat.close();
  return { desk, outcomes };
}

test("the receipt of every call that a person was asked about names the approval, is signed, and its trace bears it out", async () => {
  const { desk, outcomes } = await played();
  const trace = await readTrace(await traceOf(desk.seat));
  expect(outcomes.map(codeOf)).toStrictEqual([
    "completed",
    "approval_denied",
    "approval_expired",
    "cancelled",
    "approval_required",
    "completed",
    "completed",
    "completed",
  ]);
  for (const outcome of outcomes) {
    const receipt = receiptOf(outcome);
    expect(receipt?.approvalId).toMatch(/^appr_/);
    expect(verifyReceipt(receipt, { trace, publicKeys: [installation.signer.publicKey] })).toMatchObject({
      status: "authentic",
    });
    const other = { ...receipt, approvalId: "appr_00000000-forged" };
    const { checks } = verifyReceipt(other, { trace });
    expect(checks.find(({ check }) => check === "trace")).toMatchObject({
      result: "failed",
      detail: "the trace says otherwise about approvalId",
    });
  }
});

test("a trace shows what became of each call, and replays alone; recorded again it is equal, and nobody is asked", async () => {
  const { desk } = await played();
  const text = await traceOf(desk.seat);
  const trace = await readTrace(text);
  expect(trace.verification.status).toBe("ok");
  expect(traceEntries(trace).map(({ status }) => status)).toStrictEqual([
    "completed",
    "denied_before_execution",
    "denied_before_execution",
    "denied_before_execution",
    "denied_before_execution",
    "completed",
    "completed",
    "completed",
  ]);
  const replay = openDesk({ life: 5, packs: undefined, replay: await openReplay([text]) });
  const texts = ["approved", "denied", "expired", "cancelled", "returned", "returned", "session", "granted"];
  const codes: string[] = [];
  for (const one of texts) {
    codes.push(codeOf(await replay.call({ ...write, input: { text: one } })));
    expect(brokenPromises(replay.events.splice(0))).toStrictEqual([]);
  }
  expect(codes).toStrictEqual([
    "completed",
    "approval_denied",
    "approval_expired",
    "cancelled",
    "approval_required",
    "completed",
    "completed",
    "completed",
  ]);
  await replay.seat.close();
  const again = await readTrace(await traceOf(replay.seat));
  expect(diffTraces(trace, again)).toMatchObject({ equal: true, differences: [] });
  expect((await replay.seat.verify()).status).toBe("ok");
  // The replay has used no approval, and keeps none.
  expect(
    await replay.store.inner.documents({ kind: "approval", accountId: "acct_1", limit: 9 }),
  ).toStrictEqual([]);
});

describe("R1: of a trace that ends while a call waits", () => {
  test("the call replays as one that nobody had answered, waits for nobody, and never goes on", async () => {
    const desk = openAsking(waiting);
    const { approval } = await begin(desk);
    await desk.store.die();
    const text = await firstTrace(desk.store.inner);
    const trace = await readTrace(text);
    expect(trace.verification.status).toBe("open");
    expect(traceEntries(trace)).toMatchObject([{ status: "denied_before_execution" }]);
    // Recorded into the very store where the call itself still waits.
    const replay = reopenDesk(desk, { life: 5, packs: undefined, replay: await openReplay([text]) });
    const outcome = await replay.call(write);
    expect(outcome).toMatchObject({ error: { code: "approval_required" } });
    expect(brokenPromises(replay.events)).toStrictEqual([]);
    await replay.seat.close();
    const recorded = (await replay.records()).filter((one) => "replayed" in one);
    expect(recorded).toMatchObject([{ kind: "call.refused", replayed: true }]);
    const again = await readTrace(await traceOf(replay.seat));
    expect(diffTraces(trace, again)).toMatchObject({ equal: true });
    await desk.operator.approve(approval.approvalId);
    const next = reopenDesk(desk, { ...waiting, life: 6, deck: desk.deck, clock: desk.clock });
    expect((await next.seat.open()).settled).toMatchObject([
      { callId: approval.callId, outcome: "completed" },
    ]);
    expect(desk.deck.runs).toHaveLength(1);
  });

  test("two are different where one of them was approved", async () => {
    const desk = openAsking(waiting);
    const { outcome, approval } = await begin(desk);
    const before = await readTrace(await firstTrace(desk.store.inner));
    await desk.operator.approve(approval.approvalId);
    await outcome;
    const after = await readTrace(await firstTrace(desk.store.inner));
    expect(diffTraces(before, after)).toMatchObject({
      equal: false,
      differences: [
        {
          type: "changed",
          fields: expect.arrayContaining([
            { path: "/status", a: "denied_before_execution", b: "completed" },
            { path: "/error/code", a: "approval_required" },
          ]),
        },
      ],
    });
  });
});

test("the segment of whoever answered is a trace as well", async () => {
  const desk = openAsking();
  const { approvalId } = await ask(desk);
  await desk.operator.approve(approvalId, { note: "fine" });
  await desk.operator.close();
  const [, stream] = await collected(segmentsOf(desk.store.inner, "acct_1"));
  expect(stream).toMatch(/^seg_00000009/);
  const lines = await collected(exportTrace(desk.store.inner, "acct_1", stream ?? ""));
  const trace = await readTrace(lines.map((line) => `${line}\n`).join(""));
  expect([trace.verification.status, trace.calls.size]).toStrictEqual(["ok", 0]);
  expect(lines.join("")).toContain("fine");
});

test("explaining a call says that it would ask, and asks nobody", async () => {
  const desk = openAsking(asking);
  expect(desk.seat.explain("notes.write", write.input)).toMatchObject({ outcome: "ask", gate: "approval" });
  expect(await desk.operator.list({ status: "any" })).toStrictEqual([]);
});
