// Every limit has a name and a setting: a constant that bounds something says so, or it is listed with the reason why nobody meets it.
import { describe, expect, test } from "vitest";
import { findLimits, isDeclared, numbersOfPackages } from "../../scripts/reference/limits/find-limits.ts";
import { internalLimits } from "./internal-limits.ts";
import { looksLikeLimit } from "./looks-like-limit.ts";
import { valueWords } from "../../scripts/reference/limits/value-words.ts";
import type { Constant } from "../../scripts/reference/source/constants.ts";

const constants = numbersOfPackages().map(({ constant }) => constant);
const placeOf = ({ source, name }: Constant) =>
  `${source.file.replace(/^packages\//, "").replace("/src/", "/")} ${name}`;
const listed = Object.values(internalLimits).flat();

describe("a constant that looks like a limit", () => {
  test("says what happens at it and how it is set (@limit), or is listed as internal with a reason", () => {
    const found = constants.filter((one) => looksLikeLimit(one.name) && !isDeclared(one)).map(placeOf);
    expect(found.filter((place) => !listed.includes(place))).toStrictEqual([]);
  });

  test("is listed once, and only while it is there and no declared limit", () => {
    const known = new Set(constants.filter((one) => !isDeclared(one)).map(placeOf));
    expect(listed.filter((place) => !known.has(place))).toStrictEqual([]);
    expect(listed.length).toBe(new Set(listed).size);
  });

  test.each([
    "maxBytes",
    "mostSaid",
    "longestWait",
    "deepest",
    "limit",
    "answerMs",
    "pageChars",
    "runLimits",
  ])("%s does", (name) => {
    expect(looksLikeLimit(name)).toBe(true);
  });

  test.each(["maximum", "mostly", "version", "reach", "items"])("%s does not", (name) => {
    expect(looksLikeLimit(name)).toBe(false);
  });
});

describe("the limits", () => {
  const limits = findLimits();

  test("are found wherever they are declared: in a number, in an object, in one that another is made of", () => {
    const byName = new Map(limits.map(({ name, value }) => [name, value]));
    expect(byName.get("json.depth")).toBe(256);
    expect(byName.get("platform.requestBodyBytes")).toBe(2 ** 20);
    expect(byName.get("platform.keyRate")).toStrictEqual({ perSecond: 100, burst: 200 });
    expect(byName.get("chat.excerptChars")).toBe(400);
    expect(byName.get("shell.timeoutS")).toBe(120);
    expect(limits.length).toBeGreaterThan(140);
  });

  test("that are fixed say why, and the others name what sets them", () => {
    const vague = limits.filter(({ isSet }) => !/^fixed: .{8,}|`[^`]+`/.test(isSet)).map(({ name }) => name);
    expect(vague).toStrictEqual([]);
  });

  test.each([
    ["a.waitMs", 1500, "1,500 ms"],
    ["a.waitMs", 60_000, "1 min"],
    ["a.waitMs", 86_400_000, "24 h"],
    ["a.waitMs", 30 * 86_400_000, "30 d"],
    ["a.timeoutS", 120, "2 min"],
    ["a.textBytes", 16 * 2 ** 20, "16 MiB"],
    ["a.lineBytes", 4095, "4,095 bytes"],
    ["a.noteChars", 2000, "2,000 characters"],
    ["a.items", 64, "64"],
  ])("%s of %d is told as %s", (name, value, words) => {
    expect(valueWords(name, value)).toBe(words);
  });
});
