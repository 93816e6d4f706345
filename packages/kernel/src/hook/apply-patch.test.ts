// RFC 6902, whole or not at all, on two forms of a value at once. S1: what a hook was not shown it neither reads nor moves.
import { canonicalJson, type JsonValue, readCanonicalJson, toJsonPointer } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyPatch, UnfitPatch } from "./apply-patch.ts";
import type { PatchStep } from "./run-hook.ts";

/** Of a value that is on record as it is. */
function apply(value: JsonValue, patch: unknown): JsonValue {
  const { live, recorded } = applyPatch({ live: value, recorded: value }, patch);
  expect(recorded).toStrictEqual(live);
  return live;
}

function thrownBy(act: () => unknown): unknown {
  try {
    act();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** The words of why a patch changes nothing. */
function unfit(act: () => unknown): string {
  const thrown = thrownBy(act);
  if (thrown instanceof UnfitPatch) return thrown.message;
  throw thrown ?? new Error("it was applied");
}

describe("the examples of RFC 6902", () => {
  const foo = { foo: "bar" };
  test.each<[string, JsonValue, PatchStep[], JsonValue]>([
    [
      "A.1 an object member is added",
      foo,
      [{ op: "add", path: "/baz", value: "qux" }],
      { ...foo, baz: "qux" },
    ],
    [
      "A.2 an array element is added",
      { foo: ["bar", "baz"] },
      [{ op: "add", path: "/foo/1", value: "qux" }],
      { foo: ["bar", "qux", "baz"] },
    ],
    ["A.3 an object member is removed", { ...foo, baz: "qux" }, [{ op: "remove", path: "/baz" }], foo],
    [
      "A.4 an array element is removed",
      { foo: ["bar", "qux", "baz"] },
      [{ op: "remove", path: "/foo/1" }],
      { foo: ["bar", "baz"] },
    ],
    [
      "A.5 a value is replaced",
      { ...foo, baz: "qux" },
      [{ op: "replace", path: "/baz", value: "boo" }],
      { ...foo, baz: "boo" },
    ],
    [
      "A.6 a value is moved",
      { foo: { bar: "baz", waldo: "fred" }, qux: { corge: "grault" } },
      [{ op: "move", from: "/foo/waldo", path: "/qux/thud" }],
      { foo: { bar: "baz" }, qux: { corge: "grault", thud: "fred" } },
    ],
    [
      "A.7 an array element is moved",
      { foo: ["all", "grass", "cows", "eat"] },
      [{ op: "move", from: "/foo/1", path: "/foo/3" }],
      { foo: ["all", "cows", "eat", "grass"] },
    ],
    [
      "A.8 a value is tested",
      { baz: "qux", foo: ["a", 2, "c"] },
      [
        { op: "test", path: "/baz", value: "qux" },
        { op: "test", path: "/foo/1", value: 2 },
      ],
      { baz: "qux", foo: ["a", 2, "c"] },
    ],
    [
      "A.10 a nested member is added",
      foo,
      [{ op: "add", path: "/child", value: { grandchild: {} } }],
      { ...foo, child: { grandchild: {} } },
    ],
    [
      "A.11 what else a change says is not looked at",
      foo,
      [{ op: "add", path: "/baz", value: "qux", xyz: 123 } as PatchStep],
      { ...foo, baz: "qux" },
    ],
    [
      "A.14 ~ and / in names are escaped",
      { "/": 9, "~1": 10 },
      [{ op: "test", path: "/~01", value: 10 }],
      { "/": 9, "~1": 10 },
    ],
    [
      "A.16 a list is added at the end of a list",
      { foo: ["bar"] },
      [{ op: "add", path: "/foo/-", value: ["abc", "def"] }],
      { foo: ["bar", ["abc", "def"]] },
    ],
    ["4.1 what is there is replaced by add", foo, [{ op: "add", path: "/foo", value: null }], { foo: null }],
    ["4.1 the whole is replaced", foo, [{ op: "add", path: "", value: [1] }], [1]],
    [
      "4.5 a value is copied",
      { a: { b: [1] } },
      [{ op: "copy", from: "/a/b", path: "/a/c" }],
      { a: { b: [1], c: [1] } },
    ],
  ])("%s", (_what, before, patch, after) => {
    const kept = canonicalJson(before);
    expect(apply(before, patch)).toStrictEqual(after);
    expect(canonicalJson(before)).toBe(kept);
  });

  test.each<[string, JsonValue, unknown, string]>([
    [
      "A.9 a test that fails",
      { baz: "qux" },
      [{ op: "test", path: "/baz", value: "bar" }],
      "/baz is not what the patch expects",
    ],
    [
      "A.12 a target that does not exist",
      { foo: "bar" },
      [{ op: "add", path: "/baz/bat", value: "qux" }],
      "there is nothing that /baz/bat could stand in",
    ],
    [
      "A.15 a text and a number",
      { "~1": 10 },
      [{ op: "test", path: "/~01", value: "10" }],
      "/~01 is not what the patch expects",
    ],
    ["4.2 what is not there, removed", {}, [{ op: "remove", path: "/a" }], "there is nothing at /a"],
    [
      "4.3 what is not there, replaced",
      {},
      [{ op: "replace", path: "/a", value: 1 }],
      "there is nothing at /a",
    ],
    [
      "4.4 a value moved into itself",
      { a: { b: 1 } },
      [{ op: "move", from: "/a", path: "/a/b/c" }],
      "change 1 moves a value into itself",
    ],
    ["an index beyond the end", [1], [{ op: "add", path: "/2", value: 1 }], "2 is no place in that list"],
    [
      "an index with a zero before it",
      [1, 2],
      [{ op: "add", path: "/01", value: 1 }],
      "01 is no place in that list",
    ],
    ["a name in a list", [1], [{ op: "add", path: "/length", value: 0 }], "length is no place in that list"],
    ["the place behind the end, read", [1], [{ op: "remove", path: "/-" }], "there is nothing at /-"],
    ["the whole, removed", {}, [{ op: "remove", path: "" }], "the whole input cannot be removed"],
    ["an op that there is not", {}, [{ op: "merge", path: "" }], "change 1 is none that RFC 6902 has"],
    ["no path", {}, [{ op: "remove" }], "change 1 has no path"],
    ["a path that is none", {}, [{ op: "remove", path: "a" }], "change 1 has no path"],
    ["a path with a wrong escape", {}, [{ op: "remove", path: "/~2" }], "change 1 has no path"],
    ["no from", {}, [{ op: "copy", path: "/a" }], "change 1 has no from"],
    ["no value", {}, [{ op: "add", path: "/a" }], "change 1 has no value"],
    ["no list", {}, { op: "remove", path: "" }, "it is no list of changes"],
    ["a change that is none", {}, [null], "change 1 is none that RFC 6902 has"],
  ])("change nothing: %s", (_what, before, patch, why) => {
    expect(unfit(() => apply(before, patch))).toBe(why);
  });
});

test("a patch is applied whole or not at all", () => {
  const before = { a: [1], b: 2 };
  const both = { live: before, recorded: before };
  const patch = [
    { op: "add", path: "/a/0", value: 0 },
    { op: "remove", path: "/b" },
    { op: "test", path: "/a/1", value: 5 },
  ];
  expect(unfit(() => applyPatch(both, patch))).toBe("/a/1 is not what the patch expects");
  expect(before).toStrictEqual({ a: [1], b: 2 });
});

test("names that objects inherit are members like any other", () => {
  const patched = apply({}, [
    { op: "add", path: "/__proto__", value: { isAdmin: true } },
    { op: "add", path: "/constructor", value: 1 },
    { op: "copy", from: "/__proto__", path: "/copy" },
  ]);
  expect(canonicalJson(patched)).toBe(
    '{"__proto__":{"isAdmin":true},"constructor":1,"copy":{"isAdmin":true}}',
  );
  expect(Object.getPrototypeOf(patched)).toBe(Object.prototype);
  expect(apply(patched, [{ op: "remove", path: "/__proto__" }])).toStrictEqual({
    constructor: 1,
    copy: { isAdmin: true },
  });
  for (const path of ["/toString", "/__proto__", "/hasOwnProperty/call"])
    expect(unfit(() => apply({}, [{ op: "remove", path }]))).toBe(`there is nothing at ${path}`);
});

const pinned = "[redacted:password:0123456789ab]";

describe("S1: of a value that is hidden on record, a patch", () => {
  const both = {
    live: { text: "a", login: { pin: "4711", user: "anna" }, list: [1, "4711"] },
    recorded: { text: "a", login: { pin: pinned, user: "anna" }, list: [1, pinned] },
  };
  const hidden = "holds what is hidden on record: it can be replaced or removed only";

  test.each<[string, PatchStep, string]>([
    ["copies nothing", { op: "copy", from: "/login/pin", path: "/text" }, `/login/pin ${hidden}`],
    ["copies nothing that it is in", { op: "copy", from: "/login", path: "/text" }, `/login ${hidden}`],
    ["copies nothing of the whole", { op: "copy", from: "", path: "/text" }, `the input ${hidden}`],
    ["moves nothing", { op: "move", from: "/list/1", path: "/text" }, `/list/1 ${hidden}`],
    ["moves nothing onto itself", { op: "move", from: "/list/1", path: "/list/1" }, `/list/1 ${hidden}`],
    ["moves nothing that it is in", { op: "move", from: "/list", path: "/text" }, `/list ${hidden}`],
    [
      "tests nothing, also not what it is",
      { op: "test", path: "/login/pin", value: "4711" },
      `/login/pin ${hidden}`,
    ],
    [
      "tests nothing by what is on record",
      { op: "test", path: "/login/pin", value: pinned },
      `/login/pin ${hidden}`,
    ],
    ["tests nothing that it is in", { op: "test", path: "/list", value: [1, "4711"] }, `/list ${hidden}`],
  ])("%s", (_what, step, why) => {
    expect(unfit(() => applyPatch(both, [step]))).toBe(why);
  });

  test("replaces and removes it, in both", () => {
    expect(
      applyPatch(both, [
        { op: "replace", path: "/login/pin", value: "0000" },
        { op: "remove", path: "/list/1" },
        { op: "copy", from: "/login", path: "/text" },
      ]),
    ).toStrictEqual({
      live: { text: { pin: "0000", user: "anna" }, login: { pin: "0000", user: "anna" }, list: [1] },
      recorded: { text: { pin: "0000", user: "anna" }, login: { pin: "0000", user: "anna" }, list: [1] },
    });
  });

  test("changes what stands around it, and leaves it", () => {
    expect(
      applyPatch(both, [
        { op: "add", path: "/list/0", value: 0 },
        { op: "move", from: "/login/user", path: "/text" },
      ]),
    ).toStrictEqual({
      live: { text: "anna", login: { pin: "4711" }, list: [0, 1, "4711"] },
      recorded: { text: "anna", login: { pin: pinned }, list: [0, 1, pinned] },
    });
  });

  test("finds out no name that is hidden", () => {
    const named = { live: { "4711": { a: 1 } }, recorded: { [pinned]: { a: 1 } } };
    for (const name of ["4711", pinned, "0815"]) {
      const path = `/${name}`;
      expect(unfit(() => applyPatch(named, [{ op: "remove", path }]))).toBe(`there is nothing at ${path}`);
      expect(unfit(() => applyPatch(named, [{ op: "add", path: `${path}/a`, value: 1 }]))).toBe(
        `there is nothing that ${path}/a could stand in`,
      );
    }
  });
});

/** Values in which some words are secrets, and patches that know where they are. */
const mark = "§";
const anyValue = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<JsonValue>(mark, mark, "a", "", 0, 1, true, null, pinned),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("a", "b", "pin", "~/", "__proto__", ""), tie("value"), { maxKeys: 3 }),
  ),
})).value;

