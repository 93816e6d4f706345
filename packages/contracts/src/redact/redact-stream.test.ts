// Whatever the cuts, what comes out of a stream is what redactText gives for the whole, but that a secret that is found by its name
// is hidden from there on: what stands before its name has been given out.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyMixedText } from "../../test-data/redaction/any-text.ts";
import { aroundJson, encodeBy, encoders, wrapped } from "../../test-data/redaction/encoders.ts";
import { redactForward } from "../../test-data/redaction/redact-forward.ts";
import { hostileText } from "../../test-data/redaction/hostile-texts.ts";
import { SecretRegistry } from "./held-secrets.ts";
import { createTextRedactor } from "./redact-stream.ts";
import { type RedactOptions, redactText } from "./redact-text.ts";

const secrets = new SecretRegistry();
secrets.add("a calm river bends  twice\r\nbefore noon today", "held");
secrets.add("tiny1", "held");
const none = new SecretRegistry();

function streamed(pieces: readonly string[], options: RedactOptions): string {
  const redactor = createTextRedactor(options);
  return pieces.map((piece) => redactor.push(piece)).join("") + redactor.end();
}

/** The text in pieces of these lengths, over and over: also inside surrogate pairs and between \r and \n. */
function cut(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

const anyCut = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });
const held = fc.constantFrom(
  "a calm river bends  twice\r\nbefore noon today",
  "tiny1",
  "a calm river bends",
  "",
);
/** A held secret as encoders write it: one of them, in lines, one inside the other, or inside a string of JSON. */
const anyEncoded = fc
  .record({
    text: held,
    names: fc.array(fc.constantFrom(...Object.keys(encoders)), { maxLength: 2 }),
    ways: fc.array(fc.nat(4), { minLength: 1, maxLength: 6 }),
    bytes: fc.constantFrom("utf8", "base64", "hex"),
    before: fc.nat(40),
    lineEnd: fc.constantFrom("", "\n", "\r\n", "\n    ", `\r\n${"\t".repeat(39)} `),
    around: fc.nat(2),
  })
  .map(({ text, names, ways, bytes, before, lineEnd, around }) => {
    const written = Buffer.from(`${"x".repeat(before)}${text}`).toString(bytes);
    const outer = Array.from({ length: around }, () => aroundJson);
    return [...names.map((name) => encoders[name] as (typeof encoders)[string]), ...outer].reduce(
      (inner, encoder) => encodeBy(encoder, inner, ways),
      bytes === "utf8" ? written : wrapped(written, 20, lineEnd),
    );
  });
const anyText = fc.tuple(anyMixedText, held, anyMixedText).map((parts) => parts.join(" "));

test("a stream hides a secret from its name on, and the whole text before it, too", () => {
  const text = "got vK3nQ8sLw2Zr7Tm5 API_KEY=vK3nQ8sLw2Zr7Tm5 and vK3nQ8sLw2Zr7Tm5 again";
  expect(streamed(cut(text, [7]), {})).toBe(
    "got vK3nQ8sLw2Zr7Tm5 API_KEY=[redacted:secret] and [redacted:secret] again",
  );
  expect(redactText(text)).toBe(
    "got [redacted:secret] API_KEY=[redacted:secret] and [redacted:secret] again",
  );
});

describe("what a stream gives is what the whole text gives", () => {
  test.each([
    ["with secrets of its own", { secrets }],
    ["without", { secrets: none }],
  ])("for any text and any cuts, %s", (_, options) => {
    fc.assert(
      fc.property(anyText, anyCut, (text, lengths) => {
        expect(streamed(cut(text, lengths), options)).toBe(redactForward(text, options));
      }),
      { numRuns: 200 },
    );
  });

  test("for long texts of many parts", () => {
    const long = fc.array(anyMixedText, { minLength: 20, maxLength: 60 }).map((parts) => parts.join("\n"));
    fc.assert(
      fc.property(long, anyCut, (text, lengths) => {
        expect(streamed(cut(text, lengths), { secrets })).toBe(redactForward(text, { secrets }));
      }),
      { numRuns: 10 },
    );
  });

  test("when every character comes alone", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(streamed(text.split(""), { secrets })).toBe(redactForward(text, { secrets }));
      }),
      { numRuns: 200 },
    );
  });

  test("for a jar of cookies whose value comes in pieces", () => {
    const text =
      "#HttpOnly_x.dev\tFALSE\t/app\tFALSE\t0\tc\tZk8Qv3LmX2pR9tWb5NyC7aHd\n a calm river bends  twice ";
    for (const lengths of [
      [1, 8, 8],
      [2, 6, 6],
      [3, 5, 5],
      [10, 2, 2],
    ])
      expect(streamed(cut(text, lengths), { secrets: none })).toBe(redactText(text, { secrets: none }));
  });

  test("when it is used again after its end", () => {
    const redactor = createTextRedactor({ secrets: none });
    const first = redactor.push('password="hunter') + redactor.push('22" ') + redactor.end();
    const second = redactor.push("hunter22") + redactor.end();
    expect([first, second]).toStrictEqual(['password="[redacted:password]" ', "hunter22"]);
  });
});

