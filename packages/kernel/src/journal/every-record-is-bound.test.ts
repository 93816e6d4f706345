// B22: of a journal with every kind of record, whatever is changed in whatever column of whatever record is named by its segment,
// or its run, and its number, and nothing throws.
import {
  canonicalJson,
  type ContentRow,
  type Digest,
  hashText,
  type JournalRecord,
  journalRecordSchema,
} from "@spfunctions/contracts";
import { beforeAll, describe, expect, test } from "vitest";
import { operatorOf, pending } from "../../test-data/call-approvals.ts";
import { collected, type Desk } from "../../test-data/call-desk.ts";
import { type Fate, meet, openBook } from "../../test-data/call-journal.ts";
import { atFirst, FaultyStore } from "../../test-data/call-store.ts";
import { type Loose, moves } from "../../test-data/call-tamper.ts";
import { until } from "../../test-data/call-waiting.ts";
import { childSpec, openFamily, type Parts, start, untilChild } from "../../test-data/family.ts";
import { approveAll } from "../../test-data/family-story.ts";
import { openRunDesk, reopenRunDesk, type RunDeskOptions, storedRun } from "../../test-data/run-desk.ts";
import { ask, call, condensing, hang, pulledBy, revising, untilKind } from "../../test-data/run-levers.ts";
import { toEnd } from "../../test-data/run-stories.ts";
import type { Store, StoredRecord } from "../store/store.ts";
import { problemsOf, segmentsOf, verifyAccount } from "./verify-account.ts";

const accountId = "acct_1";
/** The segments and runs, their rows, and where they are. */
const book: (readonly [stream: string, rows: readonly StoredRecord[], inner: Store])[] = [];

const kinds = journalRecordSchema.options.map(({ shape }) => shape.kind.value as string);

const met: readonly Fate[] = [
  "done",
  "read",
  "refused",
  "failed",
  "late",
  "withheld",
  "unknown",
  "resolved",
  "repeated",
  "denied",
];

beforeAll(async () => {
  // In stores of their own: what was changed in one is found without reading the others.
  for (const inner of [await writeSegment(), await writeTakenOver()]) {
    for (const stream of await collected(segmentsOf(inner, accountId)))
      book.push([stream, await inner.readStream({ stream, accountId, limit: 100 }), inner]);
  }
  // One after the other: their tools are the same.
  for (const writeRuns of [runTakenOver, runCancelled, runTooCostly, runWithChild]) {
    const [store, ...streams] = await writeRuns();
    for (const stream of streams) book.push([stream, await storedRun(store, stream), store]);
  }
});

type Written = readonly [Store, ...streams: string[]];

/** With calls that were revised, and a context that was condensed. */
async function runTakenOver(): Promise<Written> {
  const options: RunDeskOptions = {
    ...condensing(),
    hooks: [revising({ text: "b" })],
  };
  const desk = openRunDesk(options);
  desk.store.fault = atFirst("call.settled", { type: "die", written: false });
  void desk.start().catch(() => undefined);
  await desk.store.died.promise;
  const [handle] = await reopenRunDesk(desk, options).runs.open();
  await handle?.wait();
  return [desk.store.inner, handle?.runId ?? ""];
}

async function runCancelled(): Promise<Written> {
  const desk = openRunDesk({ script: hang });
  const handle = await desk.start();
  await until(() => desk.model.asked.length === 1);
  await handle.cancel();
  await handle.wait();
  return [desk.store.inner, handle.runId];
}

async function runTooCostly(): Promise<Written> {
  const desk = openRunDesk({ model: { maxOutputTokens: 30 } });
  desk.model.usage = { inputTokens: 1, outputTokens: 31 };
  return [desk.store.inner, await toEnd(desk)];
}

/** A child that asks its parent, waits for a person, is let go, taken back, and told to stop. */
async function runWithChild(): Promise<Written> {
  const parts: Parts = {
    parent: async (_input, step) => (step === 1 ? [start("asker")] : await hang()),
    asker: async (_input, step) =>
      step === 1 ? '{"ask":"which year?"}' : step === 2 ? [call("asked")] : await hang(),
  };
  const asker = childSpec("asker", { mayAsk: true, tools: "inherit_allowlist" });
  const desk = openFamily(parts, [asker], pulledBy({ asked: { judged: ask } }));
  const handle = await desk.start();
  const child = await untilChild(desk, handle.runId);
  await untilKind(desk, handle.runId, "model.intended", 2);
  await desk.runs.tell(child, "1999");
  await untilKind(desk, handle.runId, "subagent.rested");
  await approveAll(desk);
  await untilKind(desk, child, "model.intended", 3);
  await desk.runs.detach(child, "the night desk looks after it");
  await desk.runs.reclaim(child);
  await handle.cancel();
  await handle.wait();
  await desk.runs.close();
  await desk.operator.close();
  return [desk.store.inner, handle.runId, child];
}

