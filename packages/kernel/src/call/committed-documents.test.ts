// What a tool changes by `commit` is written in the unit that says how its call ended: both, or neither. And only where it came to
// its own end.
import { hashText, RecoveryNeededError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import type { Deed } from "../../test-data/call-deck.ts";
import { codeOf, type DeskOptions, kindsOf, openDesk, outputOf } from "../../test-data/call-desk.ts";
import { changing, endsOf, noteIn, noteKey, noteOf, putNote } from "../../test-data/call-documents.ts";
import { atEvery, atFirst, type Fault, kindsIn } from "../../test-data/call-store.ts";
import { settlement, until } from "../../test-data/call-waiting.ts";
import type { DocumentWrite } from "../store/store.ts";
import type { ToolContext } from "./executors.ts";

const write = { tool: "notes.write", input: { text: "a" } };
const stream = "seg_00000001-0000-4000-8000-000000000002";

test("they are written with the record of the end, and with no other", async () => {
  const desk = openDesk({ deed: changing([putNote(0)], { done: true }) });
  expect(outputOf(await desk.call(write))).toStrictEqual({ done: true });
  const units = desk.store.units.filter(({ documents }) => documents?.some(({ kind }) => kind === "note"));
  expect(units.map(kindsIn)).toStrictEqual([["call.settled"]]);
  expect(units[0]?.durability).toBe("power");
  expect(await noteIn(desk.store)).toStrictEqual(noteOf(1));
});

test("all of what a tool gives is written, in its order, also by a function that was taken out of the context", async () => {
  const other = { ...noteKey, id: "other" };
  const deed: Deed = (_, { commit }) => {
    commit([putNote(0, "first"), { type: "keep", ...other, status: "s", body: "kept" }]);
    commit([]);
    commit([putNote(1, "second"), { type: "remove", ...other, expects: 1 }]);
    return null;
  };
  const desk = openDesk({ deed });
  await desk.call(write);
  expect(await noteIn(desk.store)).toStrictEqual(noteOf(2, "second"));
  expect(await desk.store.document(other)).toBeUndefined();
});

test("G4: what is written is what was given, whatever its owner does to it later", async () => {
  const mine = { ...putNote(0) } as { -readonly [Key in keyof DocumentWrite]: DocumentWrite[Key] } & {
    body: string;
  };
  const list = [mine as DocumentWrite];
  const desk = openDesk({
    deed: (_, { commit }) => {
      commit(list);
      mine.body = "changed";
      list.push(putNote(1, "more"));
      return null;
    },
  });
  await desk.call(write);
  expect(await noteIn(desk.store)).toStrictEqual(noteOf(1));
});

const strange: Fault = {
  type: "conflict",
  conflict: { type: "conflict", on: "head", stream, head: { seq: 9, hash: hashText("x") } },
};
const lostLease: Fault = { type: "conflict", conflict: { type: "conflict", on: "epoch", stream } };

describe("both or neither: the document is there exactly where the end is, when the store", () => {
  test.each<[string, Fault]>([
    ["throws", { type: "throw" }],
    ["writes and loses its answer", { type: "lost" }],
    ["is another process's", lostLease],
    ["was changed underneath", strange],
    ["dies before it writes", { type: "die", written: false }],
    ["dies after it has written", { type: "die", written: true }],
  ])("%s", async (_, fault) => {
    for (const request of [write, { ...write, idempotencyKey: "k" }]) {
      const desk = openDesk({ deed: changing() });
      desk.store.fault = atFirst("call.settled", fault);
      const told = await settlement(desk.call(request));
      const [ends, note] = [await endsOf(desk), await noteIn(desk.store.inner)];
      const isWritten = fault.type === "lost" || (fault.type === "die" && fault.written);
      expect(ends).toStrictEqual(isWritten ? ["completed"] : []);
      expect(note).toStrictEqual(isWritten ? noteOf(1) : undefined);
      expect(told.state).toBe(fault.type === "die" ? "pending" : fault.type === "lost" ? "kept" : "broken");
    }
  });

  test("says nothing of it to its reader either (J2): once it is owed and written, it is there once", async () => {
    const desk = openDesk({ deed: changing() });
    let isDown = true;
    desk.store.fault = atFirst("call.settled", { type: "lost" });
    desk.store.beforeRead = () => {
      if (isDown) throw new Error("the disk does not answer");
    };
    expect(await settlement(desk.call(write))).toMatchObject({ error: { code: "recovery_needed" } });
    isDown = false;
    await desk.call({ tool: "notes.read" });
    expect(await endsOf(desk)).toStrictEqual(["completed"]);
    expect(await noteIn(desk.store)).toStrictEqual(noteOf(1));
  });
});

test("J2: an owed result brings its documents with it once it is written, and once alone", async () => {
  const desk = openDesk({ deed: changing() });
  desk.store.fault = atEvery("call.settled", { type: "throw" });
  await settlement(desk.call(write));
  await settlement(desk.call({ tool: "notes.read" }));
  expect(await noteIn(desk.store)).toBeUndefined();
  desk.store.fault = () => undefined;
  desk.deck.deed = () => null;
  await Promise.all([1, 2, 3].map(async () => await desk.call({ tool: "notes.read" })));
  expect(await endsOf(desk)).toStrictEqual(["completed"]);
  expect(await noteIn(desk.store)).toStrictEqual(noteOf(1));
  await desk.seat.close();
  expect((await desk.seat.verify()).status).toBe("ok");
});

describe("only where the tool came to its own end:", () => {
  test.each<[string, (context: ToolContext) => unknown, string]>([
    ["not where it failed", () => raise(new Error("no")), "failed upstream_error"],
    ["not where it failed later", async () => await Promise.reject(new Error("no")), "failed upstream_error"],
    [
      "not where it does not know itself",
      () => raise(new RecoveryNeededError("?")),
      "unknown recovery_needed",
    ],
    ["also where its output does not fit", () => ({ id: 5 }), "completed invalid_output"],
    ["also where its output is none", () => 5n, "completed invalid_output"],
  ])("%s", async (_, end, said) => {
    const deed: Deed = (_input, context) => {
      context.commit([putNote(0)]);
      return end(context);
    };
    const desk = openDesk({ deed });
    await desk.call({ tool: "notes.strict", input: { text: "a" } });
    expect(await endsOf(desk)).toStrictEqual([said]);
    expect(await noteIn(desk.store)).toStrictEqual(said.startsWith("completed") ? noteOf(1) : undefined);
  });

  test.each([
    ["timed out", "timed_out timeout"],
    ["cancelled", "cancelled cancelled"],
  ])("not where it was %s, however late it comes to an end", async (how, said) => {
    const answer = Promise.withResolvers<unknown>();
    const aborts: unknown[] = [];
    const desk = openDesk({
      deed: (_, { commit, signal }) => {
        commit([putNote(0)]);
        signal.addEventListener("abort", () => aborts.push(attempt(() => commit([putNote(1, "aborting")]))));
        return answer.promise.then(() => aborts.push(attempt(() => commit([putNote(0, "late")]))));
      },
    });
    const controller = new AbortController();
    const call = desk.call({ ...write, signal: controller.signal });
    await until(() => desk.deck.runs.length === 1);
    if (how === "cancelled") controller.abort();
    else desk.clock.advance(60_000);
    await call;
    answer.resolve(null);
    const noted = desk.store.units.length;
    await until(() => desk.store.units.length > noted, "the note");
    expect(await endsOf(desk)).toStrictEqual([said]);
    expect(await kindsOf(desk)).toContain("call.late");
    expect(aborts.at(-1)).toMatchObject({ code: "contract_violation" });
    expect(await noteIn(desk.store)).toBeUndefined();
  });

  test("not where it was cancelled before it began", async () => {
    const controller = new AbortController();
    const desk = openDesk({ deed: changing() });
    desk.store.fault = (unit) => {
      if (kindsIn(unit).includes("call.intended")) controller.abort();
      return undefined;
    };
    await desk.call({ ...write, signal: controller.signal });
    expect([desk.deck.runs.length, await endsOf(desk)]).toStrictEqual([0, ["cancelled cancelled"]]);
    expect(await noteIn(desk.store)).toBeUndefined();
  });

  test("not by what goes on when the tool has answered", async () => {
    const later = Promise.withResolvers<unknown>();
    const desk = openDesk({
      deed: (_, { commit }) => {
        setImmediate(() => later.resolve(attempt(() => commit([putNote(0)]))));
        return null;
      },
    });
    await desk.call(write);
    expect(await later.promise).toMatchObject({
      code: "contract_violation",
      message: "notes.write: nothing is changed, because its call is over",
    });
    expect(await noteIn(desk.store)).toBeUndefined();
  });
});

describe("a held output: the documents are there before the host's policy is asked, and stay if it withholds", () => {
  test.each(["allow", "deny"] as const)("%s", async (outcome) => {
    const seen: unknown[] = [];
    const options: DeskOptions = {
      deed: changing(),
      evaluatePostTool: async () => {
        seen.push(await noteIn(desk.store));
        return { outcome };
      },
    };
    const desk = openDesk(options);
    expect(codeOf(await desk.call(write))).toBe(outcome === "allow" ? "completed" : "policy_denied");
    expect(seen).toStrictEqual([noteOf(1)]);
    expect(await noteIn(desk.store)).toStrictEqual(noteOf(1));
  });
});

function raise(error: unknown): never {
  throw error;
}

function attempt(act: () => void): unknown {
  try {
    act();
    return "done";
  } catch (error) {
    return error;
  }
}
