// Patterns of contracts run in time that grows with the text: what an engine that backtracks would never answer is answered here. The
// tests of that have no clock: with JavaScript's own engine they do not end.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { buildManifest, type ContractTool, type JsonObject } from "@spfunctions/contracts";
import { toolWith } from "../../test-data/tool-samples.ts";
import { describedTool } from "./described-tool.ts";
import { linearPattern } from "./linear-pattern.ts";
import { checksOf } from "./tool-checks.ts";

/** Each takes longer than anybody waits for in an engine that backtracks. */
const slow: readonly (readonly [string, string])[] = [
  ["^(a+)+$", `${"a".repeat(50)}!`],
  ["^(a|a)*$", `${"a".repeat(50)}!`],
  ["^(a|aa)+$", `${"a".repeat(80)}!`],
  ["^([a-zA-Z0-9]+\\s?)+$", `${"word".repeat(20)}!`],
  ["(x+x+)+y", "x".repeat(50)],
  ["^(\\w*)*$", `${"w".repeat(50)}-`],
  ["^(?:(a+)+b|a+)$", "a".repeat(50)],
];

const zodProblem = (schema: z.ZodType, text: string) =>
  checksOf(toolWith({ input: z.object({ text: schema }) })).input({ text });

describe("a pattern of a contract is run in linear time", () => {
  test.each(slow)("%s, wherever it stands", (pattern, text) => {
    const members = [
      { properties: { text: { type: "string", pattern } } },
      { patternProperties: { [pattern]: { type: "string" } }, additionalProperties: true },
      { propertyNames: { pattern }, additionalProperties: true },
      { properties: { list: { type: "array", items: { type: "string", pattern } } } },
      { patternProperties: { [pattern]: { type: "object", properties: { x: { default: 1 } } } } },
    ] as const;
    for (const one of members) {
      const input = { type: "object", ...one } as JsonObject;
      const tool = toolWith({ input });
      const value = { text, [text]: {}, list: [text] };
      checksOf(tool).input(value);
      checksOf(tool).fillDefaults?.(value);
      checksOf(toolWith({ output: input })).output(value);
    }
    expect(linearPattern(pattern).test(text)).toBe(pattern.endsWith("|a+)$"));
  });

  test.each(slow)("%s, where zod runs it too, with whatever flags", (pattern, text) => {
    for (const flags of ["", "u", "i", "g", "y", "s"]) {
      const regex = new RegExp(pattern, flags);
      const isMatch = linearPattern(pattern, flags).test(text);
      const schemas = [
        z.string().regex(regex),
        z.string().min(1).regex(regex).optional(),
        z.stringFormat("mine", regex),
        z.lazy(() => z.string().regex(regex)),
        z.union([z.int(), z.string().regex(regex)]),
        z.templateLiteral([z.string().regex(regex)]),
      ];
      for (const schema of schemas.slice(0, flags === "" ? 6 : 5))
        expect(zodProblem(schema, text) === undefined).toBe(isMatch);
      expect(zodProblem(z.email({ pattern: regex }), `${text}@`)).toBeDefined();
      const names = checksOf(toolWith({ input: z.record(z.string().regex(regex), z.int()) })).input;
      expect(names({ [text]: 1 }) === undefined).toBe(isMatch);
    }
  });

  test("the format url, whose pattern backtracks, reads no text that is longer than 2,048 characters", () => {
    const { input } = checksOf(toolWith({ input: { type: "object", properties: { u: { format: "url" } } } }));
    expect(input({ u: "https://example.com/a" })).toBeUndefined();
    expect(input({ u: `http://${":".repeat(1_000_000)}` })).toMatchObject({ path: "/u", reason: "format" });
  });

  test("of links zod checks hosts by patterns of its own", () => {
    const schema = z.url({ hostname: /^([a-z]+)+\.com$/, protocol: /^(h|t|p|s)*$/ });
    expect(zodProblem(schema, "https://example.com")).toBeUndefined();
    expect(zodProblem(schema, `https://${"a".repeat(60)}.org`)).toBeDefined();
  });
});