async function writeSegment(): Promise<Store> {
  const first = openBook({ sessionId: "monday" });
  for (const [n, fate] of met.entries()) {
    await meet(first, fate, n);
  }
  await first.seat.erase(await callOf(first, 0));
  await grantAndRevoke(first);
  await first.seat.close();
  return first.store.inner;
}

/** Of one process that has died, and of the next, which erases what the first has recorded. */
async function writeTakenOver(): Promise<Store> {
  const dead = openBook({ life: 2 });
  const { inner } = dead.store;
  dead.store.fault = atFirst("call.settled", { type: "die", written: false });
  void dead.call({ tool: "notes.put", input: { n: 20 } });
  await dead.store.died.promise;

  const last = openBook({ life: 3, store: new FaultyStore(inner) });
  await meet(last, "read", 30);
  await last.seat.erase(await callOf(last, 0));
  await last.seat.close();
  return inner;
}

/** Somebody says yes for a session, and takes it back. */
async function grantAndRevoke(desk: Desk): Promise<void> {
  const operator = operatorOf(desk);
  await desk.call({ tool: "notes.pay", input: { n: 10 } });
  const { grantId } = await operator.approveForSession((await pending(operator)).approvalId, { note: "yes" });
  await operator.revoke(grantId ?? "");
  await desk.seat.askFor("net:example.com", { reason: "to look it up" });
  await operator.capabilities.grant("net", { note: "for a call" });
  await operator.close();
}

/** The nth call of the journal. */
async function callOf(desk: Desk, n: number): Promise<string> {
  const calls = (await desk.records()).flatMap((record) => ("callId" in record ? [record.callId] : []));
  return [...new Set(calls)][n] ?? "";
}

/** What is found where one segment's rows are others: which record of it is named, or what is said instead. */
async function named(stream: string, rows: readonly StoredRecord[], inner: Store): Promise<number | string> {
  const store = new FaultyStore(inner);
  store.tamper = (found, range) =>
    range.stream === stream ? rows.slice((range.from ?? 1) - 1, (range.from ?? 1) - 1 + range.limit) : found;
  const { status, segments } = await verifyAccount(store, accountId);
  const { verification } = segments.find((one) => one.stream === stream) ?? {};
  return verification?.status === "broken" && status === "broken" ? verification.broken.seq : status;
}

type Change = readonly [what: string, after: StoredRecord];

/** Holds changes against the number that must be named: of each kind of record each of them, and in every record one. */
async function everyChangeIsNamed(changesOf: (row: StoredRecord) => readonly Change[]): Promise<number> {
  const wrong: unknown[] = [];
  const tried = new Set<string>();
  let count = 0;
  for (const [stream, rows, inner] of book) {
    for (const [index, row] of rows.entries()) {
      const { kind } = JSON.parse(row.text) as JournalRecord;
      const changes = changesOf(row);
      const fresh = changes.filter(([what]) => !tried.has(`${kind} ${what}`));
      const again = changes.slice(count % changes.length).slice(0, 1);
      for (const [what, after] of fresh.length > 0 ? fresh : again) {
        const said = await named(stream, rows.with(index, after), inner);
        if (said !== index + 1) wrong.push([stream, index + 1, what, said]);
        tried.add(`${kind} ${what}`);
        count += 1;
      }
    }
  }
  expect(wrong).toStrictEqual([]);
  return tried.size;
}

test("the journal that is changed here is whole, has every kind of record, and is of several processes", async () => {
  for (const inner of new Set(book.map(([, , store]) => store))) {
    const verification = await verifyAccount(inner, accountId);
    expect([verification.status, problemsOf(verification)]).toStrictEqual(["ok", []]);
  }
  const found = book.flatMap(([, rows]) => rows.map(({ text }) => (JSON.parse(text) as JournalRecord).kind));
  expect([...new Set(found)].toSorted()).toStrictEqual(kinds.toSorted());
  expect(book.map(([, rows]) => rows.length)).toStrictEqual([30, 2, 4, 5, 5, 17, 5, 5, 19, 16]);
});

