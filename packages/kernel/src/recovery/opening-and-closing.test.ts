// A closed seat opens no more, and one that closes waits for an opening under way: nothing of a dead process is settled behind its back.
import { describe, expect, test } from "vitest";
import { codeOf, type Desk, kindsOf, openDesk, reopenDesk } from "../../test-data/call-desk.ts";
import { atFirst } from "../../test-data/call-store.ts";
import { gate, settlement, until } from "../../test-data/call-waiting.ts";

/** A process that dies after it intended what can be run again. */
async function crash(): Promise<Desk> {
  const desk = openDesk();
  desk.store.fault = atFirst("call.intended", { type: "die", written: true });
  void desk.call({ tool: "notes.put", input: { n: 1 } });
  await desk.store.died.promise;
  return desk;
}

describe("a seat that was closed", () => {
  test("before it was opened opens no more, and settles nothing", async () => {
    const desk = await crash();
    const next = reopenDesk(desk);
    await next.seat.close();
    const calls = [
      next.seat.open(),
      next.call({ tool: "notes.read" }),
      next.seat.resolve("eff_00000000", { status: "failed", note: "no" }),
      next.seat.erase("call_00000000"),
    ];
    for (const told of await Promise.all(calls.map(settlement)))
      expect(told).toMatchObject({ state: "broken", error: { code: "invalid_transition" } });
    expect(next.deck.runs).toStrictEqual([]);
    expect(await kindsOf(next)).toStrictEqual(["segment.opened", "call.intended"]);
    const third = reopenDesk(desk, { life: 3 });
    expect((await third.seat.open()).settled).toMatchObject([{ outcome: "completed", by: "retry" }]);
  });

  test("after it was opened opens no more", async () => {
    const next = reopenDesk(await crash());
    await next.seat.open();
    await next.seat.close();
    expect(await settlement(next.seat.open())).toMatchObject({ error: { code: "invalid_transition" } });
    expect(next.deck.runs).toHaveLength(1);
  });

  test("after it could not be opened opens no more", async () => {
    const next = reopenDesk(await crash());
    next.store.failNext({ type: "throw" });
    expect((await settlement(next.seat.open())).state).toBe("broken");
    await next.seat.close();
    expect(await settlement(next.seat.open())).toMatchObject({ error: { code: "invalid_transition" } });
    expect(next.deck.runs).toStrictEqual([]);
  });
});

describe("a seat that closes while it opens", () => {
  test("waits for what it settles, and seals that segment", async () => {
    const answer = gate();
    const next = reopenDesk(await crash(), { deed: () => answer.promise });
    const opening = next.seat.open();
    await until(() => next.deck.runs.length === 1);
    const closing = next.seat.close();
    expect((await settlement(closing)).state).toBe("pending");
    answer.resolve();
    expect((await opening).settled).toMatchObject([{ outcome: "completed", by: "retry" }]);
    await closing;
    expect((await next.seat.verify()).status).toBe("ok");
  });

  test("waits for the call that opened it", async () => {
    const answer = gate();
    const next = reopenDesk(await crash(), { deed: () => answer.promise });
    const call = next.call({ tool: "notes.write" });
    await until(() => next.deck.runs.length === 1);
    const closing = next.seat.close();
    expect((await settlement(closing)).state).toBe("pending");
    answer.resolve();
    expect(codeOf(await call)).toBe("completed");
    await closing;
    expect((await next.seat.verify()).status).toBe("ok");
  });

  test("closes though the opening fails", async () => {
    const next = reopenDesk(await crash());
    const held = gate();
    next.store.beforeDocument = async () => {
      await held.promise;
      throw new Error("the disk does not answer");
    };
    const opening = next.seat.open();
    const closing = next.seat.close();
    held.resolve();
    expect([(await settlement(opening)).state, (await settlement(closing)).state]).toStrictEqual([
      "broken",
      "kept",
    ]);
  });
});
