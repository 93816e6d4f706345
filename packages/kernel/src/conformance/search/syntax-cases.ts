import assert from "node:assert/strict";
import type { SearchIndex } from "../../search/search-index.ts";
import { inTurn } from "../in-turn.ts";
import { account, entriesOf, type SearchCase, sortedIdsFor } from "./search-case.ts";

const entries = entriesOf({
  a: "alpha",
  ab: "alphabet",
  b: "beta",
  g: "gamma delta",
  and: "this and that",
  text: "text of a column",
});

/** A query that is syntax elsewhere, and what its words find here. */
const plainText: readonly (readonly [text: string, found: readonly string[]])[] = [
  ["alpha AND beta", ["a", "and", "b"]],
  ["alpha OR beta", ["a", "b"]],
  ["alpha NOT alpha", ["a"]],
  ["NOT beta", ["b"]],
  ["alpha NEAR beta", ["a", "b"]],
  ["NEAR(alpha beta, 10)", ["a", "b"]],
  ["AND", ["and"]],
  ["OR", []],
  ["NOT", []],
  ["NEAR", []],
  ['"alpha beta"', ["a", "b"]],
  ['"alpha', ["a"]],
  ['alpha"', ["a"]],
  ['alpha""beta', ["a", "b"]],
  ['"', []],
  ['""', []],
  ["'", []],
  ["alpha'beta", ["a", "b"]],
  ["(alpha", ["a"]],
  ["alpha)", ["a"]],
  ["()", []],
  ["((((((((", []],
  ["alpha*", ["a"]],
  ["alph*", []],
  ["*", []],
  ["* alpha", ["a"]],
  ["%", []],
  ["alph%", []],
  ["alph_", []],
  ["^alpha", ["a"]],
  ["^", []],
  ["alpha^2", ["a"]],
  ["-alpha", ["a"]],
  ["+alpha -beta", ["a", "b"]],
  ["alpha + beta", ["a", "b"]],
  ["alpha:", ["a"]],
  [":alpha", ["a"]],
  ["text:alpha", ["a", "text"]],
  ["terms:alpha", ["a"]],
  ["-text:alpha", ["a", "text"]],
  ["{text}:alpha", ["a", "text"]],
  ["- {text terms} : alpha", ["a", "text"]],
  ["rank:alpha", ["a"]],
  ["alpha & beta", ["a", "b"]],
  ["alpha | beta", ["a", "b"]],
  ["!alpha", ["a"]],
  ["alpha <-> beta", ["a", "b"]],
  ["alpha:*A", ["a", "text"]],
  ["alpha~1", ["a"]],
  ["[a TO z]", ["text"]],
  ["alp?a", ["text"]],
  ["alpha\\", ["a"]],
  ["alpha;beta", ["a", "b"]],
  ["alpha,beta", ["a", "b"]],
  ["1·alpha·1", ["a"]],
  ["alpha·", ["a"]],
  ["alpha\u0000beta", ["a", "b"]],
  ["\u0000", []],
  ["\ud800alpha", ["a"]],
  ["alpha\udc00beta", ["a", "b"]],
  ["\ud800", []],
  ["' OR 1=1 --", []],
  ["'; DROP TABLE entries; --", []],
  ["alpha' UNION SELECT id FROM entries --", ["a"]],
  ["alpha'); DELETE FROM entries_1; --", ["a"]],
  ["?1 $1 :alpha @beta #", ["a", "b"]],
];

async function findsAsBefore(index: SearchIndex): Promise<void> {
  assert.deepEqual(await sortedIdsFor(index, "alpha beta"), ["a", "b"]);
}

export const searchSyntaxCases: readonly SearchCase[] = [
  {
    name: "a query has no syntax: whatever it says, its words find what has them",
    run: async (index) => {
      await index.put(entries);
      await inTurn(plainText, async ([text, found]) => {
        assert.deepEqual(await sortedIdsFor(index, text), found, JSON.stringify(text));
      });
      await findsAsBefore(index);
    },
  },
  {
    name: "a text has no syntax either: it is found by its words",
    run: async (index) => {
      await inTurn(plainText, async ([text, found]) => {
        await index.put(entriesOf({ hostile: text }));
        const isFound = (await sortedIdsFor(index, "alpha")).includes("hostile");
        assert.equal(isFound, found.includes("a"), JSON.stringify(text));
      });
      await index.put(entries);
      await index.remove(account, ["hostile"]);
      await findsAsBefore(index);
    },
  },
  {
    name: "a query of 100 KB of anything is answered",
    run: async (index) => {
      await index.put(entries);
      const pieces = ['"', "(", "* ", "NOT ", "NEAR(", "alph* ", "-", "\u0000", "\ud800", "^:", "'"];
      await inTurn(pieces, async (piece) => {
        const text = piece.repeat(Math.ceil(100_000 / piece.length));
        assert.deepEqual(await sortedIdsFor(index, text), [], JSON.stringify(piece));
        assert.deepEqual(await sortedIdsFor(index, `${text} beta`), ["b"], JSON.stringify(piece));
      });
      assert.deepEqual(await sortedIdsFor(index, "(alpha OR ".repeat(10_000)), ["a"]);
    },
  },
];
