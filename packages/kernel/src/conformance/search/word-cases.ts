import assert from "node:assert/strict";
import { inTurn } from "../in-turn.ts";
import { account, entriesOf, idsFor, type SearchCase } from "./search-case.ts";

const sameWords: readonly (readonly string[])[] = [
  ["Zürich", "zurich", "ZÜRICH", "Zu\u0308rich"],
  ["école", "ÉCOLE", "Ecole"],
  ["Москва", "МОСКВА", "москва"],
  ["Ἀθῆναι", "ΑΘΗΝΑΙ", "αθηναι"],
  ["ｗｉｄｅ", "wide", "WIDE"],
  ["서울", "서울".normalize("NFD")],
];

export const searchWordCases: readonly SearchCase[] = [
  {
    name: "case, diacritics and compatibility forms make no difference, on either side",
    run: async (index) => {
      const pairs = sameWords.flatMap((forms) =>
        forms.flatMap((put) => forms.map((asked) => ({ put, asked }))),
      );
      await inTurn(pairs, async ({ put, asked }) => {
        await index.put(entriesOf({ a: `before ${put} after`, b: "before after" }));
        assert.deepEqual(await idsFor(index, asked), ["a"], `${asked} must find ${put}`);
      });
    },
  },
  {
    name: "a run of characters without spaces is found by the whole run",
    run: async (index) => {
      await index.put(entriesOf({ a: "東京都の天気。晴れ", b: "北京", c: "สวัสดี", d: "مرحبا بالعالم" }));
      assert.deepEqual(await idsFor(index, "東京都の天気"), ["a"]);
      assert.deepEqual(await idsFor(index, "晴れ"), ["a"]);
      assert.deepEqual(await idsFor(index, "北京"), ["b"]);
      assert.deepEqual(await idsFor(index, "สวัสดี"), ["c"]);
      assert.deepEqual(await idsFor(index, "بالعالم"), ["d"]);
    },
  },
  {
    name: "letters beyond the basic plane are letters",
    run: async (index) => {
      await index.put(entriesOf({ a: "𠜎𠜱", b: "𐐷𐐲", c: "𠜎" }));
      assert.deepEqual(await idsFor(index, "𠜎𠜱"), ["a"]);
      assert.deepEqual(await idsFor(index, "𐐏𐐊"), ["b"]);
    },
  },
  {
    name: "digits are words",
    run: async (index) => {
      await index.put(entriesOf({ a: "invoice 2024-117", b: "invoice 2025-117" }));
      assert.deepEqual(await idsFor(index, "2024"), ["a"]);
      assert.equal((await idsFor(index, "117")).length, 2);
    },
  },
  {
    name: "a query without a letter or a digit finds nothing",
    run: async (index) => {
      await index.put(entriesOf({ a: "rain 🙂 ... !", b: "🙂", c: "" }));
      const wordless = ["", " ", "\n\t", "🙂", "🙂🙂 👩‍👩‍👧", "...", "!?", "—", "\u0301", "\u200b", "·", "_"];
      await inTurn(wordless, async (text) => {
        assert.deepEqual(await idsFor(index, text), [], JSON.stringify(text));
      });
    },
  },
  {
    name: "a word as long as a page is found by itself",
    run: async (index) => {
      const long = "ab".repeat(2500);
      await index.put(entriesOf({ a: `before ${long} after`, b: "ab" }));
      assert.deepEqual(await idsFor(index, long), ["a"]);
      assert.deepEqual(await idsFor(index, "ab"), ["b"]);
    },
  },
  {
    name: "a text of 16,000 words is found by its last one, and by a query of all of them",
    run: async (index) => {
      const text = Array.from({ length: 16_000 }, (_, i) => `w${i}`).join(" ");
      assert.ok(text.length > 100_000);
      await index.put([
        { accountId: account, id: "long", text },
        { accountId: account, id: "short", text: "w15999" },
        { accountId: account, id: "other", text: "nothing of it" },
      ]);
      assert.deepEqual(await idsFor(index, "w15998"), ["long"]);
      assert.deepEqual((await idsFor(index, text)).toSorted(), ["long", "short"]);
    },
  },
];
