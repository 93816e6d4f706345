// The bytes of a data URL are touched only where they hold a secret of this process; a data URL of text is text.
import { describe, expect, test } from "vitest";
import { aroundJson, encodeBy, encoders, wrapped } from "../../test-data/redaction/encoders.ts";
import { sampleTemplate } from "../../test-data/redaction/generate.ts";
import { imageBytes } from "../../test-data/redaction/ids.ts";
import { SecretRegistry } from "./held-secrets.ts";
import { redact } from "./redact.ts";
import { createTextRedactor } from "./redact-stream.ts";
import { redactText } from "./redact-text.ts";

const secrets = new SecretRegistry();
const held = "Wx7/f+T9qL_m2-Zr8s4vBn!k3";
const holding = new SecretRegistry();
holding.add(held, "test");

/** Bytes that begin like tokens in base64, and everything behind. */
const baits = [
  "SCWQ7F2K9X4M1Z8B6N3P",
  "EAAAEOuKf3hZyLk9vQ2nW8xR5tB7mC1pJ4sD6gH0aE9iU3oY5qT2rN8bV7cX4zL1kM6",
  "AKIAQ3F7X2M9B5N8K4P1",
  "AIzaSyD3k9f7Qm2X5b8N1pR4tV6wY0zC3eG7hJ9",
  `5J${"3mBbAH58CpQ3Y5RNJpUKPE62SQ5tfcvU2JpbnkeyhfsY".repeat(2).slice(0, 49)}`,
  "key/password/token/secret",
];

