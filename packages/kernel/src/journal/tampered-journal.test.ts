// B22: rows of the store that were edited, deleted, added, swapped or cut show, and nothing goes on from them.
import { hashText } from "@spfunctions/contracts";
import { beforeAll, describe, expect, test } from "vitest";
import { collected, type Desk, kindsOf, openDesk, reopenDesk } from "../../test-data/call-desk.ts";
import { atFirst, FaultyStore } from "../../test-data/call-store.ts";
import { bookOfTwelve, edits, type Loose, moves } from "../../test-data/call-tamper.ts";
import { settlement } from "../../test-data/call-waiting.ts";
import type { StoredRecord } from "../store/store.ts";
import { contentDigest } from "./record-draft.ts";
import { segmentsOf } from "./verify-account.ts";

const count = 12;
const numbers = Array.from({ length: count }, (_, index) => index + 1);
let book: Desk;
let records: StoredRecord[] = [];

beforeAll(async () => {
  book = await bookOfTwelve();
  await book.seat.close();
  const [stream = ""] = await collected(segmentsOf(book.store.inner, "acct_1"));
  records = await book.store.inner.readStream({ stream, accountId: "acct_1", limit: 100 });
});

/** Rows as somebody with the database open leaves them; with `true` they have made the hashes fit, too. */
function rowsOf(loose: readonly Loose[], isRehashed: boolean): StoredRecord[] {
  return loose.map(({ text, content }, index) => ({
    seq: index + 1,
    text,
    content,
    hash: isRehashed
      ? hashText(text)
      : (records.find((one) => one.text === text)?.hash ?? records[index]?.hash ?? hashText(text)),
  }));
}

/** What the account's verification says of a journal with these rows: `ok`, or the first bad number. */
async function said(rows: readonly StoredRecord[]): Promise<string | number> {
  const store = new FaultyStore(book.store.inner);
  store.tamper = (found, { from = 1, limit }) =>
    found.length === 0 && from === 1 ? [] : rows.filter(({ seq }) => seq >= from).slice(0, limit);
  const { status, segments } = await openDesk({ store }).seat.verify();
  const [first] = segments;
  if (first?.verification.status !== "broken") return status;
  expect(status).toBe("broken");
  return first.verification.broken.seq;
}

test("the journal that is tampered with here is whole", async () => {
  expect(records).toHaveLength(count);
  expect(await said(records)).toBe("ok");
});

describe.each([
  ["as it is", false],
  ["with hashes made to fit", true],
])("B22: a row that was changed is named, %s:", (_, isRehashed) => {
  test.each(Object.entries(edits))("%s", async (_name, edit) => {
    for (const k of numbers) {
      const before = records[k - 1] as StoredRecord;
      const after = edit(before);
      if (after === undefined || (after.text === before.text && after.content === before.content)) continue;
      const rows = rowsOf(records.with(k - 1, { ...before, ...after }), isRehashed);
      expect([k, await said(rows)]).toStrictEqual([k, k]);
    }
  });
});

describe("B22: the first bad row is named where one was", () => {
  test.each(Object.entries(moves))("%s", async (_, move) => {
    for (const k of numbers) {
      const moved = move(records, k);
      if (moved === undefined) continue;
      expect([k, await said(rowsOf(moved.to, true))]).toStrictEqual([k, moved.bad]);
    }
  });

  test("a hash that was changed beside its record", async () => {
    for (const k of numbers) {
      const before = records[k - 1] as StoredRecord;
      expect([k, await said(records.with(k - 1, { ...before, hash: hashText("x") }))]).toStrictEqual([k, k]);
    }
  });
});

/** A desk whose process died with an effect under way, and rows that were changed since. */
async function changedAfterCrash(): Promise<Desk> {
  const desk = openDesk();
  await desk.call({ tool: "notes.put", input: { n: 1 } });
  desk.store.fault = atFirst("call.settled", { type: "die", written: false });
  void desk.call({ tool: "notes.put", input: { n: 2 } });
  await desk.store.died.promise;
  return desk;
}
function forged(rows: readonly StoredRecord[]): StoredRecord[] {
  return rows.map((row) => {
    if (row.seq !== 2) return row;
    return { ...row, content: row.content.map((one) => ({ ...one, text: '{"n":1000}' })) };
  });
}