describe("B22: named by segment and number is, in every record,", () => {
  test("another number, or another hash, beside it", async () => {
    const tried = await everyChangeIsNamed((row) => [
      ...[row.seq + 1000, row.seq - 1, -1, Number.NaN, `${row.seq}`].map(
        (seq, way): Change => [`seq ${way}`, { ...row, seq: seq as number }],
      ),
      ...[hashText("x"), "", null].map((hash): Change => [`hash ${hash}`, { ...row, hash: hash as Digest }]),
    ]);
    expect(tried).toBe(kinds.length * 8);
  });

  test("a text that is none, with a hash that was made to fit", async () => {
    const tried = await everyChangeIsNamed((row) =>
      ["", "null", "{}", row.text.slice(0, -1), `${row.text} `, 7].map(
        (text, way): Change => [`text ${way}`, { ...row, text: text as string, hash: hashText(`${text}`) }],
      ),
    );
    expect(tried).toBe(kinds.length * 6);
  });

  test("any field that is changed, missing or null, with a hash that was made to fit", async () => {
    const ways = ["changed", "missing", "null"] as const;
    let turn = 0;
    const tried = await everyChangeIsNamed((row) => {
      const record = JSON.parse(row.text) as JournalRecord;
      return fieldsOf(record).map((path): Change => {
        const way = ways[turn++ % 3] ?? "changed";
        const text = canonicalJson(changed(record, path, way));
        return [path.join("/"), { ...row, text, hash: hashText(text) }];
      });
    });
    expect(tried).toBeGreaterThan(800);
  });

  test("any payload that is changed, missing, doubled, swapped, marked as erased, or no payload", async () => {
    const tried = await everyChangeIsNamed((row) => {
      const { content } = row;
      const forged = { ref: "content_forgedforged", salt: "s", text: "forged" } as ContentRow;
      const lists: (readonly [string, readonly unknown[]])[] = [
        ["one more", [...content, forged]],
        ["one more, erased", [...content, { ref: "content_forgedforged", erased: true }]],
        ...(content.length > 1 ? [["swapped", content.toReversed()] as const] : []),
        ...content.flatMap((one, at) =>
          rowChanges(one).map(
            ([what, after]) =>
              [`${at} ${what}`, content.toSpliced(at, 1, ...(after as ContentRow[]))] as const,
          ),
        ),
      ];
      return lists.map(([what, after]): Change => [what, { ...row, content: after as ContentRow[] }]);
    });
    expect(tried).toBeGreaterThan(400);
  });

  test("the record of the same number in another segment", async () => {
    for (const [stream, rows, inner] of book) {
      const others = book.filter(([other]) => other !== stream).map(([, one]) => one);
      for (const index of rows.keys()) {
        const there = others.flatMap((one) => one[index] ?? []);
        // Of all that there are another one for each record: no two of them are alike.
        const other = there[index % there.length] ?? there[0];
        if (other === undefined) continue;
        expect([index + 1, await named(stream, rows.with(index, other), inner)]).toStrictEqual([
          index + 1,
          index + 1,
        ]);
      }
    }
  });
});

describe("B22: the first bad number is named, in every segment, where a record was", () => {
  test.each(Object.entries(moves))("%s", async (_, move) => {
    for (const [stream, rows, inner] of book) {
      for (const { seq } of rows) {
        const moved = move(rows, seq);
        if (moved === undefined) continue;
        expect([seq, await named(stream, numbered(moved.to), inner)]).toStrictEqual([seq, moved.bad]);
      }
    }
  });
});

/** With numbers and hashes that fit their places. */
function numbered(loose: readonly Loose[]): StoredRecord[] {
  return loose.map(({ text, content }, index) => ({ seq: index + 1, text, content, hash: hashText(text) }));
}

/** What can be done to a row: nothing, or other rows, in its place. */
function rowChanges(row: ContentRow): (readonly [string, readonly unknown[]])[] {
  const shared: (readonly [string, readonly unknown[]])[] = [
    ["missing", []],
    ["doubled", [row, row]],
    ["null", [null]],
    ["its ref alone", [row.ref]],
    ["another's", [{ ...row, ref: `${row.ref}x` }]],
    ["a field more", [{ ...row, forged: 1 }]],
  ];
  if (!("text" in row)) return [...shared, ["with a text", [{ ...row, salt: "s", text: "forged" }]]];
  return [
    ...shared,
    ["another text", [{ ...row, text: `${row.text} ` }]],
    ["another salt", [{ ...row, salt: `${row.salt}x` }]],
    ["without a salt", [{ ref: row.ref, text: row.text }]],
    ["no text", [{ ...row, text: null }]],
    ["erased, with its text", [{ ...row, erased: true }]],
    ["erased", [{ ref: row.ref, erased: true }]],
  ];
}

type Path = readonly string[];

/** Every field of a record, however deep; of a list of equal things the first and the last. */
function fieldsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [path];
  const entries = Object.entries(value);
  const some = Array.isArray(value) ? [...new Set([entries[0], entries.at(-1)])] : entries;
  const inside = some.flatMap((entry) => (entry ? fieldsOf(entry[1], [...path, entry[0]]) : []));
  return path.length === 0 ? inside : [path, ...inside];
}

function changed(value: unknown, [key = "", ...rest]: Path, way: "changed" | "missing" | "null"): unknown {
  const { [key]: member, ...others } = value as Record<string, unknown>;
  const isList = Array.isArray(value);
  const put = (after: unknown) => (isList ? value.with(Number(key), after) : { ...others, [key]: after });
  if (rest.length > 0) return put(changed(member, rest, way));
  if (way === "null") return put(null);
  if (way === "missing") return isList ? value.toSpliced(Number(key), 1) : others;
  return put(anotherValue(member));
}

/** A value of the same kind that is not this one. */
function anotherValue(value: unknown): unknown {
  switch (typeof value) {
    case "number":
      return value + 1;
    case "boolean":
      return !value;
    case "string":
      return value.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    default:
      return Array.isArray(value) ? [...(value as unknown[]), "forged"] : { ...(value as object), forged: 1 };
  }
}
