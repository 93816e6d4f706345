// B22: erasing takes the text and leaves the chain; that is what somebody also does who wants something gone. The record of who
// erased it is the difference, and what says that it was erased has no text.
import type { ContentRow } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import {
  codeOf,
  collected,
  type Desk,
  openDesk,
  outputOf,
  reopenDesk,
  storedIn,
  traceOf,
} from "../../test-data/call-desk.ts";
import { atFirst } from "../../test-data/call-store.ts";
import { bookOfTwelve } from "../../test-data/call-tamper.ts";
import { settlement } from "../../test-data/call-waiting.ts";
import { openReplay } from "../replay/replay.ts";
import type { StoredRecord } from "../store/store.ts";
import { readTrace } from "../trace/read-trace.ts";
import { problemsOf, segmentsOf, verifyAccount } from "./verify-account.ts";
import { verifyRecord } from "./verify-stream.ts";

const write = { tool: "notes.write", input: { n: 1 }, idempotencyKey: "k" };
const gone = "has lost content, and no record says who erased it";
const strange = "has content that nobody could have written";

function erasedRow({ ref }: ContentRow): ContentRow {
  return { ref, erased: true };
}

/** Changes one row of one record, wherever it is read. */
function changing(seq: number, at: number, change: (row: ContentRow) => unknown) {
  return (rows: StoredRecord[]): StoredRecord[] =>
    rows.map((row) => {
      const before = row.content[at];
      if (row.seq !== seq || before === undefined) return row;
      return { ...row, content: row.content.with(at, change(before) as ContentRow) };
    });
}

async function problemsIn({ store }: Desk): Promise<string[]> {
  return problemsOf(await verifyAccount(store, "acct_1"));
}

describe("B22: a payload that is marked as erased", () => {
  test("is broken where no record says who erased it, each in its record", async () => {
    const desk = await bookOfTwelve();
    await desk.seat.close();
    const [stream = ""] = await collected(segmentsOf(desk.store.inner, "acct_1"));
    const rows = (await storedIn(desk.store.inner)).flatMap(({ seq, content }) =>
      content.map((_, at) => [seq, at] as const),
    );
    expect(rows.length).toBeGreaterThan(8);
    for (const [seq, at] of rows) {
      desk.store.tamper = changing(seq, at, erasedRow);
      expect(await problemsIn(desk)).toStrictEqual([`${stream}: record ${seq} ${gone}`]);
    }
  });

  test("is fine where one does, in the same segment or in a later one", async () => {
    const desk = openDesk();
    const [first = ""] = await callsAfter(desk);
    expect(await desk.seat.erase(first)).toBe(2);
    expect(await problemsIn(desk)).toStrictEqual([]);
    const calls = await callsAfter(desk, { ...write, idempotencyKey: "other" });
    await desk.seat.close();
    const next = reopenDesk(desk);
    expect(await next.seat.erase(calls.at(-1) ?? "")).toBe(2);
    await next.seat.close();
    const verification = await verifyAccount(next.store, "acct_1");
    expect([verification.status, problemsOf(verification)]).toStrictEqual(["ok", []]);
    const erased = verification.segments.map(
      (one) => "erased" in one.verification && one.verification.erased,
    );
    expect(erased).toStrictEqual([4, 0]);
  });

  test("is broken where the record is about another payload of the same call", async () => {
    const desk = openDesk();
    // Its input is erased by its owner, its output by somebody else.
    const [callId = ""] = await callsAfter(desk);
    desk.store.tamper = (rows) =>
      rows.map((row) => (row.seq === 3 ? { ...row, content: row.content.map(erasedRow) } : row));
    expect(await desk.seat.erase(callId)).toBe(1);
    expect(await problemsIn(desk)).toStrictEqual([`${await onlyStream(desk)}: record 3 ${gone}`]);
  });
});

/** Calls, and says which calls the journal has then, in order. */
async function callsAfter(desk: Desk, request: Parameters<Desk["call"]>[0] = write): Promise<string[]> {
  await desk.call(request);
  const calls = (await desk.records()).flatMap((record) => ("callId" in record ? [record.callId] : []));
  return [...new Set(calls)];
}

async function onlyStream({ store }: Desk): Promise<string> {
  return (await collected(segmentsOf(store.inner, "acct_1")))[0] ?? "";
}

/** Rows that say both, or neither, or something else. */
const impossible: Readonly<Record<string, (row: ContentRow) => unknown>> = {
  "erased, with a text": ({ ref }) => ({ ref, erased: true, text: '{"n":1000}' }),
  "erased, with a text and a salt": ({ ref }) => ({ ref, erased: true, salt: "s", text: '{"n":1000}' }),
  "erased, with a salt": ({ ref }) => ({ ref, erased: true, salt: "s" }),
  "erased and all that was there": (row) => ({ ...row, erased: true }),
  "not erased, with a text": ({ ref }) => ({ ref, erased: false, text: '{"n":1000}' }),
  "not erased, and all that was there": (row) => ({ ...row, erased: false }),
  "erased by the way": ({ ref }) => ({ ref, erased: 1, text: '{"n":1000}' }),
  "a text without a salt": ({ ref }) => ({ ref, text: '{"n":1000}' }),
  nothing: () => null,
  "a text alone": () => '{"n":1000}',
};

