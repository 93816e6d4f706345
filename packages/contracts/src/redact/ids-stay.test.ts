// Ids and images go through redaction as they are: a model repeats ids, and a call that is replayed must hold the same bytes. Beginnings
// of tokens occur in them by chance, so this is measured on ids of every kind and on the bytes of a hundred images.
import { describe, expect, test } from "vitest";
import { idKinds, idsOf, imageBytes } from "../../test-data/redaction/ids.ts";
import { SecretRegistry } from "./held-secrets.ts";
import { redact } from "./redact.ts";
import { createTextRedactor } from "./redact-stream.ts";
import { redactText } from "./redact-text.ts";

const secrets = new SecretRegistry();
const seeds = Array.from({ length: 20 }, (_, index) => 1000 + index);
const ids = [...idsOf(seeds)];

/** The share of these that redaction changes; the first of them are said. */
function touchedShare(name: string, texts: readonly string[]): number {
  const touched = texts.filter((text) => redactText(text, { secrets }) !== text);
  console.log(
    `${name}: ${touched.length} of ${texts.length} touched\n${touched
      .map((text) => text.slice(0, 160))
      .slice(0, 5)
      .join("\n")}`,
  );
  return touched.length / texts.length;
}

describe("at most 0.5 % of ids are touched", () => {
  test("of more than two hundred kinds", () => {
    expect(idKinds.length).toBeGreaterThan(200);
  });

  test("alone, as members of JSON, in sentences, in log lines and in addresses", () => {
    expect(
      touchedShare(
        "ids in texts",
        ids.flatMap(({ texts }) => texts),
      ),
    ).toBeLessThanOrEqual(0.005);
  });

  test("in values, under the names that they usually stand under", () => {
    const values = ids.map(({ key, id }) => ({ [key]: id, nested: { items: [{ [key]: id }] }, list: [id] }));
    const touched = values.filter(
      (value) => JSON.stringify(redact(value, { secrets })) !== JSON.stringify(value),
    );
    console.log(`ids in values: ${touched.length} of ${values.length} touched`);
    expect(touched.length / values.length).toBeLessThanOrEqual(0.005);
  });

  test("and of no kind is every one touched", () => {
    const whole = idKinds.filter(([kind]) =>
      ids
        .filter((made) => made.kind === kind)
        .every(({ texts }) => texts.some((text) => redactText(text, { secrets }) !== text)),
    );
    expect(whole).toStrictEqual([]);
  });
});

describe("at most 2 % of images of 100 kB are touched", () => {
  const images = Array.from({ length: 100 }, (_, seed) => imageBytes(seed, 100_000).toString("base64"));
  const inLines = (image: string) => image.replaceAll(/.{76}(?=.)/g, "$&\r\n");

  test.each<[string, (image: string) => string]>([
    ["as base64", (image) => image],
    ["as base64url", (image) => Buffer.from(image, "base64").toString("base64url")],
    ["in lines", inLines],
    ["in a JSON text", (image) => JSON.stringify({ type: "image", data: image, mimeType: "image/png" })],
    ["in a JSON text that escapes slashes", (image) => `{"data":"${image.replaceAll("/", "\\/")}"}`],
    ["in lines in JSON inside JSON", (image) => JSON.stringify(JSON.stringify({ data: inLines(image) }))],
    ["percent-encoded", (image) => `file=${encodeURIComponent(image)}&name=a.png`],
    ["in a sentence", (image) => `The chart as PNG: ${image} (133 kB)`],
    ["as the address of data", (image) => `![chart](data:image/png;base64,${image})`],
  ])("%s", (name, written) => {
    expect(
      touchedShare(
        name,
        images.map(written).map((text) => text.slice(0, 400_000)),
      ),
    ).toBeLessThanOrEqual(0.02);
  });

  test("in nested values", () => {
    const touched = images.filter((image) => {
      const value = { content: [{ type: "image", data: image, mimeType: "image/png" }] };
      return redact(value, { secrets, mayShare: true }) !== value;
    });
    expect(touched.length / images.length).toBeLessThanOrEqual(0.02);
  });
});

test("what is hidden around and inside of base64 is the same for a stream", () => {
  const [image = ""] = [3].map((seed) => imageBytes(seed, 3000).toString("base64"));
  const text = `ghp_16C7e42F292c6912E7710c838347Ae178B4a ${image} password=hunter22x ${image.replaceAll("/", "\\/")}\n${image}sk_live_4eC39HqLyjWDarjtT1zdp7dc`;
  for (const length of [1, 7, 64, 1000]) {
    const redactor = createTextRedactor({ secrets });
    let output = "";
    for (let at = 0; at < text.length; at += length) output += redactor.push(text.slice(at, at + length));
    expect(output + redactor.end()).toBe(redactText(text, { secrets }));
  }
});