describe("a pattern that the engine cannot run is refused where its contract is defined: with", () => {
  test.each<[string, string, string]>([
    ["looking ahead", "^(?=.*\\d).{8,}$", "it looks ahead: (?="],
    ["looking ahead for what is not there", "^(?!admin)\\w+$", "it looks ahead: (?!"],
    ["looking behind", "(?<=a)b", "it looks behind: (?<="],
    ["referring back", "^(a+)b\\1$", "it refers back to a group: \\1"],
    ["referring back by name", "^(?<x>a)b\\k<x>$", "it refers back to a group: \\k<x>"],
    [
      "a property of characters that it does not know",
      "^\\p{Emoji}+$",
      "it has a property that is not supported",
    ],
    ["more than a thousand repetitions", "^.{1,5000}$", "5000"],
  ])("%s", (_, pattern, why) => {
    const texts = { type: "object", properties: { a: { type: "array", items: { pattern } } } };
    for (const side of ["input", "output"] as const)
      expect(() => toolWith({ [side]: texts })).toThrow(
        expect.objectContaining({
          code: "invalid_manifest",
          message: expect.stringContaining(
            `invalid tool notes.read: ${side}: the pattern at /properties/a/items/pattern, "`,
          ),
          details: expect.objectContaining({
            tool: "notes.read",
            path: `/${side}/properties/a/items/pattern`,
            reason: "pattern_not_linear",
          }),
        }),
      );
    expect(() => toolWith({ input: texts })).toThrow(why);
    expect(() => toolWith({ input: texts })).toThrow(pattern.slice(0, 60));
    expect(() => toolWith({ input: texts })).toThrow("with minLength and maxLength");
    const names = { type: "object", patternProperties: { [pattern]: {} } };
    expect(() => toolWith({ input: names })).toThrow("the pattern at /patternProperties/");
  });

  test.each(["/x-parts/a", "/properties/b/const", "/properties/b/enum/0", "/properties/b/default"])(
    "looking ahead, where only a reference makes a schema of it: %s",
    (pointer) => {
      const part = { type: "string", pattern: "^(?=a)a$" };
      const input = {
        type: "object",
        properties: { a: { $ref: `#${pointer}` }, b: { const: part, enum: [part], default: part } },
        "x-parts": { a: part },
      };
      expect(() => toolWith({ input })).toThrow(
        expect.objectContaining({
          details: expect.objectContaining({
            path: `/input${pointer}/pattern`,
            reason: "pattern_not_linear",
          }),
        }),
      );
    },
  );

  test.each([
    ["a look ahead", /^(?=a)a+$/],
    ["a look ahead, in any case", /^(?!b)a+$/i],
    ["a reference back", /^(a)\1+$/],
    ["sets", /^[\w--\d]+$/v],
    ["a property without the flag by which it is one", new RegExp(String.raw`^\p{L}+$`)],
    ["a character by its number without that flag", new RegExp(String.raw`^(?:\u{61})+$`)],
    ["lines", /^a+$/m],
  ])("%s in a library's schema", (_, regex) => {
    const schema = z.object({ deep: z.object({ text: z.string().regex(regex) }) });
    expect(() => toolWith({ input: schema })).toThrow(
      expect.objectContaining({ details: expect.objectContaining({ reason: "pattern_not_linear" }) }),
    );
    expect(() => toolWith({ input: schema })).toThrow(/\/properties\/deep\/properties\/text/);
  });
});

test("a text that a large pattern would be looked through for in more steps than are taken is refused, and not taken for one that does not match", () => {
  const pattern = "a[ab]{0,999}$";
  const [short, long] = [`${"ab".repeat(500)}!`, `${"ab".repeat(500_000)}!`];
  const texts = { type: "object", properties: { text: { pattern } } } as const;
  const others = { type: "object", properties: { text: { not: { pattern } } } } as const;
  const names = { type: "object", patternProperties: { [pattern]: { properties: { x: { default: 1 } } } } };
  expect(checksOf(toolWith({ input: others })).input({ text: short })).toBeUndefined();
  for (const input of [texts, others])
    expect(checksOf(toolWith({ input })).input({ text: long })).toBeDefined();
  expect(zodProblem(z.string().regex(new RegExp(pattern, "i")), long)).toBeDefined();
  const { fillDefaults } = checksOf(toolWith({ input: names }));
  expect(() => fillDefaults?.({ [long]: {} })).toThrow(expect.objectContaining({ code: "invalid_input" }));
  // A small one looks through as much as anybody sends.
  const start = "a".repeat(1_000_000);
  expect(linearPattern("^(a+)+$").test(`${start}!`)).toBe(false);
  expect(
    linearPattern("^data:image/(?:png|jpeg);base64,[A-Za-z0-9+/=]+$").test(`data:image/png;base64,${start}`),
  ).toBe(true);
});

test("a contract of another time with such a pattern is still read: its tool does not run, and takes nothing there", () => {
  const { digest: _, ...contract } = toolWith({
    input: { type: "object", properties: { text: { type: "string", pattern: "^a$" } } },
  }).contract;
  const old = withPattern(contract, "^(?=a)a$");
  const checks = checksOf(describedTool(old));
  expect(checks.input({ text: "a" })).toMatchObject({ path: "" });
  expect(checks.input({})).toBeUndefined();
  // Where it would be called, it is refused as it would be where it is defined.
  expect(() => describedTool(old, { run: () => ({}) })).toThrow("it looks ahead");
});

