// G1: whatever is sent as a manifest is either one, or an InvalidManifestError that says where it stopped being one.
import { describe, expect, test } from "vitest";
import { hostileValues } from "../../test-data/hostile-values.ts";
import { manifestSaying, toolDefinition } from "../../test-data/samples.ts";
import { refusalOf } from "../../test-data/refusal-of.ts";
import { InvalidManifestError } from "../error/error-classes.ts";
import type { ToolDefinition } from "./contract-tool.ts";
import { buildManifest, parseManifest } from "./manifest.ts";

const places: [place: string, act: (hostile: unknown) => unknown, path: string][] = [
  ["as a manifest", (hostile) => parseManifest(hostile), ""],
  [
    "as the tools of a manifest",
    (hostile) => parseManifest({ ...manifestSaying([]), tools: hostile }),
    "/tools",
  ],
  [
    "as a tool of a manifest",
    (hostile) => parseManifest({ ...manifestSaying([]), tools: [hostile] }),
    "/tools/0",
  ],
  ["as definitions", (hostile) => buildManifest(hostile as ToolDefinition[]), ""],
  ["as a definition", (hostile) => buildManifest([hostile as ToolDefinition]), "/0"],
  [
    "as a part of a definition",
    (hostile) => buildManifest([{ ...toolDefinition(), access: hostile } as ToolDefinition]),
    "/0/access",
  ],
];

describe.each(hostileValues)("%s", (_, make) => {
  test.each(places)("%s is refused with its path and nothing else happens", (_place, act, path) => {
    const error = refusalOf(() => act(make()));
    expect(error).toBeInstanceOf(InvalidManifestError);
    expect(error.details?.reason).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    expect(error.details?.path).toMatch(new RegExp(`^${path}(?:/|$)`));
    expect(JSON.stringify(error).length).toBeLessThan(10_000);
    expect(Object.keys(Object.prototype)).toStrictEqual([]);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe("the text of a manifest", () => {
  const text = JSON.stringify(manifestSaying([toolDefinition()]));

  test.each([
    ["with a key twice", text.replace('"mode":', '"mode":"review","mode":'), "/mode"],
    [
      "with a tool's key twice",
      text.replace('"sideEffect":', '"sideEffect":"none","sideEffect":'),
      "/tools/0/sideEffect",
    ],
    ["with a key twice, once escaped", text.replace('"mode":', '"m\\u006fde":"review","mode":'), "/mode"],
    ["with text after it", `${text}{}`, ""],
    ["that ends too early", text.slice(0, -1), ""],
    ["that is empty", "", ""],
    ["that is not JSON", "tools: []", ""],
    ["with a lone surrogate", text.replace("Read the world", "\\ud800"), "/tools/0/title"],
    ["nested 10,000 deep", "[".repeat(10_000) + "]".repeat(10_000), "/0/0"],
    [
      "with a number that overflows",
      text.replace('"type":"natural"', '"type":1e999'),
      "/tools/0/idempotency/type",
    ],
    ["of JSON that is no object", "null", ""],
  ])("%s is refused with its place", (_, source, path) => {
    const error = refusalOf(() => parseManifest(source));
    expect(error).toBeInstanceOf(InvalidManifestError);
    expect(error.details?.path).toMatch(new RegExp(`^${path}(?:/|$)`));
  });

  test("cannot bring a prototype along, and a JSON Schema may still speak of one", () => {
    const stowaway = text.replace('"mode":', '"__proto__":{"polluted":true},"mode":');
    expect(refusalOf(() => parseManifest(stowaway)).message).toBe(
      'invalid manifest: unknown key "__proto__"',
    );

    const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"},"constructor":true}}') as object;
    const loaded = parseManifest(JSON.stringify(manifestSaying([{ ...toolDefinition(), output: schema }])));
    expect(JSON.stringify(loaded.tools[0]?.output)).toBe(JSON.stringify(schema));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

test.each([
  "__proto__",
  "constructor",
  "prototype.x",
  "world.constructor",
  "hasOwnProperty",
  "\ud83d\ude00.read",
])("%s is no name for a tool", (name) => {
  const error = refusalOf(() => buildManifest([toolDefinition({ name, compatName: "x" })]));
  expect(error).toBeInstanceOf(InvalidManifestError);
  expect(error.details?.path).toBe("/0/name");
});

test("many faults are one error that names the first ten", () => {
  const error = refusalOf(() =>
    buildManifest(Array.from({ length: 1000 }, () => null as unknown as ToolDefinition)),
  );
  expect(error.message).toMatch(/^invalid tool contracts: \/0: .*; \/9: [^/]* \(and 990 more\)$/);
  expect(error.details?.problems).toHaveLength(10);
});
