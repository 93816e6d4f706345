// S1: a held secret is found however it was encoded: percent-encoded, escaped in JSON or HTML, in base64 or hex, in lines or not, and
// in JSON that is a string of JSON.
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aroundJson, encodeBy, type Encoder, encoders, wrapped } from "../../test-data/redaction/encoders.ts";
import { SecretRegistry } from "./held-secrets.ts";
import { createTextRedactor } from "./redact-stream.ts";
import { redactText } from "./redact-text.ts";

function holding(...secrets: string[]): { secrets: SecretRegistry } {
  const registry = new SecretRegistry();
  for (const one of secrets) registry.add(one, "test");
  return { secrets: registry };
}

/** Piece by piece, as a stream gives it. */
function streamed(text: string, length: number, options: { secrets: SecretRegistry }): string {
  const redactor = createTextRedactor(options);
  let output = "";
  for (let at = 0; at < text.length; at += length) output += redactor.push(text.slice(at, at + length));
  return output + redactor.end();
}

const secret = `Wx7&f"T<9q>L'm2/Zr+8s\\wörd 😀%4vBn`;
const bytes = Buffer.from(secret);
const everyWay = Object.entries(encoders).flatMap(([name, encoder]) =>
  [0, ...encoder.ways.keys()].map((way) => [`${name}, way ${way}`, encodeBy(encoder, secret, [way])]),
);
const mixed = Object.entries(encoders).map(([name, encoder]) => [
  `${name}, mixed`,
  encodeBy(encoder, secret, [0, 1, 2, 0, 3]),
]);
const json = JSON.stringify(secret).slice(1, -1);
const inQuotes = secret.replaceAll("\\", "\\\\").replaceAll("'", "\\'");
const inJson = (text: string) => JSON.stringify(text).slice(1, -1);
const inHtml = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

const forms = [
  ...everyWay,
  ...mixed,
  [
    "JSON as Go writes it",
    json.replaceAll("&", "\\u0026").replaceAll("<", "\\u003c").replaceAll(">", "\\u003e"),
  ],
  [
    "JSON as PHP writes it",
    json.replaceAll("/", "\\/").replaceAll("ö", "\\u00f6").replaceAll("'", "\\u0027"),
  ],
  [
    "a form that is percent-encoded twice, but for its spaces",
    encodeURIComponent(secret).replaceAll("%20", "+").replaceAll("%", "%25"),
  ],
  ["percent-encoded with slashes left", encodeURIComponent(secret).replaceAll("%2F", "/")],
  ["every byte percent-encoded", [...bytes].map((byte) => `%${byte.toString(16)}`).join("")],
  [
    "HTML",
    secret
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll('"', "&#34;")
      .replaceAll("'", "&#039;"),
  ],
  ["hex", bytes.toString("hex")],
  ["upper hex", bytes.toString("hex").toUpperCase()],
  ["hex of both cases", bytes.toString("hex").replaceAll(/[a-c]/g, (digit) => digit.toUpperCase())],
  ["hex in lines", wrapped(bytes.toString("hex"), 60, "\n")],
  ["hex of both cases in lines", wrapped(bytes.toString("hex").replaceAll("c", "C"), 60, "\n")],
  ["percent-encoded in JSON that escapes slashes", encodeURI(secret).replaceAll("/", "\\/")],
  ["a literal in single quotes", inQuotes],
  ["a literal in both quotes", json.replaceAll("'", "\\'")],
  ["a literal in JSON", inJson(inQuotes)],
  ["JSON in JSON", inJson(json)],
  ["JSON in JSON in JSON", inJson(inJson(json))],
  ["JSON of ASCII alone in JSON", inJson(encodeBy(encoders["JSON"] as Encoder, secret, [2]))],
  ["HTML in JSON in JSON", inJson(inJson(inHtml(secret)))],
  [
    "HTML in JSON that escapes its marks",
    encodeBy(encoders["entities"] as Encoder, secret, [3])
      .replaceAll("#", "\\u0023")
      .replaceAll(";", "\\u003b"),
  ],
  ["JSON in HTML", inHtml(json)],
  ["JSON in JSON in HTML by number", inJson(json).replaceAll("&", "&#38;").replaceAll('"', "&#34;")],
  ["percent-encoded twice", encodeURIComponent(encodeURIComponent(secret))],
  ["percent-encoded twice in JSON", inJson(inJson(encodeURI(encodeURI(secret))))],
] as [string, string][];

