// B22, I1: a stream is its own. Rows of another one, whole and untouched, under its name are not what was written there.
import { beforeAll, describe, expect, test } from "vitest";
import { collected, openDesk, principalOf } from "../../test-data/call-desk.ts";
import { atFirst, FaultyStore } from "../../test-data/call-store.ts";
import { settlement } from "../../test-data/call-waiting.ts";
import { segmentKind } from "../store/kernel-kinds.ts";
import type { StoredRecord } from "../store/store.ts";
import { exportTrace } from "../trace/export-trace.ts";
import { genesisOf } from "./seal.ts";
import { problemsOf, segmentsOf, verifyAccount } from "./verify-account.ts";
import { verifyStream } from "./verify-stream.ts";

/** One life after the other on the same data; each is a segment of its own, and longer than the one before. */
async function livesOf(count: number, accountId = "acct_1", store = new FaultyStore()): Promise<FaultyStore> {
  for (let life = 1; life <= count; life++) {
    const ids = accountId === "acct_1" ? life : life + 5;
    const desk = openDesk({
      life: ids,
      principal: principalOf(accountId),
      store: new FaultyStore(store.inner),
    });
    for (let n = 0; n < life; n++) await desk.call({ tool: "notes.write", input: { life, n } });
    await desk.seat.close();
  }
  return store;
}

async function streamsOf(store: FaultyStore, accountId = "acct_1"): Promise<string[]> {
  return await collected(segmentsOf(store.inner, accountId));
}

async function rowsOf(store: FaultyStore, stream: string, accountId = "acct_1"): Promise<StoredRecord[]> {
  return await store.inner.readStream({ stream, accountId, limit: 1000 });
}

/** Puts the rows, and the seal, of one segment in the place of another's. */
async function replace(
  store: FaultyStore,
  stream: string,
  by: { readonly stream: string; readonly accountId?: string },
): Promise<void> {
  const { accountId = "acct_1" } = by;
  const rows = await rowsOf(store, by.stream, accountId);
  store.tamper = (found, range) =>
    range.stream === stream
      ? rows.filter(({ seq }) => seq >= (range.from ?? 1)).slice(0, range.limit)
      : found;
  const key = { kind: segmentKind, accountId: "acct_1", id: stream } as const;
  const own = await store.inner.document(key);
  const other = await store.inner.document({ kind: segmentKind, accountId, id: by.stream });
  if (own === undefined || other === undefined) throw new Error("there is no such segment");
  const { status, body } = other;
  const write = { type: "put", ...key, expects: own.revision, status, body } as const;
  await store.inner.commit({ durability: "process", now: 0, documents: [write] });
}

describe("B22: rows of another stream never verify:", () => {
  test("the last segment, replaced by a copy of an earlier one with its seal", async () => {
    const store = await livesOf(3);
    const [first = "", second = "", third = ""] = await streamsOf(store);
    for (const earlier of [first, second]) {
      await replace(store, third, { stream: earlier });
      expect(problemsOf(await verifyAccount(store, "acct_1"))).toStrictEqual([
        `${third}: record 1 is not the beginning of this stream`,
      ]);
    }
  });

  test("an earlier one replaced by a later one, which the next one misses, too", async () => {
    const store = await livesOf(3);
    const [first = "", , third = ""] = await streamsOf(store);
    await replace(store, first, { stream: third });
    expect(problemsOf(await verifyAccount(store, "acct_1"))).toStrictEqual([
      `${first}: record 1 is not the beginning of this stream`,
      `${first}: this segment, or one after it, is missing or was replaced`,
    ]);
  });

  test("I1: another account's under this one's name", async () => {
    const store = await livesOf(2, "acct_2", await livesOf(1));
    const [own = ""] = await streamsOf(store);
    const [, other = ""] = await streamsOf(store, "acct_2");
    await replace(store, own, { stream: other, accountId: "acct_2" });
    expect(problemsOf(await verifyAccount(store, "acct_1"))).toStrictEqual([
      `${own}: record 1 is not the beginning of this stream`,
    ]);
    expect(await verifyAccount(store.inner, "acct_2")).toMatchObject({ status: "ok", missing: [] });
  });

  test("nor are they exported as this one's trace", async () => {
    const store = await livesOf(2);
    const [first = "", second = ""] = await streamsOf(store);
    await replace(store, second, { stream: first });
    expect(await settlement(collected(exportTrace(store, "acct_1", second)))).toMatchObject({
      error: { code: "journal_corrupt", details: { seq: 1, reason: "foreign" } },
    });
  });
});

describe("a stream is verified as the one that is asked for:", () => {
  let rows: StoredRecord[] = [];
  let stream = "";
  beforeAll(async () => {
    const store = await livesOf(1);
    [stream = ""] = await streamsOf(store);
    rows = await rowsOf(store, stream);
  });

  test("itself, or any where nobody knows which it ought to be", async () => {
    const whole = { status: "open", count: 3 };
    expect(await verifyStream(rows, { of: { stream, accountId: "acct_1" } })).toMatchObject(whole);
    expect(await verifyStream(rows, {})).toMatchObject(whole);
  });

  test.each([
    ["another stream", { stream: "seg_00000000", accountId: "acct_1" }],
    ["another account", { accountId: "acct_2", stream: undefined }],
    ["neither", { stream: "seg_00000000", accountId: "acct_2" }],
  ])("not as %s, and nothing of it is handed on", async (_, changes) => {
    const seen: unknown[] = [];
    const of = { ...changes, stream: changes.stream ?? stream };
    expect(await verifyStream(rows, { of }, (record) => seen.push(record))).toMatchObject({
      status: "broken",
      broken: { seq: 1, reason: "foreign" },
    });
    expect(seen).toStrictEqual([]);
  });
});

/** A process of an account that died with an effect under way. */
async function died(accountId: string, life: number, store: FaultyStore): Promise<void> {
  store.fault = atFirst("call.intended", { type: "die", written: true });
  const desk = openDesk({ life, principal: principalOf(accountId), store });
  void desk.call({ tool: "notes.put", input: { payee: accountId, life } });
  await store.died.promise;
}

describe("X1, I1: nothing is recovered from rows of another stream:", () => {
  test.each([
    ["another account's", "acct_2"],
    ["another one of the same account", "acct_1"],
  ])("%s", async (_, accountId) => {
    const inner = new FaultyStore().inner;
    await died("acct_1", 1, new FaultyStore(inner));
    const [own = ""] = await streamsOf(new FaultyStore(inner));
    // With a living writer on the first one, whoever comes second leaves it alone.
    const lease = await inner.lease(own, "acct_1", genesisOf(own, "acct_1"));
    await died(accountId, 2, new FaultyStore(inner));
    if (lease.type === "leased") await inner.release(own, lease.epoch);
    const other = (await collected(segmentsOf(inner, accountId))).find((one) => one !== own) ?? "";
    const rows = await inner.readStream({ stream: other, accountId, limit: 10 });
    expect(rows).toHaveLength(2);

    const store = new FaultyStore(inner);
    store.tamper = (found, { stream, from = 1 }) =>
      stream === own ? rows.filter(({ seq }) => seq >= from) : found;
    const next = openDesk({ life: 3, store });
    expect(await settlement(next.seat.open())).toMatchObject({
      error: { code: "journal_corrupt", details: { seq: 1, reason: "foreign" } },
    });
    expect(next.deck.runs).toStrictEqual([]);
  });
});
