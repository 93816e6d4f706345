// A secret is hidden wherever it stands in a structure, not only in a text.
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { sample } from "../../test-data/redaction/generate.ts";
import { othersOf, survivingPart } from "../../test-data/redaction/surviving.ts";
import { type TokenFormat, tokenFormats } from "../../test-data/redaction/token-formats.ts";
import { redact } from "./redact.ts";
import { createTextRedactor } from "./redact-stream.ts";
import { redactText } from "./redact-text.ts";

/** Everything that a program or a person can read from a value, as one text. */
function readable(value: unknown): string {
  const shown = inspect(value, { depth: Number.POSITIVE_INFINITY, showHidden: true, maxStringLength: null });
  const said = [JSON.stringify(value), value instanceof Error ? value.stack : ""];
  if (value instanceof URL || value instanceof URLSearchParams)
    said.push(decodeURIComponent(value.toString()));
  if (value instanceof Headers) said.push(JSON.stringify([...value]));
  return [shown, ...said, ...unescaped(shown)].join("\n");
}

/** The same text with one and two layers of escapes taken off. */
function unescaped(text: string): string[] {
  const once = text.replaceAll(/\\(.)/gs, (_, char: string) => (char === "n" ? "\n" : char));
  return [once, once.replaceAll(/\\(.)/gs, (_, char: string) => (char === "n" ? "\n" : char))];
}

const pieces = (text: string) => text.match(/[\s\S]{1,3}/g) ?? [];

type Place = readonly [name: string, make: (name: string, secret: string) => unknown];

/** Places for a secret that is known by its own look; `name` says nothing. */
const anywhere: readonly Place[] = [
  ["a text", (_, secret) => `it was ${secret}`],
  ["an object's member", (name, secret) => ({ [name]: secret })],
  ["an object's key", (_, secret) => ({ [secret]: 1 })],
  ["an array, deep", (_, secret) => [[{ list: [secret] }]]],
  ["a Map's value", (name, secret) => new Map([[name, secret]])],
  ["a Map's key", (_, secret) => new Map([[secret, 1]])],
  ["a Set", (_, secret) => new Set([secret])],
  ["an error's message and stack", (_, secret) => new Error(`refused: ${secret}`)],
  ["an error's cause", (_, secret) => new Error("x", { cause: new Error("y", { cause: secret }) })],
  ["gathered errors", (_, secret) => new AggregateError([new TypeError(secret)], "all failed")],
  ["a member of an error", (name, secret) => Object.assign(new Error("x"), { [name]: secret })],
  ["search parameters", (name, secret) => new URLSearchParams([[name, secret]])],
  ["a boxed text", (_, secret) => Object(secret) as object],
];

/** Places in which a name announces whatever stands there. */
const named: readonly Place[] = [
  ["an object's member", (name, secret) => ({ [name]: secret })],
  ["a member, deep", (name, secret) => ({ config: [{ [name]: { value: secret } }] })],
  ["an object without a prototype", (name, secret) => Object.assign(Object.create(null), { [name]: secret })],
  ["a Map's value", (name, secret) => new Map([[name, secret]])],
  ["an error's message", (name, secret) => new Error(`refused, ${name}=${secret}`)],
  ["an error's cause", (name, secret) => new Error("x", { cause: { [name]: secret } })],
  ["an address", (name, secret) => urlOf(name, secret)],
  ["search parameters", (name, secret) => new URLSearchParams([[name, secret]])],
  ["headers", (name, secret) => headersOf(name, secret)],
  ["JSON text", (name, secret) => JSON.stringify({ [name]: secret })],
  ["JSON text in JSON text", (name, secret) => JSON.stringify({ body: JSON.stringify({ [name]: secret }) })],
  [
    "JSON text in JSON text in JSON text",
    (name, secret) => JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ [name]: secret }) }) }),
  ],
  [
    "an array of pairs",
    (name, secret) => [
      ["accept", "text/html"],
      [name, secret],
    ],
  ],
  ["a flat array of pairs", (name, secret) => ["accept", "text/html", name, secret]],
  ["name and value", (name, secret) => ({ headers: [{ name, value: secret }] })],
];

function urlOf(name: string, secret: string): URL {
  const url = new URL("https://api.example.com/v1/items");
  url.searchParams.set(name, secret);
  return url;
}

function headersOf(name: string, secret: string): Headers {
  const headers = new Headers();
  headers.set(name.replaceAll("_", "-"), secret.replaceAll("\n", " "));
  return headers;
}

/** The name under which a format is kept in the environment, if its contexts give one. */
function nameOf(format: TokenFormat): string | undefined {
  return format.contexts
    ?.map((context) => /^(?:export )?([A-Z][A-Z0-9_]*)="?\$"?$/.exec(context)?.[1])
    .find((name) => name !== undefined);
}

type Case = { readonly name: string; readonly secret: string; readonly fixed: readonly string[] };

/** Formats that are found in a text standing alone: what is promised here is that a structure changes nothing. */
const alone: Case[] = tokenFormats
  .filter(({ standsAlone }) => standsAlone)
  .map((format) => ({ name: "note", secret: sample(format, 5), fixed: othersOf(format) }))
  .filter(({ secret, fixed }) => survivingPart(redactText(`it was ${secret}`), secret, fixed) === null);

const underName: Case[] = tokenFormats.flatMap((format) => {
  const name = nameOf(format);
  return name === undefined ? [] : [{ name, secret: sample(format, 6), fixed: othersOf(format) }];
});

function leaksIn(
  cases: readonly Case[],
  make: Place[1],
  clean: (value: unknown) => unknown = redact,
): string[] {
  return cases.flatMap(({ name, secret, fixed }) => {
    const part = survivingPart(readable(clean(make(name, secret))), secret, fixed);
    return part === null ? [] : [`${name}: ${secret} shows ${part}`];
  });
}

describe("a secret with a look of its own is hidden in", () => {
  test("as many formats as this is worth", () => {
    expect(alone.length).toBeGreaterThan(650);
  });

  test.each(anywhere)("%s", (_, make) => {
    expect(leaksIn(alone, make)).toStrictEqual([]);
  });

  test.each(anywhere)("%s, where this test would otherwise see it", (_, make) => {
    const some = alone.slice(0, 50);
    expect(leaksIn(some, make, (value) => value)).toHaveLength(some.length);
  });

  test("a stream, whatever the pieces", () => {
    const leaks = alone.filter(({ secret, fixed }) => {
      const redactor = createTextRedactor();
      const output = pieces(`it was ${secret} I think`).map((piece) => redactor.push(piece));
      return survivingPart([...output, redactor.end()].join(""), secret, fixed) !== null;
    });
    expect(leaks).toStrictEqual([]);
  });
});

describe("at least 97 % of secrets that stand under their name are hidden in", () => {
  test.each(named)("%s, where this test would otherwise see them", (_, make) => {
    const some = underName.slice(0, 50);
    expect(leaksIn(some, make, (value) => value)).toHaveLength(some.length);
  });

  test.each(named)("%s", (_, make) => {
    const leaks = leaksIn(underName, make);
    expect(underName.length).toBeGreaterThan(1000);
    expect(1 - leaks.length / underName.length).toBeGreaterThanOrEqual(0.97);
  });
});