describe("what a stream gives of encoded secrets is what the whole text gives", () => {
  const between = fc.constantFrom("", " ", "\n", "\\", "\\\\", "%", "&", "\\u00", " word ".repeat(100));

  test("for any text and any cuts", () => {
    const text = fc
      .array(fc.tuple(fc.oneof(anyEncoded, anyMixedText), between), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.flat().join(""));
    fc.assert(
      fc.property(text, anyCut, (whole, lengths) => {
        expect(streamed(cut(whole, lengths), { secrets })).toBe(redactForward(whole, { secrets }));
      }),
      { numRuns: 200 },
    );
  });

  test.each([5000, 5001, 5003, 5007])("behind %i backslashes", (count) => {
    const own = new SecretRegistry();
    const long = "a calm & river ".repeat(100);
    own.add(long, "held");
    const text = `a ${"\\".repeat(count)}\\u0061${long.slice(1)}${"and more ".repeat(1000)}`;
    for (const length of [5, 40])
      expect(streamed(cut(text, [length]), { secrets: own })).toBe(redactForward(text, { secrets: own }));
  });
});

describe("a stream does not wait for its end", () => {
  const prose =
    "Markets moved little today, and nobody at the desk could say what the committee would do next. ";

  test("ordinary prose is out after at most a few words", () => {
    const redactor = createTextRedactor({ secrets: none });
    let given = 0;
    let received = 0;
    for (const word of prose.repeat(20).match(/\S+\s/g) ?? []) {
      given += word.length;
      received += redactor.push(word).length;
      expect(given - received).toBeLessThanOrEqual(60);
    }
  });

  test("a held secret keeps no more of it back than its longest form takes", () => {
    const one = new SecretRegistry();
    one.add("a calm river bends", "held");
    const redactor = createTextRedactor({ secrets: one });
    let given = 0;
    let received = 0;
    for (const word of prose.repeat(20).match(/\S+\s/g) ?? []) {
      given += word.length;
      received += redactor.push(word).length;
      expect(given - received).toBeLessThanOrEqual(60);
    }
  });

  test("prose about secrets is out soon after", () => {
    const redactor = createTextRedactor({ secrets: none });
    const about = "The password for the desk is kept by the desk. ".repeat(3);
    const output = redactor.push(about + prose.repeat(20));
    expect(output.length).toBeGreaterThan(about.length + prose.length * 19);
  });
});

describe("a stream holds a bounded part back", () => {
  test.each([
    ["without a space", "a"],
    ["of near-secrets", "eyJ"],
    ["of quotes that never end", '"'],
  ])("when 3 MB %s come in small pieces", (_, piece) => {
    const redactor = createTextRedactor({ secrets: none });
    const small = piece.repeat(Math.ceil(4096 / piece.length));
    let given = 0;
    let received = 0;
    let most = 0;
    while (given < 3 * 1024 * 1024) {
      given += small.length;
      received += redactor.push(small).length;
      most = Math.max(most, given - received);
    }
    expect(received + redactor.end().length).toBe(given);
    expect(most).toBeLessThanOrEqual(1024 * 1024 + 2 * small.length);
  });

  test.each([
    ["percent-encoded", "%61 "],
    ["escaped", "\\u0061 "],
    ["written as entities", "&#x00000061; "],
    ["written as entities that are escaped", "\\u0026#x00000061; "],
    ["of lines that may be base64", `aaaaaaaaaaaaaaaa\n${" ".repeat(40)}`],
    ["of backslashes", "\\ "],
  ])("when a megabyte %s comes while secrets are held", (_, piece) => {
    const redactor = createTextRedactor({ secrets });
    const small = hostileText(piece, 4096);
    // A form of some ninety characters, at most seventy-two for each: and it is looked at again when a third of it is new.
    const most = 16 * 1024;
    let waiting = 0;
    for (let given = 0; given < 1024 * 1024; given += small.length) {
      waiting += small.length - redactor.push(small).length;
      expect(waiting).toBeLessThanOrEqual(most);
    }
  });

  test("and looks at it no more than a few times over, though a secret keeps more than that back", () => {
    class Counting extends SecretRegistry {
      read = 0;
      override find(text: string): ReturnType<SecretRegistry["find"]> {
        this.read += text.length;
        return super.find(text);
      }
    }
    const counting = new Counting();
    counting.add("a calm river ".repeat(100_000), "held");
    const redactor = createTextRedactor({ secrets: counting });
    const small = "word ".repeat(3200);
    const most = 3 * 1024 * 1024;
    for (let given = 0; given < most; given += small.length) redactor.push(small);
    redactor.end();
    expect(counting.read).toBeLessThan(16 * most);
  });

  test("when a key block never ends: 64 KB of it are hidden", () => {
    const redactor = createTextRedactor({ secrets: none });
    const line = `${"MIIEabcdefgh".repeat(5)}\n`;
    let output = redactor.push("-----BEGIN RSA PRIVATE KEY-----\n");
    let given = 0;
    for (; given < 3 * 1024 * 1024; given += line.length * 67) output += redactor.push(line.repeat(67));
    output += redactor.end();
    expect(output.startsWith("-----[redacted:private_key]")).toBe(true);
    expect(output.length).toBeLessThanOrEqual(given - 65_500);
  });
});

test("a line of cookies is shown whole or not at all, though its session comes last", () => {
  const text = `Cookie: ${"theme=dark; ".repeat(20)}session=abc123; z=1\nand another line`;
  const redactor = createTextRedactor();
  const output = Array.from(text, (char) => redactor.push(char)).join("") + redactor.end();
  expect(output).toBe(redactText(text));
});
