import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyCodeUnits, anyJson, withoutMinusZero } from "../../test-data/any-json.ts";
import { accepted, refused } from "../../test-data/json-grammar.ts";
import { refusalOf } from "../../test-data/refusal-of.ts";
import { canonicalJson } from "./canonical-json.ts";
import { maxJsonDepth } from "./json-value.ts";
import { parseJsonStrict } from "./parse-json-strict.ts";
import { StrictJsonReader } from "./strict-json-reader.ts";

const reasonOf = (text: string) => refusalOf(() => parseJsonStrict(text)).details?.reason;

describe("grammar", () => {
  test.each(accepted)("%j is read", (text, value) => {
    expect(parseJsonStrict(text)).toStrictEqual(value);
  });

  test.each(refused)("%j is refused: %s", (text, reason) => {
    expect(reasonOf(text)).toBe(reason);
  });

  test("a value that is no text is refused", () => {
    const { code, message, details } = refusalOf(() => parseJsonStrict(5 as unknown as string));
    expect({ code, message, details }).toEqual({
      code: "invalid_input",
      message: "expected JSON text, got number",
      details: { reason: "not_text" },
    });
  });
});

describe("keys", () => {
  test("names that every object inherits are members like any other", () => {
    const text = '{"__proto__":{"polluted":1},"constructor":2,"toString":3,"hasOwnProperty":4}';
    const value = parseJsonStrict(text) as object;
    expect(Object.entries(value)).toEqual([
      ["__proto__", { polluted: 1 }],
      ["constructor", 2],
      ["toString", 3],
      ["hasOwnProperty", 4],
    ]);
    expect([Object.getPrototypeOf(value), "polluted" in {}]).toEqual([Object.prototype, false]);
  });

  test("B22, CVE-2026-28277: what says that it is an object of some class is data like any other", () => {
    const dangerous = [
      { lc: 1, type: "constructor", id: ["os", "system"], kwargs: { command: "id" } },
      { __class__: "Date", value: 0 },
      { $type: "System.Diagnostics.Process", toJSON: "y" },
      { type: "Buffer", data: [1, 2, 3] },
    ];
    for (const value of dangerous) expect(parseJsonStrict(JSON.stringify(value))).toStrictEqual(value);
  });

  test("an escaped key keeps its name, whatever the process has parsed before (nodejs/node#63785)", () => {
    JSON.parse('{"before":1,"\\\\":2}');
    expect(parseJsonStrict('{"before":1,"\\n":2}')).toStrictEqual({ before: 1, "\n": 2 });
  });

  test("the same name in two objects is no duplicate", () => {
    expect(parseJsonStrict('[{"a":{"a":1}},{"a":2}]')).toStrictEqual([{ a: { a: 1 } }, { a: 2 }]);
  });
});

describe("for any JSON value", () => {
  test("what JSON.stringify writes is read back", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(isDeepStrictEqual(parseJsonStrict(JSON.stringify(value)), withoutMinusZero(value))).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test("every number that canonicalJson writes is read back as that number", () => {
    const anyInteger = fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }).map(Number);
    const anyDouble = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.oneof(anyInteger, anyDouble), (number) => {
        expect(parseJsonStrict(canonicalJson(number))).toBe(number + 0);
      }),
      { numRuns: 2000 },
    );
  });

  test("an integer is refused exactly when it would become another integer, with an exponent or a point too", () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }).filter((integer) => integer !== 0n),
        fc.nat(30),
        (integer, shift) => {
          const text = String(integer);
          const held = Number(text);
          const isHeld = [BigInt(held), integerOf(String(held))].includes(integer);
          const pointAt = Math.max(integer < 0n ? 2 : 1, text.length - shift);
          const pointed = `${text.slice(0, pointAt)}.${text.slice(pointAt)}0e${text.length - pointAt}`;
          for (const written of [
            text,
            `${text}.0`,
            `${text}e0`,
            `${text}${"0".repeat(shift)}E-${shift}`,
            pointed,
          ])
            expect(isHeld ? parseJsonStrict(written) : reasonOf(written)).toBe(
              isHeld ? held + 0 : "inexact_integer",
            );
        },
      ),
      { numRuns: 1000 },
    );
  });
});

describe("numbers", () => {
  test("an integer that would become another one is refused, however it is written", () => {
    for (const text of [
      "9007199254740993e0",
      "90071992547409930e-1",
      "9.007199254740993e15",
      "-9.007199254740993E+15",
      "0.009007199254740993e18",
      "9007199254740993.00e0",
      `9007199254740993001${"0".repeat(287)}`,
      `9007199254740993${"0".repeat(1_000_000)}e-1000000`,
      `0.${"0".repeat(1_000_000)}9007199254740993e1000016`,
    ])
      expect([text.slice(0, 40), reasonOf(text)]).toStrictEqual([text.slice(0, 40), "inexact_integer"]);
  });

  test.each([
    ["9007199254740992e0", 2 ** 53],
    ["90071992547409940e-1", 9007199254740994],
    ["9007199254740993e-1", 900719925474099.3],
    ["9007199254740993.5e0", 9007199254740994],
    // As this number is written here, though what is held is less.
    ["1e23", 1e23],
    ["100000000000000000000000", 1e23],
    ["1.7976931348623157e308", Number.MAX_VALUE],
    ["0e999999999999", 0],
    ["123e-999999999999", 0],
  ])("%s is read", (text, value) => {
    expect(parseJsonStrict(text)).toBe(value);
  });
});

