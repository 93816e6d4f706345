// What the author's schema allows is allowed: the JSON Schema of a contract refuses nothing that zod takes.
import { describe, expect, test } from "vitest";
import { z } from "zod";
import type { JsonObject, JsonValue } from "@spfunctions/contracts";
import { toolWith } from "../../test-data/tool-samples.ts";
import { checksOf } from "./tool-checks.ts";

const toolOf = (text: z.ZodType) => toolWith({ input: z.object({ text }) });
const problem = (schema: z.ZodType, text: JsonValue) => checksOf(toolOf(schema)).input({ text });
const saidOf = (schema: z.ZodType) => (toolOf(schema).contract.input["properties"] as JsonObject)["text"];

const { regexes } = z;
const uuid = "3f333df6-90a4-4fda-8dd3-9485d27cee36";
const jwt = "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.AA";

describe("what zod takes passes, and what it does not is refused", () => {
  test.each<[string, z.ZodType, readonly JsonValue[], JsonValue]>([
    ["a pattern", z.string().regex(/^abc$/), ["abc"], "ABC"],
    ["in any case", z.string().regex(/^abc$/i), ["abc", "ABC"], "abd"],
    ["over lines", z.string().regex(/^a.b$/s), ["a\nb"], "ab"],
    ["of a line", z.string().regex(/^b$/m), ["b", "a\nb"], "ab"],
    ["from the beginning", z.string().regex(/a/y), ["ab"], "ba"],
    ["anywhere", z.string().regex(/a/g), ["ba", "ab"], "b"],
    ["with indices", z.string().regex(/^a$/d), ["a"], "b"],
    ["by character", z.string().regex(/^.$/u), ["😀", "a"], "ab"],
    ["of sets", z.string().regex(/^[\w--\d]$/v), ["a"], "1"],
    ["of what two sets do not share", z.string().regex(/^[^\w&&\d]$/v), ["a"], "1"],
    ["in halves of characters", z.string().regex(/^[\ud83c-\ud83e][\udc00-\udfff]$/), ["😀"], "a"],
    ["with escapes that need none", z.string().regex(new RegExp("^a\\-b\\_$")), ["a-b_"], "ab"],
    ["with braces that count nothing", z.string().regex(/^{a}$/), ["{a}"], "a"],
    ["two patterns", z.string().regex(/^a/i).regex(/b$/), ["ab", "Ab"], "aB"],
    ["two of which none can be said", z.string().regex(/^a/i).regex(/b$/i), ["AB"], "BA"],
    [
      "described, optional, nullable",
      z.string().regex(/^a/i).describe("d").nullable().optional(),
      ["A"],
      "b",
    ],
    ["named", z.string().regex(/^a$/i).meta({ id: "InAnyCase" }), ["A"], "b"],
    ["of a format of one's own", z.stringFormat("mine", /^x$/i), ["X", "x"], "y"],
    ["of names", z.record(z.string().regex(/^a$/i), z.int()), [{ A: 1 }], { b: 1 }],
    [
      "of some names",
      z.looseRecord(z.string().regex(new RegExp("^a\\-$", "i")), z.int()),
      [{ "A-": 1 }, { b: "" }],
      { "A-": "" },
    ],
    ["startsWith", z.string().startsWith("a-/."), ["a-/.\nb"], "b"],
    ["endsWith", z.string().endsWith("a-/."), ["b\na-/."], "b"],
    ["includes", z.string().includes("{-}"), ["\n{-}"], "{}"],
    ["includes, from a place on", z.string().includes("b", { position: 2 }), ["aab", "a\nb", "😀b"], "ab"],
    ["lowercase", z.string().lowercase(), ["ä\n😀"], "A"],
    ["uppercase", z.string().uppercase(), ["A1"], "a"],
    ["lengths", z.string().min(2).max(3), ["😀😀", "abc"], "😀"],
    ["a template", z.templateLiteral(["a-{", z.number(), "}", z.enum(["x", "y"])]), ["a-{1.5}x"], "a-1x"],
    [
      "a template of a pattern",
      z.templateLiteral(["<", z.string().regex(new RegExp("^a\\_$", "i")), ">"]),
      ["<a_>"],
      "<b>",
    ],
    ["a template of a format", z.templateLiteral(["<", z.email(), ">"]), ["<a@b.co>"], "<a>"],
    ["email", z.email(), ["a@b.co", "o'hara+x@b-.co"], "a"],
    ["email as browsers have it", z.email({ pattern: regexes.html5Email }), ["a@localhost", "a..b@c.d"], "a"],
    ["email in any script", z.email({ pattern: regexes.unicodeEmail }), ["ä@müller.de"], "a"],
    ["email by the standard", z.email({ pattern: regexes.rfc5322Email }), ['"a b"@x.de', "ä@x.de"], "a"],
    ["url", z.url(), ["http://localhost:1", "https://müller.de/ä", "http://a.b/{x}|y z", "mailto:a@b"], "a"],
    ["httpUrl", z.httpUrl(), ["https://müller.de/ä"], "ftp://a.b"],
    ["uuid", z.uuid(), [uuid, uuid.toUpperCase()], "a"],
    ["guid", z.guid(), [uuid, "ABCDEFAB-0000-0000-0000-000000000001"], "a"],
    ["ipv4", z.ipv4(), ["1.2.3.4"], "1.2.3"],
    ["ipv6", z.ipv6(), ["::", "fe80::1", "::ffff:1.2.3.4"], "a"],
    ["cidrv4", z.cidrv4(), ["1.2.3.0/24"], "1.2.3.0"],
    ["cidrv6", z.cidrv6(), ["::/0", "::ffff:1.2.3.4/96"], "::"],
    ["mac", z.mac(), ["00:1A:2B:3C:4D:5E"], "a"],
    ["hostname", z.hostname(), ["localhost", "A-b.c."], "-"],
    ["iso.date", z.iso.date(), ["2020-02-29"], "2021-02-29"],
    ["iso.time", z.iso.time(), ["10:00", "10:00:00.1"], "25:00"],
    ["iso.datetime", z.iso.datetime(), ["2020-01-01T00:00:00.123456Z"], "2020-01-01"],
    [
      "iso.datetime, anywhere",
      z.iso.datetime({ offset: true, local: true }),
      ["2020-01-01T00:00:00+05:30", "2020-01-01T00:00"],
      "2020-01-01",
    ],
    ["iso.duration", z.iso.duration(), ["P1Y", "P3W", "PT1.5S", "PT1,5S"], "P"],
    ["base64", z.base64(), ["", "aGk="], "a"],
    ["base64url", z.base64url(), ["", "aGk", "-_-_"], "="],
    ["jwt", z.jwt(), [jwt], "a"],
    ["emoji", z.emoji(), ["😀", "👨‍👩‍👧", "🇩🇪"], "a"],
    ["hash", z.hash("md5"), ["0".repeat(32)], "0"],
    ["hex", z.hex(), ["aF"], "g"],
    ["e164", z.e164(), ["+4912345678"], "1"],
    ["nanoid", z.nanoid(), ["V1StGXR8_Z5jdHi6B-myT"], "a"],
    ["cuid2", z.cuid2(), ["tz4a98xxat96iws9zmbrgj3a"], "A"],
    ["ulid", z.ulid(), ["01ARZ3NDEKTSV4RRFFQ69G5FAV"], "a"],
    ["xid", z.xid(), ["9m4e2mr0ui3e8a215n4g"], "a"],
    ["ksuid", z.ksuid(), ["0ujtsYcgvSTl8PAuAdqWYSMnLOv"], "a"],
  ])("%s", (_, schema, fine, bad) => {
    expect([...fine, bad].map((text) => schema.safeParse(text).success)).toStrictEqual([
      ...fine.map(() => true),
      false,
    ]);
    expect(fine.map((text) => problem(schema, text))).toStrictEqual(fine.map(() => undefined));
    expect(problem(schema, bad)?.path).toMatch(/^\/text/);
  });
});