/** The same contract with another pattern, as a version that ran it has kept it. */
function withPattern(contract: Omit<ContractTool, "digest">, pattern: string): ContractTool {
  const input = { type: "object", properties: { text: { type: "string", pattern } } };
  const [built] = buildManifest([{ ...contract, input }], "review").tools;
  if (built === undefined) throw new Error("no contract");
  return built;
}

const anyText = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 20 }),
  fc.string({ unit: fc.constantFrom(...Array.from("aZ09 .-_/\\\n\r\t\u00a0\u2028ſKéß😀@:")), maxLength: 12 }),
);

describe("an ordinary pattern takes what it takes in JavaScript:", () => {
  test.each([
    "^[a-z0-9-]+$",
    "^\\d{4}-\\d{2}-\\d{2}$",
    "\\bword\\b",
    "^[A-Z][a-z]*$",
    "^\\S+@\\S+\\.\\S+$",
    "^\\s*$",
    "[\\s]",
    "[^\\s]",
    "[\\S]",
    "^.$",
    "^.*$",
    "a.b",
    "^(?:GET|POST)$",
    "^[^/]+(/[^/]+)*$",
    "^\\+?[1-9]\\d{1,14}$",
    "^#[0-9a-fA-F]{6}$",
    "^[\\w.-]+$",
    "^[\\w\\-]+$",
    "^$",
    "",
    "^a|b$",
    "(a)(b)?",
    "(?<year>\\d{4})",
    "\\u0041",
    "\\u{1F600}",
    "\\x41",
    "[\\u0400-\\u04FF]",
    "\\p{L}+",
    "^\\p{Lu}",
    "\\P{L}",
    "\\p{Script=Greek}",
    "[\\p{L}\\d]",
    "\\cJ",
    "\\0",
    "[\\b]",
    "[^]",
    "[]",
    "[[]",
    "[&&]",
    "[a-]",
    "[-a]",
    "[.$^]",
    "\\.",
    "\\/",
    "\\\\",
    "\\$",
    "a{2}",
    "a{2,}",
    "a{2,3}",
    "a*?",
    "a+?",
    "a??",
    "(a|b)*c",
    "^v?\\d+(\\.\\d+){0,2}$",
    "\\D",
    "\\W",
    "[^\\d]",
    "[\\W]",
    "\\B",
    "\\t|\\n|\\r|\\v|\\f",
    "^sk_[A-Za-z0-9]{4,32}$",
    "^[a-f0-9]{8}(-[a-f0-9]{4}){3}-[a-f0-9]{12}$",
    "^https?://",
    "^\\{.*\\}$",
    "é",
    "^[äöü]+$",
    "😀",
    "[😀-😂]",
  ])("%j", (pattern) => {
    const own = new RegExp(pattern, "u");
    const linear = linearPattern(pattern);
    const near = matching(own);
    const values = near
      ? fc.oneof(
          anyText,
          near,
          fc.tuple(near, anyText).map((parts) => parts.join("")),
        )
      : anyText;
    fc.assert(
      fc.property(values, (text) => {
        expect([text, linear.test(text)]).toStrictEqual([text, own.test(text)]);
      }),
      { numRuns: 150 },
    );
  });
});

describe("in any case without the flag u takes what it takes in JavaScript:", () => {
  test.each([
    "^[a-z]+$",
    "^s+$",
    "^(?:yes|ok)+$",
    "^[^k]+$",
    "^[^\\u0100-\\uffff]+$",
    "^\\u017f+$",
    "^[å-ö]*$",
    "ß+",
    "^\\W+$",
    "^ω|θ+$",
  ])("%j", (pattern) => {
    const texts = [
      "s",
      "S",
      "\u017f",
      "k",
      "\u212a",
      "ok",
      "o\u212a",
      "yeſ",
      "yes",
      "å",
      "Å",
      "\u212b",
      "ß",
      "ẞ",
      "ω",
      "\u2126",
      "θ",
      "ϴ",
      "é",
      "É",
    ];
    const own = new RegExp(pattern, "i");
    expect(texts.filter((text) => linearPattern(pattern, "i").test(text))).toStrictEqual(
      texts.filter((text) => own.test(text)),
    );
  });
});

/** Texts that a pattern takes, where it is known how to make some. */
function matching(pattern: RegExp): fc.Arbitrary<string> | undefined {
  try {
    const texts = fc.stringMatching(pattern);
    fc.sample(texts, 1);
    return texts.filter((text) => text.length < 200);
  } catch {
    return undefined;
  }
}
