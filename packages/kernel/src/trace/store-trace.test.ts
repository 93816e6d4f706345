// A trace among an account's documents: written once, read by that account alone, and whole whenever it is read.
import { describe, expect, test } from "vitest";
import { openDesk, traceOf } from "../../test-data/call-desk.ts";
import { createMemoryStore } from "../store/memory-store.ts";
import type { Store } from "../store/store.ts";
import { readTrace } from "./read-trace.ts";
import { openStoreTrace, storedTrace } from "./store-trace.ts";
import { memoryTrace } from "./trace-store.ts";

const of = { accountId: "acct_1", id: "run" };

describe.each([
  ["memory", async () => memoryTrace()],
  ["a store", async () => await openStoreTrace(createMemoryStore(), of)],
] as const)("in %s", (_, open) => {
  test("lines come in order, after those that took the place of others", async () => {
    const trace = await open();
    const seen = [await trace.text()];
    const look = async () => void seen.push(await trace.text());
    await trace.replace(["a", "1"]);
    await look();
    await trace.append(["2"]);
    await look();
    await trace.append([]);
    await trace.replace(["b", "1", "2"]);
    await look();
    await trace.append(["3"]);
    await trace.end();
    await look();
    expect(seen).toStrictEqual(["", "a\n1\n", "a\n1\n2\n", "b\n1\n2\n", "b\n1\n2\n3\n"]);
  });

  test("it ends without ever having begun", async () => {
    const trace = await open();
    await trace.end();
    await trace.end();
    expect(await trace.text()).toBe("");
  });

  test("very many lines are all there, in order, however they come", async () => {
    const trace = await open();
    const lines = Array.from({ length: 2500 }, (__, at) => `line ${at}`);
    await trace.replace(["first"]);
    for (const line of lines.slice(0, 200)) await trace.append([line]);
    await trace.append(lines.slice(200));
    expect(await trace.text()).toBe(["first", ...lines, ""].join("\n"));
    await trace.replace(["other", ...lines]);
    expect(await trace.text()).toBe(["other", ...lines, ""].join("\n"));
  });
});

test("what was replaced is gone", async () => {
  const store = createMemoryStore();
  const trace = await openStoreTrace(store, of);
  await trace.replace(["a", "secret"]);
  await trace.append(["another secret"]);
  await trace.replace(["b"]);
  await trace.end();
  const kinds = [0, 1, 2, 3, 4].map((revision) => `trace run ${revision}`);
  const left = await Promise.all(
    kinds.map((kind) => store.documents({ kind, accountId: of.accountId, limit: 9 })),
  );
  expect(left.flat().map(({ body }) => body)).toStrictEqual(["b\n"]);
});

async function written(store: Store, id: string, text = "1"): Promise<void> {
  const trace = await openStoreTrace(store, { ...of, id });
  await trace.replace([`head of ${id}`, text]);
  await trace.end();
}

test("a trace is never overwritten by another that takes its name: that is refused before anything is called", async () => {
  const store = createMemoryStore();
  await written(store, "run");
  await expect(openStoreTrace(store, of)).rejects.toMatchObject({
    code: "revision_conflict",
    details: { reason: "trace_exists" },
    message: expect.stringContaining("name another"),
  });
  expect(await storedTrace(store, of).text()).toBe("head of run\n1\n");
});

test("of two that begin under one name at the same moment, one is kept and the other is told", async () => {
  const store = createMemoryStore();
  const opened = await Promise.allSettled([openStoreTrace(store, of), openStoreTrace(store, of)]);
  expect(opened.map(({ status }) => status).toSorted()).toStrictEqual(["fulfilled", "rejected"]);
});

test("I1: traces of other names and accounts are apart, however they are called", async () => {
  const store = createMemoryStore();
  await written(store, "a", "of a");
  await written(store, "a b", "of a b");
  const text = async (accountId: string, id: string) => await storedTrace(store, { accountId, id }).text();
  expect([await text("acct_1", "a"), await text("acct_1", "a b"), await text("acct_2", "a")]).toStrictEqual([
    "head of a\nof a\n",
    "head of a b\nof a b\n",
    "",
  ]);
  const listed = await store.documents({ kind: "trace", accountId: "acct_1", limit: 9 });
  expect(listed.map(({ id, status }) => [id, status])).toStrictEqual([
    ["a", "ended"],
    ["a b", "ended"],
  ]);
});

test("whoever reads while it is written gets one that was there: never the old first line with the new end", async () => {
  const desk = openDesk();
  await desk.call({ tool: "notes.read" });
  const following = desk.seat.followTrace();
  const store = createMemoryStore();
  const trace = await openStoreTrace(store, of);
  const first = await following?.grow();
  await trace.replace(first?.lines ?? []);
  await desk.call({ tool: "notes.write" });
  await desk.seat.close();
  const rest = await following?.end();
  let isWritten = false;
  /** Writes the rest at the moment at which a reader has read half. */
  const finish = async () => {
    if (isWritten) return;
    isWritten = true;
    await trace.replace(rest?.lines ?? []);
  };
  const interrupted = new Proxy(store, {
    get: (target, name: keyof Store) =>
      name === "document" || name === "documents"
        ? async (...given: never[]) => {
            const answer: unknown = await (target[name] as (...all: never[]) => unknown)(...given);
            await finish();
            return answer;
          }
        : (target[name] as (...all: unknown[]) => unknown).bind(target),
  });
  const seen = await readTrace(await storedTrace(interrupted, of).text());
  expect(seen.verification.status).toBe("ok");
  expect(await trace.text()).toBe(await traceOf(desk.seat));
});
