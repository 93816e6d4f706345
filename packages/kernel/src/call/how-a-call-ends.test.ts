// One execution, ended by whoever is first: the tool, its caller, or the clock. What comes after that is late (J4).
import type { CancelledError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { Deck } from "../../test-data/call-deck.ts";
import { codeOf, type Desk, kindsOf, openDesk, outputOf, traceOf } from "../../test-data/call-desk.ts";
import { brokenPromises } from "../../test-data/call-events.ts";
import { atFirst } from "../../test-data/call-store.ts";
import { gate, settlement, turn, unhandledDuring, until } from "../../test-data/call-waiting.ts";
import { readTrace } from "../trace/read-trace.ts";
import { traceEntries } from "../trace/trace-entries.ts";

const write = { tool: "notes.write", input: { text: "a" } };
const forever = async () => await new Promise<never>(() => {});

describe("the clock ends a call", () => {
  test.each([
    ["after the tool's own limit", "pay.slow", {}, 500, "the tool's own timeoutMs"],
    ["after the caller's, where that is less", "pay.slow", { timeoutMs: 20 }, 20, "the call's timeoutMs"],
    [
      "never later than the tool's, whatever the caller says",
      "pay.slow",
      { timeoutMs: 10_000 },
      500,
      "the tool's own timeoutMs",
    ],
    ["after a minute, where nobody says anything", "notes.write", {}, 60_000, "limits.callMs"],
    [
      "after the caller's, where the tool says nothing",
      "notes.write",
      { timeoutMs: 90_000 },
      90_000,
      "the call's timeoutMs",
    ],
    [
      "after what a timer can wait, whatever the caller says",
      "notes.write",
      { timeoutMs: 1e12 },
      2 ** 31 - 1,
      "what a timer can wait",
    ],
  ])("%s, and says by what", async (_, tool, request, limit, boundBy) => {
    const deck = new Deck(forever, [{ name: "pay.slow", sideEffect: "user_write", timeoutMs: 500 }]);
    const desk = openDesk({ deck });
    const call = desk.call({ tool, ...request });
    await until(() => deck.runs.length === 1);
    desk.clock.advance(limit - 1);
    expect((await settlement(call)).state).toBe("pending");
    desk.clock.advance(1);
    const outcome = await call;
    const message = expect.stringContaining(`within ${limit} ms`) as string;
    expect(outcome).toMatchObject({ type: "failed", error: { code: "timeout", message } });
    expect(outcome).toMatchObject({ error: { message: expect.stringContaining(boundBy) as string } });
    expect((await desk.records()).at(-1)).toMatchObject({ status: "timed_out", durationMs: limit });
    expect(desk.clock.waiting).toBe(0);
  });

  test("after the policy's wall time, where that is less", async () => {
    const policy = { maxSideEffect: "user_write", budget: { maxWallMs: 30 } } as const;
    const desk = openDesk({ deed: forever, levels: [{ level: "agent", policy }] });
    const call = desk.call(write);
    await until(() => desk.deck.runs.length === 1);
    desk.clock.advance(30);
    expect(codeOf(await call)).toBe("timeout");
  });

  test("and where the policy leaves it no time at all, nothing runs", async () => {
    const policy = { maxSideEffect: "user_write", budget: { maxWallMs: 0 } } as const;
    const desk = openDesk({ levels: [{ level: "agent", policy }] });
    expect(codeOf(await desk.call(write))).toBe("budget_exceeded");
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("and tells the tool", async () => {
    const seen: unknown[] = [];
    const desk = openDesk({
      deed: async (_input, { signal }) => {
        signal.addEventListener("abort", () => seen.push((signal.reason as { code: string }).code));
        return await forever();
      },
    });
    const call = desk.call(write);
    await until(() => desk.deck.runs.length === 1);
    desk.clock.advance(60_000);
    await call;
    expect(seen).toStrictEqual(["timeout"]);
  });

  test("no timer is left behind by a call that ended by itself", async () => {
    const desk = openDesk();
    await desk.call(write);
    await desk.call({ tool: "notes.read" });
    expect(desk.clock.waiting).toBe(0);
  });

  test.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, "5" as never])(
    "%s is no limit, and is refused",
    async (timeoutMs) => {
      const desk = openDesk();
      expect(await settlement(desk.call({ ...write, timeoutMs }))).toMatchObject({
        error: { code: "invalid_input", details: { path: "/timeoutMs" } },
      });
    },
  );
});

describe("its caller ends a call", () => {
  test("before it began: nothing runs", async () => {
    const desk = openDesk();
    const outcome = await desk.call({ ...write, signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ type: "refused", error: { code: "cancelled" } });
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("while its intent is being written: nothing runs, and the intent has its end", async () => {
    const held = gate();
    const desk = openDesk();
    desk.store.fault = atFirst("call.intended", { type: "wait", for: held.promise });
    const controller = new AbortController();
    const call = desk.call({ ...write, signal: controller.signal });
    await until(() => desk.store.units.length === 3, "the intent");
    controller.abort();
    held.resolve();
    expect(codeOf(await call)).toBe("cancelled");
    expect(await kindsOf(desk)).toStrictEqual(["segment.opened", "call.intended", "call.settled"]);
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("while a policy thinks about it: nothing runs", async () => {
    const controller = new AbortController();
    const desk = openDesk({
      evaluatePreTool: () => {
        controller.abort();
        return { outcome: "allow" };
      },
    });
    expect(codeOf(await desk.call({ ...write, signal: controller.signal }))).toBe("cancelled");
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("while it runs: the tool is told, and what it had begun may have happened", async () => {
    const seen: unknown[] = [];
    const controller = new AbortController();
    const desk = openDesk({
      deed: async (_input, { signal }) => {
        signal.addEventListener("abort", () => seen.push((signal.reason as CancelledError).code));
        return await forever();
      },
    });
    const call = desk.call({ ...write, signal: controller.signal });
    await until(() => desk.deck.runs.length === 1);
    controller.abort();
    expect(codeOf(await call)).toBe("cancelled");
    expect(seen).toStrictEqual(["cancelled"]);
    expect((await desk.records()).at(-1)).toMatchObject({ kind: "call.settled", status: "cancelled" });
  });

  test("after it ended: nothing changes, and nobody listens any more", async () => {
    const controller = new AbortController();
    const desk = openDesk();
    expect(outputOf(await desk.call({ ...write, signal: controller.signal }))).toStrictEqual({ done: true });
    controller.abort();
    await turn();
    expect(await kindsOf(desk)).toStrictEqual(["segment.opened", "call.intended", "call.settled"]);
  });

  test("with something that is no signal: refused before anything is written", async () => {
    const desk = openDesk({ deed: forever });
    const signal = new AbortController() as never;
    expect(await settlement(desk.call({ ...write, signal }))).toMatchObject({
      state: "broken",
      error: { code: "invalid_input" },
    });
    expect(await kindsOf(desk)).toStrictEqual([]);
  });
});

describe("J4: what comes after the end", () => {
  test.each([
    ["a result", async (end: Promise<unknown>) => await end, "completed"],
    [
      "a failure",
      async (end: Promise<unknown>) => {
        await end;
        throw new Error("too late");
      },
      "failed",
    ],
  ])("%s is noted once, and changes nothing", async (_, deed, status) => {
    const { desk, outcome, end } = await lateCall(deed);
    const before = await traceEntriesOf(desk);
    end.resolve({ late: true });
    await until(() => desk.store.units.length === 5, "the note");
    expect(codeOf(outcome)).toBe("timeout");
    expect((await desk.records()).slice(-2)).toMatchObject([
      { kind: "call.settled", status: "timed_out" },
      { kind: "call.late", status },
    ]);
    expect(await traceEntriesOf(desk)).toStrictEqual(before);
    expect(brokenPromises(desk.events)).toStrictEqual([]);
  });

  test("never stands before the end, however soon it comes", async () => {
    const held = gate();
    const end = Promise.withResolvers<unknown>();
    const desk = openDesk({ deed: async () => await end.promise });
    desk.store.fault = atFirst("call.settled", { type: "wait", for: held.promise });
    const call = desk.call({ ...write, timeoutMs: 10 });
    await until(() => desk.deck.runs.length === 1);
    desk.clock.advance(10);
    end.resolve({ late: true });
    await until(() => desk.store.units.length === 4, "the result");
    await turn();
    held.resolve();
    await call;
    await until(() => desk.store.units.length === 5, "the note");
    expect((await kindsOf(desk)).slice(-2)).toStrictEqual(["call.settled", "call.late"]);
  });

  test("is dropped once the journal is closed, and closes with it whole", async () => {
    const { desk, end } = await lateCall(async (late) => await late);
    await desk.seat.close();
    const unhandled = await unhandledDuring(async () => {
      end.resolve({ late: true });
      await turn();
    });
    expect(unhandled).toStrictEqual([]);
    expect((await readTrace(await traceOf(desk.seat))).verification.status).toBe("ok");
  });

  test("that comes while the journal is being closed is within the seal, or not there", async () => {
    const { desk, end } = await lateCall(async (late) => await late);
    desk.store.beforeDocument = async () => {
      desk.store.beforeDocument = () => {};
      end.resolve({ late: true });
      await turn();
    };
    await desk.seat.close();
    expect((await readTrace(await traceOf(desk.seat))).verification.status).toBe("ok");
    expect((await desk.seat.verify()).status).toBe("ok");
  });

  test("that is being written when the journal is closed is within the seal", async () => {
    const { desk, end } = await lateCall(async (late) => await late);
    const held = gate();
    desk.store.fault = atFirst("call.late", { type: "wait", for: held.promise });
    end.resolve({ late: true });
    await until(() => desk.store.units.length === 5, "the note");
    const closing = desk.seat.close();
    await turn();
    held.resolve();
    await closing;
    expect((await kindsOf(desk)).at(-1)).toBe("call.late");
    expect((await readTrace(await traceOf(desk.seat))).verification).toMatchObject({
      status: "ok",
      count: 4,
    });
  });

  test("progress is no longer shown", async () => {
    const kept: ((message: string) => void)[] = [];
    const desk = openDesk({
      deed: (_input, { progress }) => {
        kept.push(progress);
        progress("half");
        return null;
      },
    });
    await desk.call(write);
    kept[0]?.("after all");
    expect(desk.events.filter(({ type }) => type === "tool.progress")).toHaveLength(1);
    expect(brokenPromises(desk.events)).toStrictEqual([]);
  });
});

/** A call whose time is over while its tool goes on. */
async function lateCall(deed: (end: Promise<unknown>) => Promise<unknown>) {
  const end = Promise.withResolvers<unknown>();
  const desk = openDesk({ deed: async () => await deed(end.promise) });
  const call = desk.call({ ...write, timeoutMs: 10 });
  await until(() => desk.deck.runs.length === 1);
  desk.clock.advance(10);
  return { desk, outcome: await call, end };
}

async function traceEntriesOf(desk: Desk) {
  return traceEntries(await readTrace(await traceOf(desk.seat)));
}
