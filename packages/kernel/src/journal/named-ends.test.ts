// B22, X1: each segment names where the one before had ended. Whoever opens a sealed one again and cuts it makes effects look
// as if they had no end; the next segment knows better.
import { canonicalJson, type SegmentSeal } from "@spfunctions/contracts";
import { beforeEach, describe, expect, test } from "vitest";
import { collected, type DeskOptions, openDesk } from "../../test-data/call-desk.ts";
import { FaultyStore } from "../../test-data/call-store.ts";
import { settlement } from "../../test-data/call-waiting.ts";
import { problemsOf, segmentsOf, verifyAccount } from "./verify-account.ts";
import { segmentKind } from "../store/kernel-kinds.ts";

const accountId = "acct_1";
let store: FaultyStore;
let streams: string[] = [];

/** One life after the other, each with two effects in a segment of five records. */
async function livesOf(count: number, options: DeskOptions = {}): Promise<void> {
  store = new FaultyStore();
  for (let life = 1; life <= count; life++) {
    const desk = openDesk({ ...options, life, store: new FaultyStore(store.inner) });
    for (const n of [1, 2]) {
      await desk.call({ tool: "notes.put", input: { life, n } });
    }
    await desk.seat.close();
  }
  streams = await collected(segmentsOf(store.inner, accountId));
}

beforeEach(async () => {
  await livesOf(3);
});

async function edit(stream: string, status: string, body: string): Promise<void> {
  const key = { kind: segmentKind, accountId, id: stream } as const;
  const expects = (await store.inner.document(key))?.revision ?? 0;
  const write = { type: "put", ...key, expects, status, body } as const;
  await store.inner.commit({ durability: "process", now: 0, documents: [write] });
}

/** Takes a segment's seal away and leaves its first records. */
async function openAndCut(stream: string, left: number): Promise<void> {
  await edit(stream, "open", "{}");
  store.tamper = (rows, range) => (range.stream === stream ? rows.filter(({ seq }) => seq <= left) : rows);
}

function missing(stream = ""): string {
  return `${stream}: this segment, or one after it, is missing or was replaced`;
}

const lengths = [5, 4, 3, 2, 1];

describe("B22: a segment that the next one has found sealed is broken", () => {
  test.each([0, 1])("without its seal, wherever it is cut (segment %i)", async (index) => {
    const stream = streams[index] ?? "";
    for (const left of lengths) {
      await openAndCut(stream, left);
      const verification = await verifyAccount(store, accountId);
      expect([left, verification.status, problemsOf(verification)]).toStrictEqual([
        left,
        "broken",
        [missing(stream)],
      ]);
    }
  });

  test("under a seal that was made to fit, unsigned as all of them", async () => {
    await livesOf(2, { installation: undefined });
    const [stream = ""] = streams;
    const rows = await store.inner.readStream({ stream, accountId, limit: 9 });
    const sealedAt = "2026-01-02T03:04:05.000Z";
    for (const left of [3, 1]) {
      const seal: SegmentSeal = { count: left, head: rows[left - 1]?.hash ?? ("" as never), sealedAt };
      await openAndCut(stream, left);
      await edit(stream, "sealed", canonicalJson(seal));
      expect(problemsOf(await verifyAccount(store, accountId))).toStrictEqual([missing(stream)]);
    }
  });

  test("when it is gone altogether", async () => {
    const [, stream = ""] = streams;
    const key = { kind: segmentKind, accountId, id: stream } as const;
    const expects = (await store.inner.document(key))?.revision ?? 0;
    await store.inner.commit({
      durability: "process",
      now: 0,
      documents: [{ type: "remove", ...key, expects }],
    });
    expect(problemsOf(await verifyAccount(store, accountId))).toStrictEqual([missing(stream)]);
  });
});

test("a segment that was still open when the next one began may have gone on since", async () => {
  store = new FaultyStore();
  const long = openDesk({ life: 1, store: new FaultyStore(store.inner) });
  await long.call({ tool: "notes.put" });
  const short = openDesk({ life: 2, store: new FaultyStore(store.inner) });
  await short.call({ tool: "notes.put" });
  await short.seat.close();
  await long.call({ tool: "notes.put" });
  expect(await verifyAccount(store, accountId)).toMatchObject({ status: "open", missing: [] });
  await long.seat.close();
  expect(await verifyAccount(store, accountId)).toMatchObject({ status: "ok", missing: [] });
});

describe("X1: recovery does not go on from a segment that ended and was opened again and cut:", () => {
  test.each([4, 3, 2, 1])("%i records left of five, and nothing runs", async (left) => {
    const [stream = ""] = streams;
    await openAndCut(stream, left);
    const next = openDesk({ life: 4, store });
    expect(await settlement(next.seat.open())).toMatchObject({
      error: { code: "journal_corrupt", details: { seq: left + 1, reason: "missing_tail" } },
    });
    const call = await settlement(next.call({ tool: "notes.put", input: { n: 9 } }));
    expect(call).toMatchObject({ error: { code: "journal_corrupt" } });
    expect(next.deck.runs).toStrictEqual([]);
    expect(store.units.filter(({ appends }) => appends !== undefined)).toStrictEqual([]);
  });

  test("opened again and left whole, it is closed again, and nothing runs", async () => {
    const [stream = ""] = streams;
    await openAndCut(stream, 5);
    const next = openDesk({ life: 4, store });
    expect(await next.seat.open()).toStrictEqual({ segments: 1, settled: [], living: 0 });
    expect(next.deck.runs).toStrictEqual([]);
    expect(await verifyAccount(store, accountId)).toMatchObject({ status: "ok", missing: [] });
  });

  test("also where the segment that names its end was damaged", async () => {
    const [stream = "", later = ""] = streams;
    await openAndCut(stream, 2);
    const { tamper } = store;
    store.tamper = (rows, range) =>
      tamper(rows, range).map((row) =>
        range.stream === later && row.seq === 1 ? { ...row, hash: "sha256:" as never } : row,
      );
    const next = openDesk({ life: 4, store });
    expect(await settlement(next.seat.open())).toMatchObject({ error: { code: "journal_corrupt" } });
    expect(next.deck.runs).toStrictEqual([]);
  });

  test("also where one process has begun a segment when the one before was full", async () => {
    store = new FaultyStore();
    const limits = { segmentRecords: 3 };
    const desk = openDesk({ store: new FaultyStore(store.inner), limits });
    for (const n of [1, 2, 3]) {
      await desk.call({ tool: "notes.put", input: { n } });
    }
    await desk.seat.close();
    const [stream = "", ...rest] = desk.seat.segments;
    expect(rest).toHaveLength(2);
    await openAndCut(stream, 2);
    expect(problemsOf(await verifyAccount(store, accountId))).toStrictEqual([missing(stream)]);
    const next = openDesk({ life: 4, store });
    expect(await settlement(next.seat.open())).toMatchObject({ error: { code: "journal_corrupt" } });
    expect(next.deck.runs).toStrictEqual([]);
  });
});
