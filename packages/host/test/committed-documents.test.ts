// On a real disk too: what a tool changes by `commit` is there exactly where the end of its call is.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Store } from "@spfunctions/kernel";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { codeOf, openDesk, reopenDesk } from "../../kernel/test-data/call-desk.ts";
import {
  changing,
  endsOf,
  noteIn,
  noteOf,
  overtake,
  putNote,
} from "../../kernel/test-data/call-documents.ts";
import { atFirst, type Fault, FaultyStore } from "../../kernel/test-data/call-store.ts";
import { settlement } from "../../kernel/test-data/call-waiting.ts";
import { openSqliteStore } from "../src/store/index.ts";

const root = mkdtempSync(join(tmpdir(), "simplefunctions-documents-"));
const open: Store[] = [];
afterAll(() => rmSync(root, { recursive: true, force: true }));
afterEach(async () => {
  await Promise.all(open.splice(0).map(async (store) => await store.close()));
});

async function onDisk(folder = mkdtempSync(join(root, "data-"))): Promise<FaultyStore> {
  const store = await openSqliteStore({ folder });
  open.push(store);
  return new FaultyStore(store);
}

const put = { tool: "notes.put", input: { n: 1 }, idempotencyKey: "k" };

describe("both or neither, and once when it is opened next, where its store", () => {
  test.each<[string, Fault]>([
    ["throws", { type: "throw" }],
    ["writes and loses its answer", { type: "lost" }],
    ["dies before it writes", { type: "die", written: false }],
    ["dies after it has written", { type: "die", written: true }],
  ])("%s", async (_, fault) => {
    const folder = mkdtempSync(join(root, "data-"));
    const desk = openDesk({ store: await onDisk(folder), deed: changing() });
    desk.store.fault = atFirst("call.settled", fault);
    await settlement(desk.call(put));
    const isWritten = fault.type === "lost" || (fault.type === "die" && fault.written);
    expect(await endsOf(desk)).toStrictEqual(isWritten ? ["completed"] : []);
    expect(await noteIn(desk.store.inner)).toStrictEqual(isWritten ? noteOf(1) : undefined);
    await open.pop()?.close();
    const next = reopenDesk({ store: await onDisk(folder) }, { deed: changing() });
    expect(codeOf(await next.call(put))).toBe("completed");
    expect(await endsOf(next)).toStrictEqual(["completed"]);
    expect(await noteIn(next.store)).toStrictEqual(noteOf(1));
    await next.seat.close();
    expect((await next.seat.verify()).status).toBe("ok");
  });
});

test("a call that was overtaken has failed, and nothing of it is written", async () => {
  const desk = openDesk({ store: await onDisk(), deed: changing() });
  await overtake(desk.store.inner);
  expect(codeOf(await desk.call(put))).toBe("revision_conflict");
  expect(codeOf(await desk.call(put))).toBe("revision_conflict");
  expect(await endsOf(desk)).toStrictEqual(["failed revision_conflict"]);
  expect(await noteIn(desk.store)).toStrictEqual(noteOf(1, "by somebody else"));
});

test("of calls that are gathered into one commit each has changed the document or says that it has not", async () => {
  const desk = openDesk({
    store: await onDisk(),
    deed: async (_, { commit }) => {
      const revision = (await noteIn(desk.store))?.revision ?? 0;
      commit([putNote(revision, `${revision + 1}`)]);
      return null;
    },
  });
  const outcomes = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => await desk.call({ tool: "notes.write", input: { n } })),
  );
  const done = outcomes.filter((outcome) => codeOf(outcome) === "completed").length;
  expect(new Set(outcomes.map(codeOf))).toStrictEqual(new Set(["completed", "revision_conflict"]));
  expect(await noteIn(desk.store)).toStrictEqual(noteOf(done, `${done}`));
  expect((await endsOf(desk)).filter((end) => end === "completed")).toHaveLength(done);
  await desk.seat.close();
  expect((await desk.seat.verify()).status).toBe("ok");
});

test("what a disk would not take is refused where the tool says it: nothing is owed, and the account goes on", async () => {
  const desk = openDesk({
    store: await onDisk(),
    deed: (_, { commit }) => commit([{ ...putNote(0), body: { no: "text" } } as never]),
  });
  expect(codeOf(await desk.call(put))).toBe("contract_violation");
  desk.deck.deed = () => null;
  expect(codeOf(await desk.call({ tool: "notes.read" }))).toBe("completed");
});