const secrets: readonly [JsonValue, JsonValue] = ["4711", { deep: ["0815"] }];

/** The value with something in place of every secret. */
function filled(value: JsonValue, secret: JsonValue): JsonValue {
  return readCanonicalJson(canonicalJson(value).replaceAll(JSON.stringify(mark), canonicalJson(secret)));
}

function placesIn(value: JsonValue, path: readonly string[] = []): string[] {
  const here = toJsonPointer(path);
  if (typeof value !== "object" || value === null) return [here];
  const members = Object.entries(value).flatMap(([key, member]) => placesIn(member, [...path, key]));
  return [here, ...members, `${here}/-`, `${here}/0`, `${here}/new`];
}

const anyGuess = fc.oneof(
  anyValue.map((value) => filled(value, "4711")),
  fc.constantFrom<JsonValue>(...secrets),
);

function anyPatch(value: JsonValue): fc.Arbitrary<PatchStep[]> {
  const place = fc.constantFrom(...placesIn(value), "/deep", "/pin/deep/0");
  return fc.array(
    fc.oneof(
      fc.record({ op: fc.constantFrom("add", "replace", "test"), path: place, value: anyGuess }),
      fc.record({ op: fc.constantFrom("move", "copy"), from: place, path: place }),
      fc.record({ op: fc.constant("remove"), path: place }),
    ),
    { minLength: 1, maxLength: 5 },
  );
}

