// S1: a secret that is found in one place of a text or a value is hidden in every other place of it, too.
import { inspect } from "node:util";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { inContext, sample } from "../../test-data/redaction/generate.ts";
import { othersOf, survivingPart } from "../../test-data/redaction/surviving.ts";
import { tokenFormats } from "../../test-data/redaction/token-formats.ts";
import { ContractViolationError } from "../error/error-classes.ts";
import { redact } from "./redact.ts";
import { createTextRedactor } from "./redact-stream.ts";
import { redactText } from "./redact-text.ts";

type Case = { readonly line: string; readonly secret: string; readonly fixed: readonly string[] };

/** Secrets that nothing but their name gives away: one line names each, and what follows does not. */
const longTail: Case[] = tokenFormats
  .filter(({ standsAlone }) => !standsAlone)
  .flatMap((format) => {
    const secret = sample(format, 3);
    const fixed = othersOf(format);
    const lines = (format.contexts ?? []).map((context) => inContext(context, secret));
    return lines.map((line) => ({ line, secret, fixed }));
  })
  // How many are found where they are named is measured in recall.test.ts.
  .filter(({ line, secret, fixed }) => survivingPart(redactText(line), secret, fixed) === null);

type Place = readonly [name: string, make: (one: Case) => string];

const shown = (value: unknown) =>
  typeof value === "string"
    ? value
    : inspect(value, { depth: Number.POSITIVE_INFINITY, maxStringLength: null, showHidden: true });

const places: readonly Place[] = [
  ["of a text, behind its name", ({ line, secret }) => redactText(`${line}\nrefused: ${secret} has expired`)],
  ["of a text, before its name", ({ line, secret }) => redactText(`refused: ${secret} has expired\n${line}`)],
  [
    "of log lines",
    ({ line, secret }) => redactText(`10:41:07 INFO ${line}\n10:41:09 WARN sent ${secret} twice`),
  ],
  ["of an object", ({ line, secret }) => shown(redact({ log: [line], sent: { body: [`got ${secret}`] } }))],
  ["of a Map and a Set", ({ line, secret }) => shown(redact(new Map([["log", new Set([line, secret])]])))],
  [
    "of an error and its cause",
    ({ line, secret }) => shown(redact(new Error(secret, { cause: new Error(line) }))),
  ],
  [
    "of an error of ours",
    ({ line, secret }) => {
      const { message, details, cause } = new ContractViolationError(`got ${secret}`, {
        details: { sent: line },
        cause: new Error(`it was ${secret}`),
      });
      return shown({ message, details, cause });
    },
  ],
  [
    "of a stream, behind its name",
    ({ line, secret }) => {
      const redactor = createTextRedactor();
      const pieces = `${line}\nrefused: ${secret} has expired`.match(/[\s\S]{1,5}/g) ?? [];
      return pieces.map((piece) => redactor.push(piece)).join("") + redactor.end();
    },
  ],
];

describe("at least 97 % of secrets that are named in one place are hidden in every other place", () => {
  test.each(places)("%s", (place, make) => {
    const missed = longTail.filter((one) => survivingPart(make(one), one.secret, one.fixed) !== null);
    const recall = 1 - missed.length / longTail.length;
    console.log(
      `${place}: ${(recall * 100).toFixed(2)} % of ${longTail.length}\n${missed
        .slice(0, 8)
        .map(({ line }) => line)
        .join("\n")}`,
    );
    expect(longTail.length).toBeGreaterThan(2500);
    expect(recall).toBeGreaterThanOrEqual(0.97);
  });
});

const secret = "vK3nQ8sLw2Zr7Tm5";

