// What a host's policy says may quote what it is about: it lies beside the record, in no verdict, and goes when the call is erased.
import { describe, expect, test } from "vitest";
import { type Desk, kindsOf, openDesk, reopenDesk, storedIn, traceOf } from "../../test-data/call-desk.ts";
import { readTrace } from "../trace/read-trace.ts";
import type { CallOutcome } from "./call-host.ts";

const person = "Berta Meier";
const request = { tool: "notes.write", input: { name: person } };

/** The texts of the records that name the person, and of the rows beside them. */
async function namedIn({ store }: Desk): Promise<{ records: number; rows: number }> {
  const stored = await storedIn(store.inner);
  const rows = stored.flatMap(({ content }) => content);
  return {
    records: stored.filter(({ text }) => text.includes(person)).length,
    rows: rows.filter((row) => JSON.stringify(row).includes(person)).length,
  };
}

function receiptOf(outcome: CallOutcome) {
  return outcome.type === "completed" ? outcome.result.receipt : outcome.receipt;
}

const callIdOf = (outcome: CallOutcome): string => receiptOf(outcome)?.callId ?? "";

describe.each([
  ["denies", "deny", "policy_denied", 2],
  // Why a person is asked lies beside its record once more, for whoever watches.
  ["asks for a person", "ask", "approval_required", 3],
] as const)("what a policy says that %s before a call", (_, outcome, code, rows) => {
  const evaluatePreTool = ({ input }: { input: unknown }) =>
    ({ outcome, reason: `${(input as { name: string }).name} may not` }) as const;

  test("is told to the caller, and is in no verdict", async () => {
    const desk = openDesk({ evaluatePreTool });
    const told = await desk.call(request);
    expect(told).toMatchObject({
      type: "refused",
      error: { code, message: expect.stringContaining(`${person} may not`) },
    });
    const checked = desk.events.find(({ type }) => type === "policy.checked");
    const [record] = (await desk.records()).slice(1);
    const verdicts = [checked, record, receiptOf(told), told.type === "refused" && told.error.details];
    expect(verdicts.filter((one) => JSON.stringify(one).includes(person))).toStrictEqual([]);
    expect(verdicts).toMatchObject([
      { verdict: { gate: "pre_tool" } },
      { verdict: { gate: "pre_tool" } },
      {},
      {},
    ]);
  });

  test("lies beside its record, and goes with the call", async () => {
    const desk = openDesk({ evaluatePreTool });
    const told = await desk.call(request);
    expect(await namedIn(desk)).toStrictEqual({ records: 0, rows });
    expect(await desk.seat.erase(callIdOf(told))).toBe(rows);
    expect(await namedIn(desk)).toStrictEqual({ records: 0, rows: 0 });
    await desk.seat.close();
    const trace = await traceOf(desk.seat);
    expect([trace.includes(person), (await readTrace(trace)).verification.status]).toStrictEqual([
      false,
      "ok",
    ]);
  });
});

test("what a policy says after a call lies beside its record, and goes with the call", async () => {
  const desk = openDesk({
    evaluatePostTool: ({ input }) => ({
      outcome: "deny",
      reason: `not about ${(input as { name: string }).name}`,
    }),
  });
  const told = await desk.call(request);
  expect(await namedIn(desk)).toStrictEqual({ records: 0, rows: 2 });
  await desk.seat.erase(callIdOf(told));
  expect(await namedIn(desk)).toStrictEqual({ records: 0, rows: 0 });
});

test("what a policy says when a key comes again goes with the call that the key was for", async () => {
  let isAllowed = true;
  const desk = openDesk({
    evaluatePostTool: () =>
      isAllowed ? { outcome: "allow" } : { outcome: "deny", reason: `not about ${person}` },
  });
  const first = await desk.call({ ...request, idempotencyKey: "k" });
  isAllowed = false;
  await desk.call({ ...request, idempotencyKey: "k" });
  expect(await namedIn(desk)).toStrictEqual({ records: 0, rows: 3 });
  await desk.seat.erase(callIdOf(first));
  expect(await namedIn(desk)).toStrictEqual({ records: 0, rows: 0 });
});

describe("erasing a call erases the inputs of those that were answered from it:", () => {
  test("here and in other segments, and the proof stays", async () => {
    const desk = openDesk();
    const first = await desk.call({ ...request, idempotencyKey: "k" });
    await desk.call({ ...request, idempotencyKey: "k" });
    await desk.seat.close();
    const next = reopenDesk(desk);
    const third = await next.call({ ...request, idempotencyKey: "k" });
    expect(await namedIn(desk)).toStrictEqual({ records: 0, rows: 3 });
    expect(callIdOf(third)).toBe(callIdOf(first));
    expect(await next.seat.erase(callIdOf(first))).toBe(4);
    expect(await namedIn(desk)).toStrictEqual({ records: 0, rows: 0 });
    expect((await kindsOf(next)).filter((kind) => kind === "content.erased")).toHaveLength(4);
    await next.seat.close();
    expect((await next.seat.verify()).status).toBe("ok");
  });

  test("and not those of another call with the same input", async () => {
    const desk = openDesk();
    const first = await desk.call({ ...request, idempotencyKey: "k" });
    await desk.call({ ...request, idempotencyKey: "other" });
    await desk.call({ ...request, idempotencyKey: "other" });
    expect(await desk.seat.erase(callIdOf(first))).toBe(2);
    expect(await namedIn(desk)).toStrictEqual({ records: 0, rows: 2 });
  });
});