describe("a contract says of a pattern what JSON Schema can say, and nothing else", () => {
  test.each<[string, z.ZodType, JsonObject]>([
    ["a pattern", z.string().regex(/^a$/), { type: "string", pattern: "^a$" }],
    ["by character", z.string().regex(/^.$/u), { type: "string", pattern: "^.$" }],
    ["in any case", z.string().regex(/^a$/i), { type: "string" }],
    [
      "one of two",
      z.string().min(1).regex(/^a/i).regex(/b$/),
      { type: "string", minLength: 1, allOf: [{ pattern: "b$" }] },
    ],
    ["none of two", z.string().regex(/^a/i).regex(/b$/s), { type: "string" }],
    ["in any case, described", z.string().regex(/^a$/i).describe("d"), { type: "string", description: "d" }],
    ["what zod does not go by", z.ipv6(), { type: "string", format: "ipv6" }],
    ["what its author says", z.string().meta({ pattern: "^a" }), { type: "string", pattern: "^a" }],
  ])("%s", (_, schema, said) => {
    expect(saidOf(schema)).toStrictEqual(said);
  });
});

test("what is no address, link or duration for anybody is refused by its format", () => {
  for (const [schema, format] of [
    [z.email({ pattern: regexes.rfc5322Email }), "email"],
    [z.url(), "uri"],
    [z.string().meta({ format: "duration" }), "duration"],
  ] as const)
    expect(problem(schema, "none")).toStrictEqual({
      path: "/text",
      reason: "format",
      message: `must match format "${format}"`,
    });
});