const anyCase = anyValue.chain((value) => fc.tuple(fc.constant(value), anyPatch(value)));

type Outcome = { readonly why: string } | { readonly live: JsonValue; readonly recorded: JsonValue };

function outcomeOf(value: JsonValue, secret: JsonValue, patch: PatchStep[]): Outcome {
  try {
    return applyPatch({ live: filled(value, secret), recorded: filled(value, pinned) }, patch);
  } catch (error) {
    if (error instanceof UnfitPatch) return { why: error.message };
    throw error;
  }
}

/** Whether two values differ only where one holds the first secret, the other the second, and the record neither. */
function differOnlyInSecrets(one: JsonValue, other: JsonValue, recorded: JsonValue): boolean {
  if (canonicalJson(one) === canonicalJson(other)) return canonicalJson(one) === canonicalJson(recorded);
  if (canonicalJson(one) === canonicalJson(secrets[0]) && canonicalJson(other) === canonicalJson(secrets[1]))
    return recorded === pinned;
  if ([one, other, recorded].some((value) => typeof value !== "object" || value === null)) return false;
  const [keys, ...others] = [one, other, recorded].map((value) => Object.keys(value as object).toSorted());
  if (others.some((names) => names.join("\n") !== keys?.join("\n"))) return false;
  return (keys ?? []).every((key) => {
    const [a, b, c] = [one, other, recorded].map((value) => (value as { [key: string]: JsonValue })[key]);
    return differOnlyInSecrets(a as JsonValue, b as JsonValue, c as JsonValue);
  });
}