describe("B22: a row that is erased and has a text", () => {
  test.each(Object.entries(impossible))("never verifies: %s", async (_, change) => {
    const desk = openDesk();
    await desk.call(write);
    const stream = await onlyStream(desk);
    for (const seq of [2, 3]) {
      desk.store.tamper = changing(seq, 0, change);
      expect(await problemsIn(desk)).toStrictEqual([`${stream}: record ${seq} ${strange}`]);
    }
  });

  test.each(Object.entries(impossible))(
    "is no more erased for a record that says so: %s",
    async (_, change) => {
      const desk = openDesk();
      const [callId = ""] = await callsAfter(desk);
      const before = (await storedIn(desk.store.inner))[2]?.content[0] as ContentRow;
      await desk.seat.erase(callId);
      const stream = await onlyStream(desk);
      desk.store.tamper = changing(3, 0, () => change(before));
      expect(await problemsIn(desk)).toStrictEqual([`${stream}: record 3 ${strange}`]);
      // Whoever comes with its key is given none of it.
      expect(codeOf(await desk.call(write))).toBe("not_found");
    },
  );

  test.each(Object.entries(impossible))("is never run in a recovery: %s", async (_, change) => {
    const desk = openDesk();
    desk.store.fault = atFirst("call.intended", { type: "die", written: true });
    void desk.call({ tool: "notes.put", input: { n: 1 } });
    await desk.store.died.promise;
    const next = reopenDesk(desk);
    next.store.tamper = changing(2, 0, change);
    expect(await settlement(next.seat.open())).toMatchObject({
      error: { code: "journal_corrupt", details: { seq: 2, reason: "content" } },
    });
    expect(next.deck.runs).toStrictEqual([]);
  });

  test.each(Object.entries(impossible))("is never decided on in a recovery: %s", async (_, change) => {
    const desk = openDesk({ evaluatePostTool: () => ({ outcome: "allow" }) });
    desk.store.fault = atFirst("call.released", { type: "die", written: false });
    void desk.call(write);
    await desk.store.died.promise;
    const asked: unknown[] = [];
    const next = reopenDesk(desk, {
      evaluatePostTool: (view) => {
        asked.push(view);
        return { outcome: "allow" };
      },
    });
    next.store.tamper = changing(3, 0, change);
    expect(await settlement(next.seat.open())).toMatchObject({
      error: { code: "journal_corrupt", details: { seq: 3, reason: "content" } },
    });
    expect(asked).toStrictEqual([]);
  });

  test.each(Object.entries(impossible))("is never the answer of a key: %s", async (_, change) => {
    const desk = openDesk();
    await desk.call(write);
    for (const seq of [2, 3]) {
      desk.store.tamper = changing(seq, 0, change);
      expect(await settlement(desk.call(write))).toMatchObject({ error: { code: "journal_corrupt" } });
    }
    desk.store.tamper = (rows) => rows;
    expect(outputOf(await desk.call(write))).toStrictEqual({ done: true });
    expect(desk.deck.runs).toHaveLength(1);
  });

  test.each(Object.entries(impossible))("is never replayed: %s", async (_, change) => {
    const desk = openDesk({ installation: undefined });
    await desk.call(write);
    await desk.seat.close();
    const lines = (await traceOf(desk.seat)).split("\n");
    for (const [at, seq] of [
      [2, 2],
      [3, 3],
    ] as const) {
      const { content, record } = JSON.parse(lines[at] ?? "") as { content: ContentRow[]; record: string };
      const changed = JSON.stringify({ content: content.map((row) => sorted(change(row))), record });
      const text = lines.with(at, changed).join("\n");
      expect((await readTrace(text)).verification).toMatchObject({ status: "broken", broken: { seq } });
      await expect(openReplay([text])).rejects.toMatchObject({ code: "journal_corrupt", details: { seq } });
    }
  });

  test.each(Object.entries(impossible))("makes its record none, looked at alone: %s", async (_, change) => {
    const desk = openDesk();
    await desk.call(write);
    const rows = await storedIn(desk.store.inner);
    for (const seq of [2, 3]) {
      const [row] = changing(seq, 0, change)(rows).slice(seq - 1);
      expect(verifyRecord(rows[seq - 1] as StoredRecord, seq)).toMatchObject({ record: { seq } });
      expect(verifyRecord(row as StoredRecord, seq)).toBeUndefined();
    }
  });
});

/** With its keys as a trace spells them. */
function sorted(row: unknown): unknown {
  if (typeof row !== "object" || row === null) return row;
  return Object.fromEntries(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
