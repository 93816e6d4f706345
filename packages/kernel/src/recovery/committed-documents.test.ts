// What a tool changes by `commit`, and a crash: it is there where the end of the call is. X1: what is tried again is written once.
import { describe, expect, test } from "vitest";
import type { Deed } from "../../test-data/call-deck.ts";
import {
  codeOf,
  type Desk,
  type DeskOptions,
  kindsOf,
  openDesk,
  reopenDesk,
} from "../../test-data/call-desk.ts";
import { changing, endsOf, noteIn, noteOf, overtake, putNote } from "../../test-data/call-documents.ts";
import { atFirst, type Fault } from "../../test-data/call-store.ts";
import { settlement } from "../../test-data/call-waiting.ts";

const put = { tool: "notes.put", input: { n: 1 }, idempotencyKey: "k" };

/** A process that dies with its first end of a call. */
async function crash(desk: Desk, written: boolean, act: () => Promise<unknown>): Promise<void> {
  desk.store.fault = atFirst("call.settled", { type: "die", written });
  void act();
  await desk.store.died.promise;
}

async function crashed(written: boolean, request = put, options: DeskOptions = {}): Promise<Desk> {
  const desk = openDesk({ deed: changing(), ...options });
  await crash(desk, written, async () => await desk.call(request));
  return desk;
}

const failing: Deed = (_, { commit }) => {
  commit([putNote(0)]);
  throw new Error("no");
};

test("before its end was written there is neither, and the second attempt brings both, once", async () => {
  const first = await crashed(false);
  expect(await noteIn(first.store.inner)).toBeUndefined();
  const next = reopenDesk(first, { deed: changing() });
  const { settled } = await next.seat.open();
  expect(settled).toMatchObject([{ tool: "notes.put", outcome: "completed", by: "retry" }]);
  expect(await endsOf(next)).toStrictEqual(["completed"]);
  expect(await noteIn(next.store)).toStrictEqual(noteOf(1));
  expect(codeOf(await next.call(put))).toBe("completed");
  expect(await noteIn(next.store)).toStrictEqual(noteOf(1));
  await next.seat.close();
  expect((await next.seat.verify()).status).toBe("ok");
});

test("after its end was written there are both, and nothing is tried again", async () => {
  const first = await crashed(true);
  const next = reopenDesk(first, { deed: changing() });
  expect((await next.seat.open()).settled).toStrictEqual([]);
  expect(next.deck.runs).toStrictEqual([]);
  expect(await endsOf(next)).toStrictEqual(["completed"]);
  expect(await noteIn(next.store)).toStrictEqual(noteOf(1));
});

describe("a crash in the second attempt too:", () => {
  test.each([true, false])("once all the same, its end written: %s", async (written) => {
    const first = await crashed(false);
    const second = reopenDesk(first, { deed: changing() });
    await crash(second, written, async () => await second.seat.open());
    const third = reopenDesk(second, { deed: changing(), life: 3 });
    const { settled } = await third.seat.open();
    expect(settled.map(({ outcome }) => outcome)).toStrictEqual(written ? [] : ["completed"]);
    expect(await endsOf(third)).toStrictEqual(["completed"]);
    expect(await noteIn(third.store)).toStrictEqual(noteOf(1));
    expect(codeOf(await third.call(put))).toBe("completed");
    expect(third.deck.runs).toHaveLength(written ? 0 : 1);
  });
});

describe("a fault while the second attempt's end is written leaves both or neither, and opening again brings both:", () => {
  test.each<[string, Fault]>([
    ["thrown", { type: "throw" }],
    ["lost", { type: "lost" }],
  ])("%s", async (_, fault) => {
    const first = await crashed(false);
    const next = reopenDesk(first, { deed: changing() });
    next.store.fault = atFirst("call.settled", fault);
    const opened = await settlement(next.seat.open());
    const isWritten = fault.type === "lost";
    expect(opened.state).toBe(isWritten ? "kept" : "broken");
    expect(await noteIn(next.store)).toStrictEqual(isWritten ? noteOf(1) : undefined);
    await next.seat.open();
    expect(await endsOf(next)).toStrictEqual(["completed"]);
    expect(await noteIn(next.store)).toStrictEqual(noteOf(1));
  });
});

test("a second attempt that was overtaken has failed, and its key says so", async () => {
  const first = await crashed(false);
  await overtake(first.store.inner);
  const next = reopenDesk(first, { deed: changing() });
  expect((await next.seat.open()).settled).toMatchObject([{ outcome: "failed", by: "retry" }]);
  expect(await endsOf(next)).toStrictEqual(["failed revision_conflict"]);
  expect(await noteIn(next.store)).toStrictEqual(noteOf(1, "by somebody else"));
  expect(await next.seat.unknown()).toStrictEqual([]);
  expect(await next.call(put)).toMatchObject({ type: "failed", error: { code: "revision_conflict" } });
});

test("a second attempt that fails changes nothing, and is unknown", async () => {
  const first = await crashed(false);
  const next = reopenDesk(first, { deed: failing });
  expect((await next.seat.open()).settled).toMatchObject([{ outcome: "unknown" }]);
  expect(await noteIn(next.store)).toBeUndefined();
});

test("a second attempt whose output is held has changed its documents before the host's policy is asked", async () => {
  const seen: unknown[] = [];
  const first = await crashed(false, put, { evaluatePostTool: () => ({ outcome: "allow" }) });
  const next = reopenDesk(first, {
    deed: changing(),
    evaluatePostTool: async () => {
      seen.push(await noteIn(first.store.inner));
      return { outcome: "deny" };
    },
  });
  expect((await next.seat.open()).settled).toMatchObject([{ outcome: "withheld" }]);
  expect(seen).toStrictEqual([noteOf(1)]);
  expect(await noteIn(next.store)).toStrictEqual(noteOf(1));
});

describe("a tool that is only asked what became of its effect changes nothing by answering:", () => {
  const request = { ...put, tool: "notes.check" };

  test("it is told so", async () => {
    const first = await crashed(false, request);
    const next = reopenDesk(first);
    const told: unknown[] = [];
    next.deck.reconcile = (_, { commit }) => {
      try {
        commit([putNote(0)]);
      } catch (error) {
        told.push(error);
      }
      return { status: "completed", output: null };
    };
    expect((await next.seat.open()).settled).toMatchObject([{ outcome: "completed", by: "reconcile" }]);
    expect(told).toMatchObject([
      {
        code: "contract_violation",
        message: "notes.check: nothing is changed, because it was only asked what became of an effect",
      },
    ]);
    expect(await noteIn(next.store)).toBeUndefined();
  });

  test("and where it makes nothing of that, it has said nothing either", async () => {
    const first = await crashed(false, request);
    const next = reopenDesk(first);
    next.deck.reconcile = (_, { commit }) => {
      commit([putNote(0)]);
      return { status: "completed", output: null };
    };
    expect((await next.seat.open()).settled).toMatchObject([{ outcome: "unknown" }]);
    expect(await noteIn(next.store)).toBeUndefined();
  });
});

test("what is owed when the process ends is gone with it: the next one tries the call again, and writes once", async () => {
  const desk = openDesk({ deed: changing() });
  desk.store.fault = atFirst("call.settled", { type: "throw" });
  await settlement(desk.call(put));
  await desk.store.die();
  const next = reopenDesk(desk, { deed: changing() });
  expect((await next.seat.open()).settled).toMatchObject([{ outcome: "completed", by: "retry" }]);
  expect((await kindsOf(next)).filter((kind) => kind === "call.settled")).toHaveLength(1);
  expect(await noteIn(next.store)).toStrictEqual(noteOf(1));
});