describe("B22: recovery does not go on from rows that were changed", () => {
  test("it says which record it cannot trust, and runs nothing", async () => {
    const next = reopenDesk(await changedAfterCrash());
    next.store.tamper = forged;
    expect(await settlement(next.seat.open())).toMatchObject({
      error: { code: "journal_corrupt", details: { seq: 2, reason: "content" } },
    });
    expect(next.deck.runs).toStrictEqual([]);
  });

  test("also when it is asked again", async () => {
    const next = reopenDesk(await changedAfterCrash());
    next.store.tamper = forged;
    await settlement(next.seat.open());
    expect(await settlement(next.seat.open())).toMatchObject({ error: { code: "journal_corrupt" } });
    const call = await settlement(next.call({ tool: "notes.write" }));
    expect(call).toMatchObject({ error: { code: "journal_corrupt" } });
    expect(next.deck.runs).toStrictEqual([]);
  });

  test("and once the rows are as they were, everything is settled", async () => {
    const next = reopenDesk(await changedAfterCrash());
    next.store.tamper = forged;
    await settlement(next.seat.open());
    next.store.tamper = (rows) => rows;
    expect(await settlement(next.seat.open())).toMatchObject({
      state: "kept",
      value: { segments: 1, living: 0, settled: [{ tool: "notes.put", outcome: "completed", by: "retry" }] },
    });
    expect(await kindsOf(next)).toStrictEqual([
      "segment.opened",
      "call.intended",
      "call.settled",
      "call.intended",
      "call.retried",
      "call.settled",
    ]);
  });

  test("a record that cannot have happened is no less corrupt", async () => {
    const desk = openDesk();
    desk.store.fault = atFirst("call.settled", { type: "die", written: true });
    void desk.call({ tool: "notes.put" });
    await desk.store.died.promise;
    const next = reopenDesk(desk);
    const [opened, intended, settled] = await next.store.inner.readStream({
      stream: "seg_00000001-0000-4000-8000-000000000002",
      accountId: "acct_1",
      limit: 9,
    });
    if (opened === undefined || intended === undefined || settled === undefined) throw new Error("not there");
    const twice = settled.text
      .replace('"seq":3', '"seq":4')
      .replace(/"prev":"[^"]+"/, `"prev":"${settled.hash}"`);
    const forgedRow = { ...settled, seq: 4, text: twice, hash: hashText(twice) };
    next.store.tamper = (rows, { from = 1 }) => (from === 1 && rows.length > 0 ? [...rows, forgedRow] : rows);
    expect(await settlement(next.seat.open())).toMatchObject({ error: { code: "journal_corrupt" } });
  });

  test("an answer that was changed is not given to who comes with the same key", async () => {
    const desk = openDesk();
    const request = { tool: "notes.write", input: { n: 1 }, idempotencyKey: "k" };
    await desk.call(request);
    desk.store.tamper = (rows) =>
      rows.map((row) => ({
        ...row,
        content: row.content.map((one) => ({ ...one, text: '{"done":false}' })),
      }));
    expect(await settlement(desk.call(request))).toMatchObject({ error: { code: "journal_corrupt" } });
  });

  test("nor one that was forged whole, hash and all", async () => {
    const desk = openDesk();
    const request = { tool: "notes.write", input: { n: 1 }, idempotencyKey: "k" };
    await desk.call(request);
    await desk.call({ tool: "notes.read" });
    desk.store.tamper = (rows) =>
      rows.map((row) => {
        if (row.seq !== 3) return row;
        const text = '{"done":"forged"}';
        const forgedText = row.text.replace(
          /"output":\{"digest":"[^"]+"/,
          `"output":{"digest":"${contentDigest("salt-1-2", text)}"`,
        );
        const content = row.content.map((one) => ({ ref: one.ref, salt: "salt-1-2", text }));
        return { ...row, text: forgedText, hash: hashText(forgedText), content };
      });
    const again = await settlement(desk.call(request));
    expect(JSON.stringify(again).includes("forged")).toBe(false);
  });
});
