// J1: nothing that has an effect starts before its intent is committed, and no read is answered before it is recorded.
import { hashText } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { codeOf, type Desk, kindsOf, openDesk, outputOf, reopenDesk } from "../../test-data/call-desk.ts";
import { atFirst, type Fault, kindsIn } from "../../test-data/call-store.ts";
import { settlement } from "../../test-data/call-waiting.ts";

const write = { tool: "notes.write", input: { text: "a" } };
const stream = "seg_00000001-0000-4000-8000-000000000002";
const key = { kind: "contract", accountId: "", id: "x" };

/** A fault of the commit, and the code that the caller is told. */
const refusals: readonly (readonly [name: string, fault: Fault, code: string])[] = [
  [
    "a document stands in the way",
    { type: "conflict", conflict: { type: "conflict", on: "document", key, revision: 3 } },
    "revision_conflict",
  ],
  [
    "another process has taken the stream over",
    { type: "conflict", conflict: { type: "conflict", on: "epoch", stream } },
    "lease_lost",
  ],
  [
    "the stream ends where its writer did not leave it",
    {
      type: "conflict",
      conflict: { type: "conflict", on: "head", stream, head: { seq: 7, hash: hashText("strange") } },
    },
    "journal_corrupt",
  ],
  ["the store throws and has written nothing", { type: "throw" }, "journal_append_failed"],
];

// proves PORT-9.10, PORT-12.1, PORT-21.5
describe("J1: an intent that is not committed runs nothing, when", () => {
  test.each(refusals)("%s", async (_, fault, code) => {
    const desk = openDesk();
    desk.store.fault = atFirst("call.intended", fault);
    const told = await refusalOf(desk);
    expect(told).toBe(code);
    expect(desk.deck.runs).toStrictEqual([]);
    expect(desk.events).toStrictEqual([]);
    expect(await kindsOf(desk)).toStrictEqual(["segment.opened"]);
  });

  test("the segment cannot even be opened", async () => {
    const desk = openDesk();
    desk.store.fault = atFirst("segment.opened", { type: "throw" });
    expect(await refusalOf(desk)).toBe("journal_append_failed");
    expect(desk.deck.runs).toStrictEqual([]);
    expect(outputOf(await desk.call(write))).toStrictEqual({ done: true });
    expect(desk.deck.runs).toHaveLength(1);
  });

  test("the store cannot say whether it was written", async () => {
    const desk = openDesk();
    desk.store.fault = atFirst("call.intended", { type: "lost" });
    desk.store.beforeRead = () => {
      throw new Error("the disk does not answer");
    };
    expect(await refusalOf(desk)).toBe("journal_append_failed");
    expect(desk.deck.runs).toStrictEqual([]);
  });
});

test("J1: an intent that was written although the store threw counts as written, and runs once", async () => {
  const desk = openDesk();
  desk.store.fault = atFirst("call.intended", { type: "lost" });
  expect(outputOf(await desk.call(write))).toStrictEqual({ done: true });
  expect(desk.deck.runs).toHaveLength(1);
  expect(await kindsOf(desk)).toStrictEqual(["segment.opened", "call.intended", "call.settled"]);
});

test("J1: after a failed intent the next call goes on as if nothing had been", async () => {
  const desk = openDesk();
  desk.store.fault = atFirst("call.intended", { type: "throw" });
  await refusalOf(desk);
  expect(outputOf(await desk.call(write))).toStrictEqual({ done: true });
  await desk.seat.close();
  expect((await desk.seat.verify()).status).toBe("ok");
});

test("X1: an intent whose fate was unclear is never sealed without an end", async () => {
  const desk = openDesk();
  desk.store.fault = atFirst("call.intended", { type: "lost" });
  let isDown = true;
  desk.store.beforeRead = () => {
    if (isDown) throw new Error("the disk does not answer");
  };
  await refusalOf(desk);
  isDown = false;
  await desk.seat.close();
  const next = reopenDesk(desk);
  await next.seat.open();
  expect(await kindsOf(next)).toStrictEqual(["segment.opened", "call.intended", "call.settled"]);
  expect((await next.seat.verify()).status).toBe("ok");
});

