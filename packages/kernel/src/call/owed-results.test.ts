// J2: if a result cannot be committed after an effect ran, its caller is told which effect, and nothing else runs before it is.
import { hashText } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { begin, openAsking, storyOf } from "../../test-data/call-approvals.ts";
import {
  codeOf,
  type Desk,
  kindsOf,
  openDesk,
  outputOf,
  reopenDesk,
  traceOf,
} from "../../test-data/call-desk.ts";
import { atEvery, atFirst, type Fault } from "../../test-data/call-store.ts";
import { settlement } from "../../test-data/call-waiting.ts";
import { readTrace } from "../trace/read-trace.ts";

const write = { tool: "notes.write", input: { text: "a" } };
const stream = "seg_00000001-0000-4000-8000-000000000002";
const effectId = "eff_00000001-0000-4000-8000-000000000001";
const lostLease = { type: "conflict", on: "epoch", stream } as const;
const strange = { type: "conflict", on: "head", stream, head: { seq: 9, hash: hashText("x") } } as const;

const faults: readonly (readonly [string, Fault])[] = [
  ["the store throws", { type: "throw" }],
  ["the lease is lost", { type: "conflict", conflict: lostLease }],
  ["the stream was changed underneath", { type: "conflict", conflict: strange }],
];

// proves PORT-21.6
describe("J2: the caller of an effect whose result is not written is told which one, when", () => {
  test.each(faults)("%s", async (_, fault) => {
    const desk = openDesk();
    desk.store.fault = atFirst("call.settled", fault);
    const call = await settlement(desk.call(write));
    expect(call).toMatchObject({
      state: "broken",
      error: {
        code: "recovery_needed",
        retry: "after_user_action",
        details: { tool: "notes.write", effectId, callId: effectId.replace("eff_", "call_") },
      },
    });
    expect((call as { error: Error }).error.message).toContain(effectId);
    expect(desk.deck.runs).toHaveLength(1);
    expect(desk.events.map(({ type }) => type)).not.toContain("tool.completed");
    expect(await kindsOf(desk)).toStrictEqual(["segment.opened", "call.intended"]);
  });
});

test("J2: a result that was written although the store threw is no debt", async () => {
  const desk = openDesk();
  desk.store.fault = atFirst("call.settled", { type: "lost" });
  expect(outputOf(await desk.call(write))).toStrictEqual({ done: true });
  await desk.call({ tool: "notes.read" });
  expect(await kindsOf(desk)).toStrictEqual(["segment.opened", "call.intended", "call.settled", "call.read"]);
});

test("J2: what is owed is written before the next call does anything", async () => {
  const desk = await indebted();
  const order: string[] = [];
  desk.deck.deed = () => {
    order.push("run");
    return null;
  };
  desk.store.fault = (unit) => {
    order.push(...(unit.appends ?? []).flatMap(({ records }) => records.map(({ text }) => kindIn(text))));
    return undefined;
  };
  await desk.call(write);
  expect(order).toStrictEqual(["call.settled", "call.intended", "run", "call.settled"]);
  await desk.seat.close();
  expect((await desk.seat.verify()).status).toBe("ok");
});

test("J2: what is owed is written before a call begins that a person has approved meanwhile", async () => {
  const desk = openAsking({
    levels: [{ level: "agent", policy: { maxSideEffect: "user_write", maxCostEffect: "llm_cost" } }],
    evaluatePreTool: ({ tool }) => ({ outcome: tool === "notes.pay" ? "ask" : "allow" }),
  });
  const { outcome, approval } = await begin(desk, { ...write, tool: "notes.pay" });
  desk.store.fault = atFirst("call.settled", { type: "throw" });
  expect(await settlement(desk.call(write))).toMatchObject({ error: { code: "recovery_needed" } });
  await desk.operator.approve(approval.approvalId);
  expect(codeOf(await outcome)).toBe("completed");
  expect(await storyOf(desk)).toStrictEqual([
    "call.waiting pending",
    "call.intended",
    "call.settled completed",
    "call.intended used",
    "call.settled completed",
  ]);
});

