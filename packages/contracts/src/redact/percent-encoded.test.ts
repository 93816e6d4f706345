// S1: in percent-encoded text names and delimiters are read decoded, and what they announce is hidden where it stands.
import { describe, expect, test } from "vitest";
import { inContext, sample, sampleTemplate } from "../../test-data/redaction/generate.ts";
import { ordinaryStrings } from "../../test-data/redaction/ordinary.ts";
import { othersOf, survivingPart } from "../../test-data/redaction/surviving.ts";
import { identifierNames, sampleContexts, tokenFormats } from "../../test-data/redaction/token-formats.ts";
import { findPercentEncoded } from "./find-percent-encoded.ts";
import { createTextRedactor } from "./redact-stream.ts";
import { redactText } from "./redact-text.ts";

type Place = { readonly text: string; readonly secret: string; readonly fixed: readonly string[] };

const values = ["{alnum:32}", "{hex:40}", "{b64:40}", "{b64url:43}"].map((template) =>
  sampleTemplate(template, 1),
);

const documented: Place[] = tokenFormats.flatMap((format) => {
  const secret = sample(format, 1);
  const contexts = [...(format.standsAlone ? ["$"] : []), ...(format.contexts ?? [])];
  return contexts.map((context) => ({ text: inContext(context, secret), secret, fixed: othersOf(format) }));
});
const assigned: Place[] = sampleContexts.flatMap((context) =>
  values.map((secret) => ({ text: inContext(context, secret, "acme"), secret, fixed: [] })),
);
const named: Place[] = identifierNames.flatMap((name) =>
  values.map((secret) => ({ text: `${name} = "${secret}"`, secret, fixed: [] })),
);
const places = [...documented, ...assigned, ...named];

const form = (text: string) => encodeURIComponent(text).replaceAll("%20", "+");
const everyByte = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");

const encodings: readonly [string, (text: string) => string][] = [
  ["percent-encoded", (text) => encodeURIComponent(text)],
  ["as a form", form],
  ["percent-encoded twice", (text) => encodeURIComponent(encodeURIComponent(text))],
  ["as a form, percent-encoded", (text) => encodeURIComponent(form(text))],
  [
    "percent-encoded in small letters",
    (text) => encodeURIComponent(text).replaceAll(/%../g, (code) => code.toLowerCase()),
  ],
  ["with every byte percent-encoded", everyByte],
];

/** Decoded as often as it goes, which is what a reader would do. */
function decoded(text: string): string {
  let result = text;
  for (let times = 0; times < 3; times++) {
    result = result.replaceAll(/(?:%[\da-f]{2})+/gi, (codes) =>
      Buffer.from(codes.replaceAll("%", ""), "hex").toString(),
    );
  }
  return result;
}

function shown(output: string, { secret, fixed }: Place): string | null {
  const read = decoded(output);
  return (
    survivingPart(read, secret, fixed) ??
    (secret.includes("+") || secret.includes(" ")
      ? survivingPart(read.replaceAll("+", " "), secret.replaceAll("+", " "), fixed)
      : null)
  );
}

describe("at least 97 % of secrets are hidden whole", () => {
  test.each(encodings)("%s", (title, encode) => {
    const missed = places.filter((place) => {
      const address = `GET https://x.test/v1?page=2&note=${encode(place.text)}&order=asc HTTP/1.1`;
      return shown(redactText(address), place) !== null;
    });
    const recall = 1 - missed.length / places.length;
    console.log(
      `${title}: ${(recall * 100).toFixed(2)} % of ${places.length}\n${missed
        .slice(0, 12)
        .map(({ text }) => text)
        .join("\n")}`,
    );
    expect(places.length).toBeGreaterThan(5000);
    expect(recall).toBeGreaterThanOrEqual(0.97);
  });
});

test.each(encodings)("decoded, less than 2 %% of ordinary strings hold anything, %s", (_, encode) => {
  const touched = ordinaryStrings.filter((text) => {
    const address = `https://x.test/v1?page=2&note=${encode(text.toWellFormed())}&order=asc`;
    return findPercentEncoded(address).length > 0;
  });
  console.log(`touched: ${touched.length} of ${ordinaryStrings.length}`);
  expect(touched.length / ordinaryStrings.length).toBeLessThan(0.02);
});

describe("what stands beside it stays, and redacting again changes nothing:", () => {
  const secret = "vK3nQ8sLw2Zr7Tm5";
  test.each([
    [
      "an assignment in quotes",
      `/x?note=API_TOKEN%20%3D%20%22${secret}%22&page=2`,
      "/x?note=API_TOKEN%20%3D%20%22[redacted:secret]%22&page=2",
    ],
    [
      "a form",
      `note=API_TOKEN+%3D+%22${secret}%22&page=2`,
      "note=API_TOKEN+%3D+%22[redacted:secret]%22&page=2",
    ],
    [
      "encoded twice",
      `/x?u=%252Fy%253Fapi_key%253D${secret}%2526page%253D2`,
      "/x?u=%252Fy%253Fapi_key%253D[redacted:secret]%2526page%253D2",
    ],
    [
      "a value that is encoded, too",
      `/x?q=password%3A%20%22Tr0ub4dor%263%22`,
      "/x?q=password%3A%20%22[redacted:password]%22",
    ],
  ])("%s", (_, text, safe) => {
    expect(redactText(text)).toBe(safe);
    expect(redactText(safe)).toBe(safe);
    const redactor = createTextRedactor();
    const pieces = `GET ${text} HTTP/1.1`.match(/[\s\S]{1,7}/g) ?? [];
    expect(pieces.map((piece) => redactor.push(piece)).join("") + redactor.end()).toBe(
      `GET ${safe} HTTP/1.1`,
    );
  });

  test("the decoded value is hidden elsewhere", () => {
    expect(redactText("?q=password%3D%22Tr0ub4dor%263%22 was Tr0ub4dor&3")).not.toContain("Tr0ub4dor");
  });
});

test.each([
  ["percent signs", "%41"],
  ["percent signs that are encoded", "%2541"],
  ["names", "password%3D"],
  ["runs without an end", "%20a"],
  ["quotes", "%22token%22%3A%22"],
])("a quarter of a megabyte of encoded %s is finished", (_, unit) => {
  expect(redactText(unit.repeat((256 * 1024) / unit.length))).not.toBe("");
});