const positions: [string, string, string][] = [
  ["alone", "", ""],
  ["between words", "before ", " after"],
  ["in an address", "https://x.test/?k=", "&page=2"],
  ["in JSON", '{"a":"', '","b":1}'],
  ["in a tag", "<b title='1'>", "</b>"],
  ["among other encoded characters", "%20\\n&amp; 100% \\ & \\u00 ", " &#38;\\u0026%26 &"],
  ["behind half a character", "&# \\u00 %4 %C3 %", "%"],
];

describe("a held secret is hidden, and nothing beside it,", () => {
  const options = holding(secret);

  describe.each(positions)("%s:", (_, before, after) => {
    test.each(forms)("%s", (_name, form) => {
      const text = `${before}${form}${after}`;
      expect(redactText(text, options)).toBe(`${before}[redacted:test]${after}`);
      for (const length of [1, 7, 64])
        expect(streamed(text, length, options)).toBe(redactText(text, options));
    });
  });
});

describe("a held secret in base64 that is broken into lines is hidden", () => {
  const key = "Q9w2E4r6T8y1U3i5O7p0A2s4D6f8G1h3J5k7";
  const lineEnds: [string, string][] = [
    ["line feeds", "\n"],
    ["both", "\r\n"],
    ["indentation", "\n      "],
    ["tabs", "\r\n\t\t"],
    ["line ends of JSON", String.raw`\n`],
    ["line ends of JSON, both", String.raw`\r\n`],
    ["line ends of an address", "%0D%0A"],
    ["line ends of XML", "&#13;\n"],
  ];

  test.each(lineEnds)("by %s, wherever the lines break", (_, lineEnd) => {
    const options = holding(key);
    for (const columns of [16, 64, 76]) {
      for (let before = 0; before < 60; before++) {
        for (const encoding of ["base64", "base64url"] as const) {
          const encoded = Buffer.from(`${"x".repeat(before)}${key}${"y".repeat(20)}`).toString(encoding);
          const text = wrapped(encoded, columns, lineEnd);
          const [head = "", tail = "", ...others] = redactText(text, options).split("[redacted:test]");
          expect([text.startsWith(head), text.endsWith(tail), others]).toStrictEqual([true, true, []]);
          const shown = `${head}${tail}`.replaceAll(lineEnd, "");
          // What the ends share with their neighbours may remain: less than one byte on each side.
          expect(shown.length).toBeLessThanOrEqual(Math.ceil(((before + 20) * 4) / 3) + 4);
        }
      }
    }
  });

  test("with its slashes escaped", () => {
    const odd = "????>>>>????>>>>????>>>>";
    const encoded = Buffer.from(odd).toString("base64").replaceAll("/", "\\/").replaceAll("+", "\\u002B");
    expect(redactText(`"${encoded}"`, holding(odd))).toBe('"[redacted:test]"');
  });

  test("and lines of a text that are none of its are not taken for it", () => {
    const options = holding("correct-horse", "hat42");
    for (const text of ["it is correct-\nhorse", "a-long-run-of-words-hat\n42", "Y29ycm\nVjdC1ob3\nJzZQ"])
      expect(redactText(text, options)).toBe(text);
  });
});

describe("for any secret and any surroundings", () => {
  const unit = fc.oneof(
    fc.constantFrom(..."&<>\"'/\\%+ =?#;u0x\n\t".split("")),
    fc.constantFrom("ö", "密", "😀", "\u2028"),
    fc.string({ minLength: 1, maxLength: 1, unit: "grapheme-ascii" }),
  );
  const anySecret = fc.array(unit, { minLength: 8, maxLength: 30 }).map((units) => units.join(""));
  const surrounding = fc
    .array(
      fc.oneof(
        fc.string({ maxLength: 8 }),
        fc.constantFrom("%20", "\\n", "&amp;", "\\u0041", "%", "&", "\n"),
      ),
    )
    .map((parts) => parts.join(""));
  const anyEncoder = fc.constantFrom(...Object.keys(encoders));
  const choices = fc.array(fc.nat(4), { minLength: 1, maxLength: 12 });
  const none = new SecretRegistry();

  test("the form goes, what stands around it stays, and a stream gives the same", () => {
    fc.assert(
      fc.property(
        anySecret,
        anyEncoder,
        choices,
        surrounding,
        surrounding,
        fc.integer({ min: 1, max: 9 }),
        fc.array(choices, { maxLength: 2 }),
        (held, name, ways, before, after, cut, around) => {
          const inner = encodeBy(encoders[name] as Encoder, held, ways);
          const form = around.reduce((written, outer) => encodeBy(aroundJson, written, outer), inner);
          const text = `${before} | ${form} | ${after}`;
          fc.pre(redactText(text, { secrets: none }) === text && !`${before}${after}`.includes(held));
          const options = holding(held);
          expect(redactText(text, options)).toBe(`${before} | [redacted:test] | ${after}`);
          expect(streamed(text, cut, options)).toBe(redactText(text, options));
        },
      ),
      { numRuns: 800 },
    );
  });
});

