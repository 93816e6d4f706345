import { expect, test } from "vitest";
import { CallWords } from "./call-words.ts";

const words = new CallWords([
  {
    about: "keys",
    page: "The heron of quarry seven counts forty silver keys at dawn.",
    ok: true,
    year: 2026,
  },
  { ref: "ZK-88213-Q", status: "completed", day: "on Sunday", count: 8_821_377 },
  { text: "Write to Anna at anna.berg@quarry.example, not before nine." },
  { text: "採石場の鷺は夜明けに四十本の銀の鍵を数える", done: "完了しました" },
  { text: "นกกระสาของเหมืองนับกุญแจเงินสี่สิบดอก" },
  { byPerson: { "carl.voss@quarry.example": true, accountIdentifiers: 1 } },
]);

test.each([
  "the HERON of quarry seven counts",
  "**of** _quarry_ seven — counts, forty",
  String.raw`{"text":"x\nquarry seven counts forty silver"}`,
  String.raw`"\\"quarry\\u0020seven counts forty silver\\""`,
  "see zk-88213-q",
  "number 8821377.",
  "mail anna.berg@quarry.example now",
  "https://search.example/?q=quarry%20seven%20counts%20forty%20silver",
  "quarry se\u00adven counts for\u200bty silver",
  "メモ: 夜明けに四十本の銀の鍵",
  "จดไว้ กุญแจเงินสี่สิบดอก",
  "it was carl.voss@quarry.example",
])("words of a call are known again: %s", (text) => {
  expect(words.isIn(text)).toBe(true);
});

test.each([
  "keys",
  "completed",
  "on Sunday",
  "in 2026",
  "the heron of quarry",
  "silver keys at noon",
  "メモ: 銀の鍵は完了しました",
  "accountIdentifiers",
  "100% of %41, %zz",
  "",
])("what says nothing by itself is nobody's: %s", (text) => {
  expect(words.isIn(text)).toBe(false);
});

test("a call without words of its own is in nothing", () => {
  expect(new CallWords([{}, "", null, true, 7]).isIn("7 true")).toBe(false);
});
