// A tool that wants to change what somebody else has changed meanwhile: its call has failed, nothing of it is written, and
// everything that tells of the call says so.
import { describe, expect, test } from "vitest";
import type { Deed } from "../../test-data/call-deck.ts";
import { codeOf, openDesk, traceOf } from "../../test-data/call-desk.ts";
import {
  changing,
  endsOf,
  noteIn,
  noteKey,
  noteOf,
  overtake,
  putNote,
} from "../../test-data/call-documents.ts";
import { atEvery, atFirst, kindsIn } from "../../test-data/call-store.ts";
import { settlement } from "../../test-data/call-waiting.ts";
import { verifyReceipt } from "../receipt/verify-receipt.ts";
import { readTrace } from "../trace/read-trace.ts";

const write = { tool: "notes.write", input: { text: "a" } };
const keyed = { ...write, idempotencyKey: "k" };
const message =
  "notes.write: what it was about to change was changed at the same time; nothing of it is written, try again";
const theirs = noteOf(1, "by somebody else");

test("the call fails with revision_conflict and may be tried again; nothing of it is written, not even what was free", async () => {
  const other = { ...noteKey, id: "other" };
  const free = { type: "put", ...other, expects: 0, status: "s", body: "free" } as const;
  const desk = openDesk({ deed: changing([free, putNote(0)]) });
  await overtake(desk.store.inner);
  const outcome = await desk.call(write);
  expect(outcome).toMatchObject({
    type: "failed",
    error: { code: "revision_conflict", retry: "safe", message, details: { tool: "notes.write" } },
  });
  expect(await endsOf(desk)).toStrictEqual(["failed revision_conflict"]);
  expect(desk.events.map(({ type }) => type).slice(-2)).toStrictEqual(["tool.failed", "run.failed"]);
  expect(await noteIn(desk.store)).toStrictEqual(theirs);
  expect(await desk.store.document(other)).toBeUndefined();
  expect(await desk.seat.unknown()).toStrictEqual([]);
});

test("its receipt is true: it names the record that says so, and no output", async () => {
  const desk = openDesk({ deed: changing([putNote(0)], { secret: "never shown" }) });
  await overtake(desk.store.inner);
  const outcome = await desk.call(write);
  await desk.seat.close();
  expect((await desk.seat.verify()).status).toBe("ok");
  const receipt = outcome.type === "failed" ? outcome.receipt : undefined;
  if (receipt === undefined) throw new Error("no receipt");
  expect(receipt).not.toHaveProperty("outputHash");
  const text = await traceOf(desk.seat);
  expect(verifyReceipt(receipt, { trace: await readTrace(text) })).toMatchObject({ status: "consistent" });
  expect(text).not.toContain("never shown");
});

test("its key answers with that, and nothing runs; another key may try again", async () => {
  const desk = openDesk({
    deed: async (_, { commit }) => {
      commit([putNote(desk.deck.runs.length === 1 ? 0 : 1)]);
      return null;
    },
  });
  await overtake(desk.store.inner);
  const first = await desk.call(keyed);
  const again = await desk.call(keyed);
  expect([first, again]).toMatchObject([
    { type: "failed", error: { code: "revision_conflict", retry: "safe", message } },
    // With the same key it never will.
    { type: "failed", replayed: true, error: { code: "revision_conflict", retry: "never", message } },
  ]);
  expect(desk.deck.runs).toHaveLength(1);
  expect(codeOf(await desk.call({ ...write, idempotencyKey: "k2" }))).toBe("completed");
  expect(await noteIn(desk.store)).toStrictEqual(noteOf(2));
});

test("an output that was to be held is not: the host's policy is asked about nothing", async () => {
  const asked: unknown[] = [];
  const desk = openDesk({
    deed: changing(),
    evaluatePostTool: (view) => {
      asked.push(view);
      return { outcome: "allow" };
    },
  });
  await overtake(desk.store.inner);
  expect(codeOf(await desk.call(keyed))).toBe("revision_conflict");
  expect(codeOf(await desk.call(keyed))).toBe("revision_conflict");
  expect(asked).toStrictEqual([]);
  expect((await desk.records()).map(({ kind }) => kind)).toStrictEqual([
    "segment.opened",
    "call.intended",
    "call.settled",
    "call.repeated",
  ]);
});