describe("J2: while what is owed cannot be written, nothing runs:", () => {
  test.each(["notes.write", "notes.search", "notes.read"])("%s", async (tool) => {
    const desk = await indebted();
    desk.store.fault = atEvery("call.settled", { type: "throw" });
    const next = await settlement(desk.call({ tool }));
    expect(next).toMatchObject({ state: "broken", error: { code: "journal_append_failed" } });
    expect(desk.deck.runs).toHaveLength(1);
    expect(await kindsOf(desk)).toStrictEqual(["segment.opened", "call.intended"]);
  });
});

test("J2: calls that come at once write what is owed once", async () => {
  const desk = await indebted();
  await Promise.all([1, 2, 3, 4].map(async (n) => await desk.call({ tool: "notes.read", input: { n } })));
  expect((await kindsOf(desk)).filter((kind) => kind === "call.settled")).toHaveLength(1);
  await desk.seat.close();
  expect((await desk.seat.verify()).status).toBe("ok");
  expect((await readOf(desk)).status).toBe("ok");
});

test("J2: a result that was written while nobody could see it is not written again", async () => {
  const desk = openDesk();
  let isDown = true;
  desk.store.fault = atFirst("call.settled", { type: "lost" });
  desk.store.beforeRead = () => {
    if (isDown) throw new Error("the disk does not answer");
  };
  expect(await settlement(desk.call(write))).toMatchObject({ error: { code: "recovery_needed" } });
  isDown = false;
  await desk.call({ tool: "notes.read" });
  expect((await kindsOf(desk)).filter((kind) => kind === "call.settled")).toHaveLength(1);
  await desk.seat.close();
  expect((await readOf(desk)).status).toBe("ok");
});

test("J2: the key of a call whose result was owed answers with that result once it is written", async () => {
  const desk = openDesk();
  desk.store.fault = atFirst("call.settled", { type: "throw" });
  await settlement(desk.call({ ...write, idempotencyKey: "k" }));
  await desk.call({ tool: "notes.read" });
  const again = await desk.call({ ...write, idempotencyKey: "k" });
  expect(codeOf(again)).toBe("completed");
  expect(again).toMatchObject({ result: { output: { done: true }, replayed: true } });
  expect(desk.deck.runs.filter(({ tool }) => tool === "notes.write")).toHaveLength(1);
});

describe("J2: a seat that closes with a debt", () => {
  test("pays it if it can, and seals", async () => {
    const desk = await indebted();
    await desk.seat.close();
    expect(await kindsOf(desk)).toStrictEqual(["segment.opened", "call.intended", "call.settled"]);
    expect((await desk.seat.verify()).status).toBe("ok");
  });

  test("leaves the segment open if it cannot, and whoever comes next settles it (X1)", async () => {
    const desk = await indebted();
    desk.store.fault = atEvery("call.settled", { type: "throw" });
    await desk.seat.close();
    expect((await desk.seat.verify()).status).toBe("open");
    const next = reopenDesk(desk);
    const report = await next.seat.open();
    expect(report).toMatchObject({
      segments: 1,
      living: 0,
      settled: [{ effectId, tool: "notes.write", outcome: "unknown", by: "nobody" }],
    });
    expect(await next.seat.unknown()).toMatchObject([{ effectId, tool: "notes.write" }]);
    expect(next.deck.runs).toStrictEqual([]);
    expect((await next.seat.verify()).status).toBe("ok");
  });
});

describe("J2 holds for whatever comes out of a tool: its result is kept, or owed", () => {
  test.each([
    ["an operation's name that is no text", { operationId: "\ud800 order" }],
    ["a reference cut in the middle of a character", { reconciliationRef: `${"x".repeat(511)}\u{1f600}` }],
  ])("%s", async (_, external) => {
    const desk = openDesk({
      deed: (_input, context) => {
        context.external(external);
        return { done: true };
      },
    });
    const call = await settlement(desk.call(write));
    expect(call.state).toBe("kept");
    expect(await kindsOf(desk)).toStrictEqual(["segment.opened", "call.intended", "call.settled"]);
  });
});

/** A desk that owes one result. */
async function indebted(): Promise<Desk> {
  const desk = openDesk();
  desk.store.fault = atFirst("call.settled", { type: "throw" });
  await settlement(desk.call(write));
  desk.events.length = 0;
  return desk;
}

function kindIn(text: string): string {
  return (JSON.parse(text) as { kind: string }).kind;
}

async function readOf(desk: Desk) {
  return (await readTrace(await traceOf(desk.seat))).verification;
}
