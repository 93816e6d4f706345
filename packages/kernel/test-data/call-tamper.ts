// Ways to change a record that was written, and which record is then to be named as the first bad one.
import { canonicalJson, hashText, type TraceLine } from "@spfunctions/contracts";
import type { StoredRecord } from "../src/store/store.ts";
import { meet, openBook } from "./call-journal.ts";
import type { Desk, DeskOptions } from "./call-desk.ts";

/** A desk with a journal of twelve records, of every shape that a record can have. */
export async function bookOfTwelve(life = 1, options: DeskOptions = {}): Promise<Desk> {
  const book = openBook({ life, ...options });
  for (const [n, fate] of (["done", "refused", "failed", "late", "read"] as const).entries()) {
    await meet(book, fate, n + life * 10);
  }
  return book;
}

/** A record on its own: its text, and the rows beside it. */
export type Loose = Pick<StoredRecord, "text" | "content">;

/** Changes one record in place; `undefined` where that record has nothing to change. */
export type Edit = (record: Loose) => Loose | undefined;

const text = (change: (before: string) => string): Edit => {
  return (record) => ({ ...record, text: change(record.text) });
};
const row = (change: (before: { ref: string; salt: string; text: string }) => object): Edit => {
  return (record) => {
    const [first, ...rest] = record.content;
    if (first === undefined || !("text" in first)) return undefined;
    return { ...record, content: [{ ...first, ...change(first) }, ...rest] };
  };
};

/** Edits of one record: each is to be named by that record's own number. */
export const edits: Readonly<Record<string, Edit>> = {
  "another time": text((before) => before.replace('05.000Z"', '05.001Z"').replace('05.000Z"', '05.001Z"')),
  "another account": text((before) => before.replace("acct_1", "acct_2")),
  "a record before it": text((before) =>
    before.replace(/"prev":"sha256:[0-9a-f]{64}"/, `"prev":"${hashText("x")}"`),
  ),
  "a field more": text((before) => before.replace('"kind":', '"forged":1,"kind":')),
  "another version": text((before) => before.replace(/"v":1(?=[,}])/, '"v":2')),
  "a later number": text((before) => before.replace(/"seq":(\d+)/, '"seq":9$1')),
  "white space": text((before) => before.replace('"kind":', '"kind": ')),
  "other key order": text((before) => before.replace(/^\{("[a-zA-Z]+":[^,{[]+),(.*)\}$/, "{$2,$1}")),
  "the same key twice": text((before) => before.replace(/\}$/, ',"v":1}')),
  "half of it": text((before) => before.slice(0, before.length / 2)),
  "no JSON": text(() => "\u0000\u0001\u0002"),
  "its payload's text": row(({ text: before }) => ({ text: `${before} ` })),
  "its payload's salt": row(({ salt }) => ({ salt: `${salt}x` })),
  "its payload's name": row(({ ref }) => ({ ref: `${ref}x` })),
  "its payload gone": (record) =>
    record.content.length === 0 ? undefined : { ...record, content: record.content.slice(1) },
  "a payload more": (record) => ({
    ...record,
    content: [...record.content, { ref: "content_forgedforged" as never, salt: "s", text: "forged" }],
  }),
  "its payloads swapped": (record) =>
    record.content.length < 2 ? undefined : { ...record, content: record.content.toReversed() },
};

/** A record that could stand after `before`: right number, right link, and invented. */
function forgeAfter(before: Loose): Loose {
  const { seq } = JSON.parse(before.text) as { seq: number };
  const ids = '"callId":"call_forged00","effectId":"eff_forged00"';
  const forged = `{"attempt":2,${ids},"kind":"call.retried","prev":"${hashText(before.text)}","runId":"run_forged00","seq":${seq + 1},"ts":"2026-01-02T03:04:05.000Z","v":1}`;
  return { text: forged, content: [] };
}

/** Changes of a whole list of records, and the first bad number that each must be named by. */
export const moves: Readonly<
  Record<string, (records: readonly Loose[], k: number) => { to: Loose[]; bad: number } | undefined>
> = {
  deleted: (records, k) => ({ to: records.toSpliced(k - 1, 1), bad: k }),
  "copied after itself": (records, k) => ({ to: records.toSpliced(k, 0, at(records, k)), bad: k }),
  "followed by a forged one": (records, k) => ({
    to: records.toSpliced(k, 0, forgeAfter(at(records, k))),
    bad: k + 1,
  }),
  "replaced by a forged one": (records, k) =>
    k === 1 ? undefined : { to: records.with(k - 1, forgeAfter(at(records, k - 1))), bad: k },
  "swapped with the next": (records, k) => {
    if (k >= records.length) return undefined;
    return { to: records.with(k - 1, at(records, k + 1)).with(k, at(records, k)), bad: k };
  },
  "swapped with the last": (records, k) => {
    const n = records.length;
    if (k >= n - 1) return undefined;
    return { to: records.with(k - 1, at(records, n)).with(n - 1, at(records, k)), bad: k };
  },
  "the first of a cut tail": (records, k) => ({ to: records.slice(0, k - 1), bad: k }),
};

function at(records: readonly Loose[], k: number): Loose {
  const found = records[k - 1];
  if (found === undefined) throw new Error(`there is no record ${k}`);
  return found;
}

/** A trace as if the payloads of its records had been erased, or only those of some. */
export function withoutPayloads(trace: string, seqs?: readonly number[]): string {
  const lines = trace.split("\n").map((line, seq) => {
    if (line === "" || seqs?.includes(seq) === false) return line;
    const { content, ...rest } = JSON.parse(line) as TraceLine;
    if (content === undefined) return line;
    return canonicalJson({ ...rest, content: content.map(({ ref }) => ({ ref, erased: true })) });
  });
  return lines.join("\n");
}
