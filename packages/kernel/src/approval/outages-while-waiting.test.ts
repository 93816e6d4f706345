// A store that does not answer for a while ends no waiting, and makes nothing happen twice (J1, X1).
import { HostConfigurationNeededError, JournalAppendFailedError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import {
  asking,
  begin,
  closeAll,
  leaveWaiting,
  openAsking,
  storyOf,
  write,
} from "../../test-data/call-approvals.ts";
import { codeOf, reopenDesk } from "../../test-data/call-desk.ts";
import { atFirst, kindsIn } from "../../test-data/call-store.ts";
import { settlement, turn, unhandledDuring, until } from "../../test-data/call-waiting.ts";

/** As a file says it, and as a database does. */
const outages = [
  new JournalAppendFailedError("the disk does not answer"),
  new HostConfigurationNeededError("the database cannot be used", { retry: "after_wait" }),
].map((outage) => [outage.code, outage] as const);

describe("a store that does not answer for a while", () => {
  test.each(outages)("ends no waiting: it is looked at again (%s)", async (_, outage) => {
    const desk = openAsking();
    const { outcome, approval } = await begin(desk);
    let isDown = true;
    desk.store.beforeDocument = () => {
      if (isDown) throw outage;
    };
    await desk.operator.approve(approval.approvalId);
    expect(await settlement(outcome)).toStrictEqual({ state: "pending" });
    isDown = false;
    desk.clock.advance(1000);
    expect(codeOf(await outcome)).toBe("completed");
    expect(desk.deck.runs).toHaveLength(1);
  });

  test.each([
    ["call.intended", "throw", "completed", 1],
    ["call.intended", "lost", "completed", 1],
  ] as const)("when %s is to be written (%s): it runs once", async (kind, type, code, runs) => {
    const desk = openAsking();
    const { outcome, approval } = await begin(desk);
    desk.store.fault = atFirst(kind, { type });
    await desk.operator.approve(approval.approvalId);
    await settlement(outcome);
    desk.clock.advance(1000);
    expect(codeOf(await outcome)).toBe(code);
    expect(desk.deck.runs).toHaveLength(runs);
    expect(await closeAll(desk)).toStrictEqual(["ok"]);
  });

  test("when a denial is to be written: it ends once", async () => {
    for (const type of ["throw", "lost"] as const) {
      const desk = openAsking();
      const { outcome, approval } = await begin(desk);
      desk.store.fault = atFirst("call.refused", { type });
      await desk.operator.deny(approval.approvalId);
      await settlement(outcome);
      desk.clock.advance(1000);
      expect(codeOf(await outcome)).toBe("approval_denied");
      expect(await closeAll(desk)).toStrictEqual(["ok"]);
    }
  });

  test("X1: what was begun in spite of the error is not begun again, and not ended either", async () => {
    const desk = openAsking();
    const { outcome, approval } = await begin(desk);
    // The intent is written, and nobody can tell: neither who wrote it, nor who reads.
    let isDown = false;
    desk.store.fault = (unit) => {
      if (!kindsIn(unit).includes("call.intended")) return undefined;
      isDown = true;
      return { type: "lost" };
    };
    desk.store.beforeRead = () => {
      if (!isDown) return;
      isDown = false;
      throw new Error("nothing is read");
    };
    await desk.operator.approve(approval.approvalId);
    const told = settlement(outcome);
    for (let at = 0; at < 5; at++) {
      await turn();
      desk.clock.advance(1000);
    }
    expect(await told).toMatchObject({ state: "broken" });
    expect(desk.deck.runs).toStrictEqual([]);
    expect(await storyOf(desk)).toStrictEqual(["call.waiting pending", "call.intended used"]);
    await desk.seat.close();
    const next = { ...reopenDesk(desk, { ...asking, deck: desk.deck }), operator: desk.operator };
    expect((await next.seat.open()).settled).toMatchObject([{ outcome: "unknown" }]);
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test("for longer than the question lasts: the caller is told, and nothing ever runs", async () => {
    const desk = openAsking();
    const { outcome } = await begin(desk);
    desk.store.fault = () => ({ type: "throw" });
    desk.clock.advance(60_000);
    expect(await settlement(outcome)).toMatchObject({
      state: "broken",
      error: { code: "journal_append_failed" },
    });
    desk.store.fault = () => undefined;
    await desk.seat.close();
    const next = {
      ...reopenDesk(desk, { ...asking, deck: desk.deck, clock: desk.clock }),
      operator: desk.operator,
    };
    expect((await next.seat.open()).settled).toMatchObject([{ outcome: "refused" }]);
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test.each(outages)(
    "ends no looking after a call that another process has left waiting (%s)",
    async (_, outage) => {
      const { desk, approval, next } = await leaveWaiting();
      const later = next();
      await later.seat.open();
      let isDown = true;
      later.store.beforeDocument = () => {
        if (isDown) throw outage;
      };
      const pass = async () => {
        for (let at = 0; at < 5; at++) {
          await turn();
          desk.clock.advance(1000);
        }
      };
      await desk.operator.approve(approval.approvalId);
      await pass();
      expect(desk.deck.runs).toStrictEqual([]);
      isDown = false;
      await pass();
      expect(desk.deck.runs).toHaveLength(1);
      expect(await closeAll(later)).toStrictEqual(["ok"]);
    },
  );

  test("leaves nothing unhandled", async () => {
    const seen = await unhandledDuring(async () => {
      const { desk, approval, next } = await leaveWaiting();
      const later = next();
      await later.seat.open();
      later.store.fault = () => ({ type: "throw" });
      await desk.operator.approve(approval.approvalId);
      for (let at = 0; at < 5; at++) {
        await turn();
        desk.clock.advance(1000);
      }
      later.store.fault = () => undefined;
      desk.clock.advance(1000);
      await until(() => desk.deck.runs.length === 1, "the call");
      await later.seat.close();
    });
    expect(seen).toStrictEqual([]);
  });
});

test("X1: a result that the next process cannot write is settled by the one after, and stops nobody else", async () => {
  const { desk, approval, next } = await leaveWaiting({}, { ...write, tool: "notes.put" });
  await desk.operator.approve(approval.approvalId);
  const later = next();
  later.store.fault = atFirst("call.settled", { type: "throw" });
  await expect(later.seat.open()).rejects.toMatchObject({ code: "recovery_needed" });
  expect(desk.deck.runs).toHaveLength(1);
  // The second time it is looked at, it is an effect without an end like any other: harmless to repeat.
  expect((await later.seat.open()).settled).toMatchObject([{ outcome: "completed", by: "retry" }]);
  expect(codeOf(await later.call({ tool: "notes.read" }))).toBe("completed");
  expect(await closeAll(later)).toStrictEqual(["ok"]);
});
