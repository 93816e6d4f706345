import { createMemorySearchIndex } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { noon, sampleReader, sampleRow, venueRows } from "../../test-data/sample-world.ts";
import { marketSearch } from "./market-search.ts";
import { bestSentence, findPassages } from "./passages.ts";

test.each([
  [
    "It pays yes. The gauge at the airport decides! Nobody else.",
    "which gauge?",
    "The gauge at the airport decides!",
  ],
  ["First rain. Second rain.", "rain", "First rain."],
  ["Nothing shared.", "rain", undefined],
  ["", "rain", undefined],
])("of %j, %j is answered by %j", (rules, question, expected) => {
  expect(bestSentence(rules, question)).toBe(expected);
});

test("passages are what venues have published, with their sources; a real venue is not asked for its rules", async () => {
  const here = sampleRow({ ticker: "A", dayVolume: 0 });
  const there = sampleRow({ venue: "far", ticker: "B", synthetic: false, dayVolume: 99, dayAgoCents: null });
  const real = sampleReader("far", [there], { synthetic: false });
  const readers = [sampleReader("embedded", [here]), real];
  const search = marketSearch(createMemorySearchIndex());
  const asked = { question: "Who pays if it rains in Lisbon?", limit: 5 };
  const { signal } = new AbortController();
  const found = await findPassages({ readers, search }, venueRows([here, there]), asked, signal);
  expect(found).toEqual([
    {
      score: found[0]?.score,
      text: "Will it rain in Lisbon?",
      kind: "title",
      source: { venue: "far", ticker: "B", title: "Will it rain in Lisbon?" },
      facts: { priceCents: 41, moveCents: null, dayVolume: 99, closesAt: noon + 604_800_000 },
      synthetic: false,
    },
    {
      score: found[1]?.score,
      text: "It pays if it rains.",
      kind: "rules",
      source: { venue: "embedded", ticker: "A", title: "Will it rain in Lisbon?" },
      facts: { priceCents: 41, moveCents: 0, dayVolume: 0, closesAt: noon + 604_800_000 },
      synthetic: true,
    },
  ]);
  expect(found.every(({ score }, place) => score > 0 && score <= (found[place - 1]?.score ?? score))).toBe(
    true,
  );
  expect(real.asked).toEqual({ rows: 0, market: 0 });
});

test("a venue that cannot tell its rules speaks with its titles", async () => {
  const row = sampleRow();
  const silent = sampleReader("embedded", [row], { market: () => Promise.reject(new Error("it is down")) });
  const ports = { readers: [silent], search: marketSearch(createMemorySearchIndex()) };
  const asked = { question: "rain", limit: 5 };
  const found = await findPassages(ports, venueRows([row]), asked, new AbortController().signal);
  expect(found.map(({ text, kind }) => [text, kind])).toEqual([["Will it rain in Lisbon?", "title"]]);
});
