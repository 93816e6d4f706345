import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createMemorySearchIndex,
  type SearchEntry,
  type SearchIndex,
  type SearchQuery,
} from "@spfunctions/kernel";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { openSqliteSearchIndex } from "./open-sqlite-search-index.ts";

const word = fc.constantFrom(
  "rain",
  "RAIN",
  "wind",
  "Zürich",
  "zurich",
  "straße",
  "Москва",
  "東京",
  "𠜎",
  "1",
  "12",
  "AND",
  "*",
  '"',
  "·",
  "\u0000",
  "\ud800",
  "a'b",
);
const text = fc.oneof(
  fc.array(word, { maxLength: 12 }).map((words) => words.join(" ")),
  fc.array(word, { maxLength: 6 }).map((words) => words.join("")),
  fc.string({ unit: "binary", maxLength: 20 }),
);
const accountId = fc.constantFrom("one", "two", "1", "");
const id = fc.constantFrom("a", "b", "c", "\uffff", "😀", "\ud800", "");
const entry: fc.Arbitrary<SearchEntry> = fc.record({ accountId, id, text });

type Step = (index: SearchIndex) => Promise<void>;
const put =
  (entries: readonly SearchEntry[]): Step =>
  (index) =>
    index.put(entries);
const remove =
  (account: string, ids: readonly string[]): Step =>
  (index) =>
    index.remove(account, ids);
const rebuild =
  (entries: readonly SearchEntry[]): Step =>
  (index) =>
    index.rebuild(entries);

const step = fc.oneof(
  { weight: 6, arbitrary: fc.array(entry, { maxLength: 6 }).map(put) },
  { weight: 2, arbitrary: fc.tuple(accountId, fc.array(id, { maxLength: 3 })).map((of) => remove(...of)) },
  { weight: 1, arbitrary: fc.array(entry, { maxLength: 8 }).map(rebuild) },
);
const query = fc.record({ accountId, text, limit: fc.integer({ min: 0, max: 8 }) });

async function answersAfter(steps: readonly Step[], index: SearchIndex, queries: readonly SearchQuery[]) {
  for (const take of steps) await take(index);
  return Promise.all(queries.map((asked) => index.query(asked)));
}

async function answersOfBoth(steps: readonly Step[], queries: readonly SearchQuery[]) {
  const folder = mkdtempSync(join(tmpdir(), "search-"));
  const index = await openSqliteSearchIndex({ folder });
  try {
    const memory = await answersAfter(steps, createMemorySearchIndex(), queries);
    return { memory, sqlite: await answersAfter(steps, index, queries) };
  } finally {
    await index.close();
    rmSync(folder, { recursive: true });
  }
}

test("whatever was put, removed and rebuilt, both find the same with the same scores", async () => {
  const steps = fc.array(step, { minLength: 1, maxLength: 12 });
  const queries = fc.array(query, { minLength: 5, maxLength: 10 });
  await fc.assert(
    fc.asyncProperty(steps, queries, async (taken, asked) => {
      const { memory, sqlite } = await answersOfBoth(taken, asked);
      expect(sqlite).toEqual(memory);
    }),
  );
});

test("also after FTS5 has merged what was replaced and removed many times", async () => {
  const steps = Array.from({ length: 1500 }, (_, i) => {
    const words = Array.from({ length: 1 + (i % 17) }, (__, k) => `w${((i + k) * (i + k + 7)) % 61}`);
    const changed = { accountId: `account${i % 3}`, id: `e${(i * 31) % 97}`, text: words.join(" ") };
    return i % 5 === 0 ? remove("account1", [`e${(i * 17) % 97}`]) : put([changed]);
  });
  const queries = Array.from({ length: 61 }, (_, n) => ({
    accountId: `account${n % 3}`,
    text: `w${n} w${(n * 3) % 61} w${(n * 7) % 61}`,
    limit: 1 + (n % 40),
  }));
  const { memory, sqlite } = await answersOfBoth(steps, queries);
  expect(sqlite).toEqual(memory);
  expect(sqlite.flat().length).toBeGreaterThan(500);
});

test("also where a query has so many common words that some are left out, and however many are equal", async () => {
  // Two words of all of them are more than a query looks at.
  const count = 2 ** 15 + 1;
  const entries = Array.from({ length: count }, (_, i) => ({
    accountId: "one",
    id: `e${(i * 7919) % count}`,
    text: i % 1000 === 0 ? `common rare${i % 3000}` : `common shared`,
  }));
  const texts = [
    "common shared",
    "shared common rare0",
    "common",
    "shared common rare0 rare1000",
    "rare2000",
  ];
  const queries = texts.flatMap((asked) =>
    [3, 500].map((limit) => ({ accountId: "one", text: asked, limit })),
  );
  const { memory, sqlite } = await answersOfBoth([rebuild(entries)], queries);
  expect(sqlite).toEqual(memory);
  const [shared, , , , common] = memory;
  // By the rarer word alone: what has only the commoner one is not found.
  expect(shared?.map((hit) => hit.id)).toEqual(idsOf(entries, "shared").slice(0, 3));
  expect(common?.map((hit) => hit.id)).toEqual(idsOf(entries, "common").slice(0, 3));
});

function idsOf(entries: readonly SearchEntry[], wanted: string): string[] {
  return entries.flatMap((one) => (one.text.includes(wanted) ? [one.id] : [])).toSorted();
}
