import { expect, test } from "vitest";
import { titleReader } from "./title-words.ts";

const readTitles = titleReader();
const titleWords = (title: string) => readTitles([title])[0];

test.each([
  ["Will it rain in Lisbon?", ["rain", "lisbon"]],
  ["Rates cut by 25bps", ["rate", "cut", "25", "bps"]],
  ["Bitcoin at $100k", ["bitcoin", "100000"]],
  ["Bitcoin at $1,100,000", ["bitcoin", "1100000"]],
  ["Above 3.00% or 3% or 2.50", ["above", "3", "2p5"]],
  ["Closed at 10. Again.", ["closed", "10", "again"]],
  ["On 1,2 or 3", ["1", "2", "3"]],
  ["September Sept Sep", ["sep"]],
  ["May marches on, the boss decides", ["may", "marche", "boss", "decide"]],
  ["Élection à Genève", ["election", "geneve"]],
])("%j is about %j", (title, words) => {
  expect(titleWords(title)?.words).toEqual(words);
});

test("numbers are the words with a digit", () => {
  const { words = [], ids = [], numbers = [] } = titleWords("Above 2.5% in Q3") ?? {};
  expect(words.filter((_, place) => numbers.includes(ids[place] ?? -1))).toEqual(["2p5", "3"]);
});

test("a title is taken apart once", () => {
  expect(titleWords("Rain in Porto")).toBe(titleWords("Rain in Porto"));
});

test("one word has one id in all titles, also where it stands beside other signs", () => {
  const [one, other] = readTitles(["Rain in Porto, 24 °C", "At 24°C: rain?"]);
  expect(one?.words).toEqual(["rain", "porto", "24", "c"]);
  expect(other?.words).toEqual(["24", "c", "rain"]);
  expect(other?.ids).toEqual([2, 3, 0].map((place) => one?.ids[place]));
});

test("of a long title only the first forty words count", () => {
  const words = Array.from(
    { length: 60 },
    (_, place) => `w${String.fromCodePoint(97 + (place % 26))}${place}x`,
  );
  expect(titleWords(words.join(" "))?.words).toHaveLength(40);
});
