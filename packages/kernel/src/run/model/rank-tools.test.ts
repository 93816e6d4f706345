import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { manyTools, wishes } from "../../../test-data/many-tools.ts";
import { rankTools } from "./rank-tools.ts";

const rank = rankTools(manyTools);
const named = (name: string, more: Partial<(typeof manyTools)[number]> = {}) => ({
  name,
  title: "",
  description: "",
  permissions: [],
  ...more,
});

describe("of forty tools the one that is for it is among the first three:", () => {
  test.each(wishes.filter(([, tool]) => tool !== "mail.send"))("%s", (wish, tool) => {
    expect(rank(wish, 3)).toContain(tool);
  });
});

test("one that is said in other words than its maker's is still among as many as a model is shown", () => {
  expect(rank("Email the customer that the parcel is late", 8)).toContain("mail.send");
});

// proves RUN-9.10
test("names, titles, descriptions and permissions are looked at, and a name counts more than a description", () => {
  const find = rankTools([
    named("a.one", { description: "walrus" }),
    named("b.two", { title: "walrus" }),
    named("c.three", { permissions: ["walrus:read"] }),
    named("walrus.feed"),
    named("d.four", { description: "penguin" }),
  ]);
  expect(find("walrus", 10)[0]).toBe("walrus.feed");
  expect(find("walrus", 10).toSorted()).toStrictEqual(["a.one", "b.two", "c.three", "walrus.feed"]);
});

test("what fits equally well stands in the order of names, in whichever order it is given", () => {
  const tools = ["c.read", "a.read", "b.read", "B.read"].map((name) => named(name, { description: "notes" }));
  const inOrder = ["B.read", "a.read", "b.read", "c.read"];
  expect(rankTools(tools)("notes", 9)).toStrictEqual(inOrder);
  expect(rankTools(tools.toReversed())("notes", 9)).toStrictEqual(inOrder);
});

test("one and many, doing and done are the same", () => {
  const find = rankTools([named("watchlists.list"), named("orders.refund"), named("market.close")]);
  expect([find("my watchlist", 1), find("refunded", 1), find("which markets are closing", 1)]).toStrictEqual([
    ["watchlists.list"],
    ["orders.refund"],
    ["market.close"],
  ]);
});

test("letters of every kind, with and without what is put on them", () => {
  const find = rankTools([
    named("cafe.find", { description: "Cafés, Bäckereien und Straßen" }),
    named("weather.kanji", { description: "東京 の 天気" }),
    named("greek.letters", { description: "ΟΔΟΣ" }),
  ]);
  expect(find("CAFÉ", 3)).toStrictEqual(["cafe.find"]);
  expect(find("backereien strassen", 3)).toStrictEqual(["cafe.find"]);
  expect(find("天気?", 3)).toStrictEqual(["weather.kanji"]);
  expect(find("οδος", 3)).toStrictEqual(["greek.letters"]);
});

test.each(["", "   ", "?!…", "🦊", "zzzzzz", "_", "__proto__", "constructor"])("nothing fits %j", (query) => {
  expect(rank(query, 8)).toStrictEqual([]);
});

test("for any words: the same each time, no tool twice, none that is not there, no more than were asked for", () => {
  const names = new Set(manyTools.map(({ name }) => name));
  const anyQuery = fc.oneof(
    fc.string({ unit: "binary" }),
    fc
      .array(fc.constantFrom(...manyTools.flatMap(({ description }) => description.split(" "))))
      .map((all) => all.join(" ")),
  );
  fc.assert(
    fc.property(anyQuery, fc.nat(50), fc.integer(), (query, limit, seed) => {
      const found = rank(query, limit);
      expect(found.length).toBeLessThanOrEqual(limit);
      expect(new Set(found).size).toBe(found.length);
      expect(found.every((name) => names.has(name))).toBe(true);
      expect(found).toStrictEqual(rank(query, 50).slice(0, limit));
      const rotated = manyTools.map(
        (_, index) => manyTools.at((index + seed) % manyTools.length) as (typeof manyTools)[number],
      );
      expect(rankTools(rotated)(query, limit)).toStrictEqual(found);
    }),
    { numRuns: 50 },
  );
});

test("of no tools there is none to be found", () => {
  expect(rankTools([])("anything", 8)).toStrictEqual([]);
});