describe("of what others have written", () => {
  const read = (text: string) => parseJsonStrict(text, { keepsOdd: true });

  test("numbers that cannot be held come as they are written, and halves of a character stay", () => {
    const text = '{"id":9007199254740993,"far":-1e999,"half":"\\ud800","near":9007199254740991,"is":1.50}';
    expect(read(text)).toStrictEqual({
      id: "9007199254740993",
      far: "-1e999",
      half: "\ud800",
      near: 9_007_199_254_740_991,
      is: 1.5,
    });
  });

  test("also those of hundreds of digits, and with an exponent", () => {
    for (const text of ["1".repeat(400), `-${"9".repeat(400)}.0`, "9007199254740993e0"])
      expect(read(`{"n":${text}}`)).toStrictEqual({ n: text });
  });

  test("all else is refused as ever", () => {
    for (const text of ['{"n":1e999,"a":1,"a":2}', '{"n":1e999', '{"n":1e999} x', "[1e999,01]"])
      expect(() => read(text)).toThrow("invalid JSON");
  });
});

describe("beside JSON.parse", () => {
  const piece = fc.oneof(
    fc.constantFrom(...Array.from("{}[]:,\"\\/ \t\n\r0123456789.-+eEunltrfas\u0000\u001f\ufeff\u2028'")),
    fc.constantFrom(
      "null",
      "true",
      '"a":',
      '"a"',
      "\\u0061",
      "\\ud800",
      "1e999",
      "9007199254740993",
      "9007199254740993e0",
      "9.007199254740993e15",
      "100000000000000000000000",
      "1e+30",
      "1".repeat(400),
      "[]",
      "{}",
    ),
    anyCodeUnits,
  );
  /** Valid JSON with a few pieces cut out and put in. */
  const mutated = fc
    .tuple(
      fc.oneof(
        anyJson.map((value) => JSON.stringify(value)),
        fc.constantFrom(...accepted.map(([text]) => text)),
      ),
      fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), piece), { maxLength: 4 }),
    )
    .map(([text, edits]) =>
      edits.reduce((before, [place, cut, add]) => {
        const at = place % (before.length + 1);
        return before.slice(0, at) + add + before.slice(at + cut);
      }, text),
    );

  test("it never reads what JSON.parse refuses, and refuses more only for its stated reasons", () => {
    fc.assert(
      fc.property(mutated, (text) => {
        expect(disagreement(text)).toBeUndefined();
      }),
      { numRuns: 3000 },
    );
  });

  test("whichever reader reads a text, it says the same as the strict one", () => {
    fc.assert(
      fc.property(mutated, fc.constantFrom(1, 3, maxJsonDepth), fc.boolean(), (text, maxDepth, keepsOdd) => {
        const given = attempt(() => parseJsonStrict(text, { maxDepth, keepsOdd }));
        const strict = attempt(() => new StrictJsonReader(text, maxDepth, keepsOdd).document());
        expect(isDeepStrictEqual(given, strict)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });
});

/** What a literal says, where that is an integer. */
function integerOf(literal: string): bigint {
  const [digits = "", exponent = "0"] = literal.split("e");
  const [whole = "", fraction = ""] = digits.split(".");
  return BigInt(whole + fraction) * 10n ** BigInt(Number(exponent) - fraction.length);
}

/** What is wrong with how the two read a text; nothing when they agree or ours has a stated reason to refuse. */
function disagreement(text: string): string | undefined {
  const native = attempt(() => JSON.parse(text) as unknown);
  const strict = attempt(() => parseJsonStrict(text));
  if (native === undefined) return strict && "read what JSON.parse refuses";
  if (strict === undefined) {
    const stated = ["duplicate_key", "lone_surrogate", "number_overflow", "inexact_integer"];
    const reason = String(reasonOf(text));
    return stated.includes(reason) ? undefined : `refused what JSON.parse reads: ${reason}`;
  }
  // Where a key may be escaped, JSON.parse is no witness (nodejs/node#63785).
  return text.includes("\\") || isDeepStrictEqual(strict, native) ? undefined : "read another value";
}

function attempt<T>(run: () => T): { readonly value: T } | undefined {
  try {
    return { value: run() };
  } catch {
    return undefined;
  }
}