test.each([1, 2, 3])("a held secret is hidden in JSON to the depth of %i, and nothing beside it", (depth) => {
  const inBody = (text: string) =>
    Array.from({ length: depth }).reduce<string>((inner) => JSON.stringify({ body: inner }), text);
  for (const held of [
    String.raw`p"w\4938271x`,
    'tab\t& "quotes"',
    String.raw`C:\new\u0041\table`,
    '\\\\\\\\"""',
  ]) {
    const options = holding(held);
    expect(redactText(inBody(held), options)).toBe(inBody("[redacted:test]"));
    expect(streamed(inBody(held), 3, options)).toBe(inBody("[redacted:test]"));
  }
});

describe("what does not decode to a held secret is not touched:", () => {
  test.each([
    ["another character", "Wx7%27fT%3c9q", "Wx7&fT<9q"],
    ["digits that are none", "Wx7%2gfT<9q", "Wx7&fT<9q"],
    ["an escape that is escaped three times", String.raw`Wx7\\\\\\\\u0026fT<9q`, "Wx7&fT<9q"],
    ["an entity without an end", "Wx7&#38fT<9q", "Wx7&fT<9q"],
    ["a short one inside a word", "c%68at42 %68at423 &#104;at423", "hat42"],
    ["hex of a short one", Buffer.from("hat42").toString("hex"), "hat42"],
  ])("%s", (_, text, held) => {
    expect(redactText(text, holding(held))).toBe(text);
  });

  test("a short one is hidden as a whole word, as the text reads when it is decoded", () => {
    const text = String.raw`x%20hat42%20 "\nhat42\n" <b>&#104;at42</b> chat%34%32`;
    expect(redactText(text, holding("hat42"))).toBe(
      String.raw`x%20[redacted:test]%20 "\n[redacted:test]\n" <b>[redacted:test]</b> chat%34%32`,
    );
  });
});

test.each([1025, 20_000])("a held secret of %i characters is hidden when it is encoded", (length) => {
  const long = "a & long/one ".repeat(length).slice(0, length);
  const options = holding(long);
  for (const [name, encoder] of Object.entries(encoders))
    expect([name, redactText(`x ${encodeBy(encoder, long, [1, 0, 2])}.`, options)]).toStrictEqual([
      name,
      "x [redacted:test].",
    ]);
});

test("a held secret of which one character alone is encoded is hidden to its ends, in a long text and in the widest lines", () => {
  const long = "Q9w2E4r6T8y1".repeat(20);
  const prose = "Nobody on the desk had expected the second paragraph. ".repeat(400);
  const lines = wrapped(Buffer.from(long).toString("hex"), 16, `\r\n${" ".repeat(40)}`);
  for (const form of [long, lines]) {
    for (const at of [0, form.length / 2, form.length - 1]) {
      // Not in the indentation.
      const place = form.slice(at).search(/\w/) + Math.floor(at);
      const encoded = `${form.slice(0, place)}\\u00${form.charCodeAt(place).toString(16)}${form.slice(place + 1)}`;
      const text = `${prose}| ${encoded} |${prose}`;
      expect(redactText(text, holding(long))).toBe(`${prose}| [redacted:test] |${prose}`);
    }
  }
});

test("what is removed is found in no encoding any more", () => {
  const options = holding(secret, "another & one here");
  options.secrets.remove(secret);
  for (const [, form] of forms) expect(redactText(`| ${form} |`, options)).toBe(`| ${form} |`);
  expect(redactText("another%20&%20one+here", options)).toBe("[redacted:test]");
});