describe("the base64 bytes of a data URL", () => {
  test.each([
    ["image/png", ""],
    ["image/jpeg;charset=utf-8", ""],
    ["application/octet-stream", ""],
    ["application/pdf", ";name=a.pdf"],
    ["font/woff2", ""],
    ["audio/mpeg", ""],
  ])("of %s%s stay as they are, whatever they look like", (type, parameters) => {
    for (const bait of baits) {
      const padded = bait.padEnd(Math.ceil(bait.length / 4) * 4, "A");
      const image = imageBytes(1, 300).toString("base64");
      for (const bytes of [padded, `${image}/${padded}`.slice(0, 404), `${padded}+${image}`]) {
        const url = `data:${type}${parameters};base64,${bytes}`;
        for (const text of [
          url,
          `![a](${url})`,
          `{"url":"${url}"}`,
          `{"url":"${url.replaceAll("/", "\\/")}"}`,
        ]) {
          expect(redactText(text, { secrets })).toBe(text);
          expect(redact({ image_url: { url: text } }, { secrets })).toStrictEqual({
            image_url: { url: text },
          });
        }
      }
    }
  });

  test("are read as they are when they come in pieces", () => {
    const text = `see data:image/png;base64,${baits[0]}/${imageBytes(2, 3000).toString("base64")} and password=hunter22x`;
    for (const length of [1, 5, 64, 700]) {
      const redactor = createTextRedactor({ secrets });
      let output = "";
      for (let at = 0; at < text.length; at += length) output += redactor.push(text.slice(at, at + length));
      expect(output + redactor.end()).toBe(redactText(text, { secrets }));
    }
  });

  test("end where they end: what stands behind them is read as ever", () => {
    const url = `data:image/png;base64,${imageBytes(3, 90).toString("base64")}`;
    for (const behind of [
      ` ghp_${sampleTemplate("{alnum:36}", 1)}`,
      `","password":"hunter22x"`,
      `\nSCW${sampleTemplate("{uppernum:17}", 2)}`,
    ])
      expect(redactText(`${url}${behind}`, { secrets })).toMatch(
        /^data:image\/png;base64,[A-Za-z0-9+/]+=*[^A-Za-z0-9+/].*\[redacted:/s,
      );
  });
});

describe("a held secret in the bytes of an image is hidden", () => {
  const bytes = Buffer.from(held);
  const inImage = (offset: number) => {
    const image = imageBytes(offset, 3000);
    return Buffer.concat([image.subarray(0, 1000 + offset), bytes, image.subarray(1000 + offset)]);
  };
  const asBase64: readonly (readonly [string, (base64: string) => string])[] = [
    ["as it is", (base64) => base64],
    ["in lines", (base64) => wrapped(base64, 76, "\r\n")],
    ["in JSON that escapes slashes", (base64) => base64.replaceAll("/", "\\/")],
    ["percent-encoded", encodeURIComponent],
    ["percent-encoded twice", (base64) => encodeURIComponent(encodeURIComponent(base64))],
    ["in JSON inside JSON", (base64) => encodeBy(aroundJson, JSON.stringify(base64), [0])],
    ["as entities", (base64) => base64.replaceAll("+", "&#43;").replaceAll("/", "&#x2F;")],
  ];

  test.each(asBase64)("wherever it lies, %s", (_, written) => {
    for (const offset of [0, 1, 2, 3, 4, 5]) {
      const url = `data:image/png;base64,${written(inImage(offset).toString("base64"))}`;
      const output = redactText(url, { secrets: holding });
      expect(output).toContain("[redacted:test]");
      // What is left of the bytes is what stood around the secret.
      expect(output.length).toBeLessThan(url.length);
      expect(output.startsWith(url.slice(0, 1200))).toBe(true);
    }
  });

  test.each([
    ["as it is", held],
    ["in hex", bytes.toString("hex")],
    ["in upper hex", bytes.toString("hex").toUpperCase()],
    // All but the last character, which depends on what comes behind.
    ["in base64", bytes.toString("base64").replace(/.=*$/, "")],
    ["in base64url", bytes.toString("base64url").replace(/.$/, "")],
    ...Object.entries(encoders).flatMap(([name, encoder]) =>
      encoder.ways.map(
        (__, way) => [`${name}, way ${way}`, encodeBy(encoder, held, [way + 1])] as [string, string],
      ),
    ),
  ])("and beside an image, %s", (_, written) => {
    const image = imageBytes(4, 2000).toString("base64");
    const text = `data:image/png;base64,${image} ${written} data:image/png;base64,${image}`;
    expect(redactText(text, { secrets: holding })).toMatch(
      /^data:image\/png;base64,[^ ]+ \[redacted:test\]=* data:image\/png;base64,[^ ]+$/,
    );
  });
});

describe("a data URL of text is text", () => {
  const token = `ghp_${sampleTemplate("{alnum:36}", 7)}`;
  const base64 = (text: string) => Buffer.from(text).toString("base64");

  test.each(["data:text/plain,", "data:,", "data:text/html;charset=utf-8,<p>", "data:application/json,"])(
    "as it is: %s",
    (head) => {
      expect(redactText(`${head}see ${token} password=hunter22x`, { secrets })).toBe(
        `${head}see [redacted:github_token] password=[redacted:password]`,
      );
    },
  );

  test.each([
    ["text/plain", "a text"],
    ["text/plain;charset=utf-8", "a"],
    ["application/json", '{"a":1,'],
    ["image/svg+xml", "<svg><!--"],
    ["", "no type"],
    ["application/x-yaml", "a: 1\n"],
  ])("in base64: %s", (type, before) => {
    for (const pad of ["", "x", "xx"]) {
      const text = `data:${type};base64,${base64(`${before}${pad} ${token} and more`)}`;
      const output = redactText(text, { secrets });
      expect(output).toMatch(
        new RegExp(
          `^data:${type.replaceAll(/[+/]/g, "\\$&")};base64,[A-Za-z0-9+/]+\\[redacted:github_token\\][A-Za-z0-9+/]+=*$`,
        ),
      );
    }
  });

  test("in base64 without a secret it stays as it is", () => {
    for (const text of [
      "Nothing in here is anybody's secret.",
      '{"name":"generate_password","description":"makes one"}',
    ]) {
      const url = `data:text/plain;base64,${base64(text)}`;
      expect(redactText(url, { secrets })).toBe(url);
    }
  });

  test("of many kilobytes, in time that grows with it", () => {
    const text = `data:text/plain;base64,${base64("word ".repeat(200_000))}`;
    expect(redactText(text, { secrets })).toBe(text);
  });
});