describe("for any value and any patch", () => {
  test("S1: what comes of it is the same whatever the secrets are, and they stay where they were", () => {
    fc.assert(
      fc.property(anyCase, ([value, patch]) => {
        const [one, other] = secrets.map((secret) => outcomeOf(value, secret, patch)) as [Outcome, Outcome];
        const isUnfit = "why" in one || "why" in other;
        const isSame = isUnfit
          ? canonicalJson(one) === canonicalJson(other)
          : canonicalJson(one.recorded) === canonicalJson(other.recorded) &&
            differOnlyInSecrets(one.live, other.live, one.recorded);
        expect([isSame, one, other]).toStrictEqual([true, one, other]);
      }),
      { numRuns: 2000 },
    );
  });

  test("it is applied or unfit, and what it was applied to is as it was", () => {
    fc.assert(
      fc.property(anyValue, fc.oneof(fc.anything(), fc.array(fc.anything())), (value, patch) => {
        const [live, recorded] = [filled(value, "4711"), filled(value, pinned)];
        const kept = [canonicalJson(live), canonicalJson(recorded)];
        const thrown = thrownBy(() => applyPatch({ live, recorded }, patch));
        expect(thrown === undefined || thrown instanceof UnfitPatch).toBe(true);
        expect([canonicalJson(live), canonicalJson(recorded)]).toStrictEqual(kept);
      }),
    );
  });

  test("what is replaced is there, and everything else as it was", () => {
    const anyPlace = anyValue.chain((value) =>
      fc.tuple(
        fc.constant(value),
        fc.constantFrom(...placesIn(value).filter((one) => !/\/(?:-|0|new)$/.test(one))),
      ),
    );
    fc.assert(
      fc.property(anyPlace, anyValue, ([value, path], next) => {
        const after = apply(value, [{ op: "replace", path, value: next }]);
        const back = apply(after, [
          { op: "test", path, value: next },
          { op: "replace", path, value: readAt(value, path) },
        ]);
        expect(canonicalJson(back)).toBe(canonicalJson(value));
      }),
    );
  });
});

function readAt(value: JsonValue, path: string): JsonValue {
  const names = path
    .split("/")
    .slice(1)
    .map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
  return names.reduce((here, name) => (here as { [name: string]: JsonValue })[name] as JsonValue, value);
}