describe("J2: a result that was owed, and overtaken before it could be written, is the failed one, once", () => {
  test.each([write, keyed])("%j", async (request) => {
    const desk = openDesk({ deed: changing() });
    desk.store.fault = atFirst("call.settled", { type: "throw" });
    expect(await settlement(desk.call(request))).toMatchObject({ error: { code: "recovery_needed" } });
    await overtake(desk.store.inner);
    desk.deck.deed = () => null;
    await desk.call({ tool: "notes.read" });
    expect(await endsOf(desk)).toStrictEqual(["failed revision_conflict"]);
    expect(await noteIn(desk.store)).toStrictEqual(theirs);
  });

  test("also where the failed one cannot be written either, at first; and what was decided stays decided", async () => {
    const desk = openDesk({ deed: changing() });
    await overtake(desk.store.inner);
    let settled = 0;
    desk.store.fault = (unit) => {
      if (!kindsIn(unit).includes("call.settled")) return undefined;
      settled += 1;
      return settled === 2 ? { type: "throw" } : undefined;
    };
    expect(await settlement(desk.call(keyed))).toMatchObject({ error: { code: "recovery_needed" } });
    // Now it could be written after all, if anybody asked again.
    const remove = { type: "remove", ...noteKey, expects: 1 } as const;
    await desk.store.inner.commit({ durability: "process", now: 0, documents: [remove] });
    desk.deck.deed = () => null;
    await desk.call({ tool: "notes.read" });
    expect(settled).toBe(3);
    expect(await endsOf(desk)).toStrictEqual(["failed revision_conflict"]);
    expect(await noteIn(desk.store)).toBeUndefined();
    expect(codeOf(await desk.call(keyed))).toBe("revision_conflict");
    await desk.seat.close();
    expect((await desk.seat.verify()).status).toBe("ok");
  });
});

describe("a key that has run out meanwhile changes nothing about how the call ended:", () => {
  const late = { limits: { claimMs: 10 } };
  const slowly: (deed: Deed) => Deed = (deed) => (input, context, tool) => {
    desks.at(-1)?.clock.jump(20);
    return deed(input, context, tool);
  };
  const desks: ReturnType<typeof openDesk>[] = [];

  test("its documents are written", async () => {
    const desk = openDesk({ ...late, deed: slowly(changing()) });
    desks.push(desk);
    expect(codeOf(await desk.call(keyed))).toBe("completed");
    expect(await noteIn(desk.store)).toStrictEqual(noteOf(1));
  });

  test("or it was overtaken", async () => {
    const desk = openDesk({ ...late, deed: slowly(changing()) });
    desks.push(desk);
    await overtake(desk.store.inner);
    expect(codeOf(await desk.call(keyed))).toBe("revision_conflict");
    expect(await noteIn(desk.store)).toStrictEqual(theirs);
  });

  test("J2: one that was written while nobody could see it was not overtaken by itself", async () => {
    const desk = openDesk({ ...late, deed: slowly(changing()) });
    desks.push(desk);
    let isDown = false;
    desk.store.beforeRead = () => {
      if (isDown) throw new Error("the disk does not answer");
    };
    desk.store.fault = (unit) => {
      if (!kindsIn(unit).includes("call.settled") || (unit.claims ?? []).length > 0) return undefined;
      isDown = true;
      return { type: "lost" };
    };
    expect(await settlement(desk.call(keyed))).toMatchObject({ error: { code: "recovery_needed" } });
    isDown = false;
    desk.store.fault = () => undefined;
    desk.deck.deed = () => null;
    await desk.call({ tool: "notes.read" });
    expect(await endsOf(desk)).toStrictEqual(["completed"]);
    expect(await noteIn(desk.store)).toStrictEqual(noteOf(1));
    await desk.seat.close();
    expect((await desk.seat.verify()).status).toBe("ok");
  });
});

test("of calls that change the same document at once each has changed it or says that it has not", async () => {
  const desk = openDesk({
    deed: async (_, { commit }) => {
      const revision = (await noteIn(desk.store))?.revision ?? 0;
      commit([putNote(revision, `${revision + 1}`)]);
      return null;
    },
  });
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => await desk.call({ ...write, input: { n } })),
  );
  const codes = outcomes.map(codeOf);
  const done = codes.filter((code) => code === "completed").length;
  expect(new Set(codes)).toStrictEqual(new Set(["completed", "revision_conflict"]));
  expect(await noteIn(desk.store)).toStrictEqual(noteOf(done, `${done}`));
  expect((await endsOf(desk)).toSorted()).toStrictEqual(
    codes.map((code) => (code === "completed" ? code : `failed ${code}`)).toSorted(),
  );
});

test("J2: of a store that says so every time nothing is asked for ever: the result is owed", async () => {
  const desk = openDesk({ deed: changing() });
  desk.store.fault = atEvery("call.settled", {
    type: "conflict",
    conflict: { type: "conflict", on: "document", key: noteKey, revision: 1 },
  });
  expect(await settlement(desk.call(write))).toMatchObject({ error: { code: "recovery_needed" } });
});