describe("X1: an intent whose fate was unclear has begun nothing; the next call with its key runs, once,", () => {
  const keyed = { ...write, idempotencyKey: "once" };

  /** A desk at which a call was told that nobody can say whether its intent was written. */
  async function unclear(fate: "lost" | "throw") {
    const desk = openDesk();
    desk.store.fault = atFirst("call.intended", { type: fate });
    desk.store.beforeRead = () => {
      throw new Error("the disk does not answer");
    };
    expect(await settlement(desk.call(keyed))).toMatchObject({
      state: "broken",
      error: { code: "journal_append_failed", details: { reason: "unseen" } },
    });
    desk.store.beforeRead = () => {};
    return desk;
  }

  /** What another call with its key comes to, and what is on record then. */
  async function goOn(desk: Desk) {
    const output = outputOf(await desk.call(keyed));
    const kinds = await kindsOf(desk);
    await desk.seat.close();
    return { output, runs: desk.deck.runs.length, kinds, status: (await desk.seat.verify()).status };
  }

  const once = { output: { done: true }, runs: 1, status: "ok" };
  const found = ["segment.opened", "call.intended", "call.settled", "call.intended", "call.settled"];

  test("after the one that was written has got its end", async () => {
    expect(await goOn(await unclear("lost"))).toStrictEqual({ ...once, kinds: found });
  });

  test("also where that end could not be written at first", async () => {
    const desk = await unclear("lost");
    desk.store.fault = atFirst("call.settled", { type: "throw" });
    expect(await settlement(desk.call(keyed))).toMatchObject({ error: { code: "journal_append_failed" } });
    expect(desk.deck.runs).toStrictEqual([]);
    expect(await goOn(desk)).toStrictEqual({ ...once, kinds: found });
  });

  test("as if nothing had been, where it was not written", async () => {
    const kinds = ["segment.opened", "call.intended", "call.settled"];
    expect(await goOn(await unclear("throw"))).toStrictEqual({ ...once, kinds });
  });

  test("and nothing is left for the next process where no other call comes", async () => {
    const desk = await unclear("lost");
    await desk.seat.close();
    expect((await desk.seat.verify()).status).toBe("ok");
    const next = reopenDesk(desk);
    expect(await next.seat.recover()).toMatchObject({ settled: [] });
    const kinds = [...found.slice(0, 3), "segment.opened", ...found.slice(3)];
    expect(await goOn(next)).toStrictEqual({ ...once, kinds });
  });
});

// proves PORT-21.2
describe("J1: what cannot be recorded is answered to nobody:", () => {
  test.each([
    ["a read", "notes.read", "call.read"],
    ["a refusal", "notes.unheard", "call.refused"],
  ])("%s", async (_, tool, kind) => {
    const desk = openDesk();
    desk.store.fault = atFirst(kind, { type: "throw" });
    const call = await settlement(desk.call({ tool }));
    expect(call).toMatchObject({ state: "broken", error: { code: "journal_append_failed" } });
    expect(desk.events).toStrictEqual([]);
    expect(await kindsOf(desk)).toStrictEqual(["segment.opened"]);
  });

  test("a read whose lease is gone", async () => {
    const desk = openDesk();
    const conflict = { type: "conflict", on: "epoch", stream } as const;
    desk.store.fault = atFirst("call.read", { type: "conflict", conflict });
    const call = await settlement(desk.call({ tool: "notes.read" }));
    expect(call).toMatchObject({ state: "broken", error: { code: "lease_lost" } });
    expect(desk.events).toStrictEqual([]);
  });

  test("a held output whose release is not written", async () => {
    const desk = openDesk({ evaluatePostTool: () => ({ outcome: "allow" }) });
    desk.store.fault = atFirst("call.released", { type: "throw" });
    const call = await settlement(desk.call(write));
    expect(call).toMatchObject({ state: "broken", error: { code: "recovery_needed" } });
    expect(desk.events.map(({ type }) => type)).not.toContain("run.completed");
  });
});

test("J1: the intent of a change is as durable as power allows, that of a paid read survives the process", async () => {
  const desk = openDesk();
  await desk.call(write);
  await desk.call({ tool: "notes.search" });
  await desk.call({ tool: "notes.read" });
  await desk.call({ tool: "notes.unheard" });
  const classes = desk.store.units
    .flatMap((unit) => kindsIn(unit).map((kind) => `${kind} ${unit.durability}`))
    .slice(1);
  expect(classes).toStrictEqual([
    "call.intended power",
    "call.settled power",
    "call.intended process",
    "call.settled process",
    "call.read process",
    "call.refused process",
  ]);
});

/** The code that a caller is told, whichever way. */
async function refusalOf(desk: Desk): Promise<string> {
  const told = await settlement(desk.call(write));
  if (told.state === "broken") return (told.error as { code: string }).code;
  return told.state === "kept" ? codeOf(told.value as never) : "pending";
}