describe("a secret that is found once is hidden wherever else it stands in the same text:", () => {
  test.each([
    ["before its name", `sent ${secret}; API_KEY=${secret}`],
    ["inside a longer word", `API_KEY=${secret} at x-${secret}-y`],
    ["in base64", `API_KEY=${secret} ${Buffer.from(`id:${secret}!!`).toString("base64")}`],
    ["in hex", `API_KEY=${secret} ${Buffer.from(secret).toString("hex")}`],
    ["percent-encoded", `API_KEY=${secret} ${encodeURIComponent(secret).replaceAll("v", "%76")}`],
  ])("%s", (_, text) => {
    const safe = redactText(text);
    expect(safe).not.toContain(secret);
    expect(safe).not.toContain("%76");
    expect(safe.match(/\[redacted/g)?.length).toBe(2);
    expect(redactText(safe)).toBe(safe);
  });

  test("as it reads when the JSON that it was found in is decoded", () => {
    const odd = String.raw`vK3n"Q8s\Lw2Zr7`;
    const safe = redactText(`{"password":${JSON.stringify(odd)}} was ${odd}`);
    expect(safe).not.toContain("Lw2Zr7");
  });

  test.each([
    ["a header", (said: string) => `Authorization: Basic ${said}`, `ada:${secret}`],
    ["a cluster's secret", (said: string) => `kind: Secret\ndata:\n  password: ${said}\n`, secret],
    ["a registry's login", (said: string) => `{"auths":{"ghcr.io":{"auth":"${said}"}}}`, `ada:${secret}`],
  ])("as it reads when the base64 of %s is decoded", (_, place, written) => {
    const text = `${place(Buffer.from(written).toString("base64"))}\nthen tried ${secret} again`;
    expect(redactText(text)).not.toContain(secret);
    expect(JSON.stringify(redact({ first: `tried ${secret}`, later: [text] }))).not.toContain(secret);
  });

  test("but no ordinary words", () => {
    const said = Buffer.from("hello:world, nice to see you").toString("base64");
    expect(redactText(`Authorization: Basic ${said}\nhello world`)).toContain("hello world");
  });

  test("with the same hash", () => {
    const keyedHash = (text: string) => Buffer.from(text).toString("hex");
    const [first, second] =
      redactText(`API_KEY=${secret} and ${secret}`, { keyedHash }).match(/[0-9a-f]{12}(?=\])/g) ?? [];
    expect(first).toBeDefined();
    expect(second).toBe(first);
  });
});

test("a secret under a name that says so is hidden in the other members, the keys and the numbers of the same value", () => {
  expect(redact({ password: secret, said: `it is ${secret}`, [`at ${secret}`]: 1 })).toStrictEqual({
    password: "[redacted:password]",
    said: "it is [redacted:secret]",
    "at [redacted:secret]": 1,
  });
  expect(redact({ password: 84_719_362, sent: 84_719_362, other: 84_719_363 })).toStrictEqual({
    password: "[redacted:password_number]",
    sent: "[redacted:secret_number]",
    other: 84_719_363,
  });
});

describe("an ordinary or short word stays readable where it is no secret, though it is one somewhere:", () => {
  test.each([
    "test",
    "sunshine",
    "Welcome",
    "ADMIN",
    "abc",
    "x1",
    "1234",
    "us-east",
    "the-token",
    "user_name",
  ])("%s", (word) => {
    const said = `this is a ${word} of it`;
    expect(redact({ password: word, said })).toStrictEqual({ password: "[redacted:password]", said });
  });
});

describe("what was redacted is not changed by being redacted again:", () => {
  const word = fc.constantFrom(secret, "sunshine", "Tr0ub4dor&3", "hunter22", "a b", "\\u0041", "%41", "\n");
  const name = fc.constantFrom("password", "API_KEY", "note", "name", "Authorization", "token");
  const line = fc.tuple(name, fc.constantFrom("=", ": ", '":"', " "), word).map((parts) => parts.join(""));
  const text = fc.array(fc.oneof(line, word), { maxLength: 6 }).map((parts) => parts.join("\n"));

  test("any text", () => {
    fc.assert(
      fc.property(text, (one) => {
        const safe = redactText(one);
        expect(redactText(safe)).toBe(safe);
      }),
      { numRuns: 2000 },
    );
  });

  test("any value", () => {
    fc.assert(
      fc.property(fc.dictionary(name, fc.oneof(text, fc.array(text), fc.dictionary(name, text))), (one) => {
        const safe = redact(one);
        expect(redact(safe)).toStrictEqual(safe);
      }),
      { numRuns: 2000 },
    );
  });
});

test("a placeholder is never taken for a secret that was found, whatever the secret is", () => {
  const keyedHash = () => "abcdef123456";
  const value = { password: "password_number", kind: "url_password 1", other: { password: 123_456_789 } };
  const safe = redact(value, { keyedHash });
  expect(redact(safe, { keyedHash })).toStrictEqual(safe);
  expect(JSON.stringify(safe)).not.toContain("[redacted:[");
});
