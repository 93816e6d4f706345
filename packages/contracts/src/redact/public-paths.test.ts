import { describe, expect, test } from "vitest";
import { sampleTemplate } from "../../test-data/redaction/generate.ts";
import { SecretRegistry } from "./held-secrets.ts";
import { publicPathsOf, secretPathsOf } from "./public-paths.ts";
import { redact } from "./redact.ts";

const handle = { type: "string", "x-sf-public": true } as const;

describe("a schema declares public handles", () => {
  test.each([
    [
      "in properties",
      { properties: { a: { properties: { token: handle } }, b: { type: "string" } } },
      ["/a/token"],
    ],
    ["in items", { properties: { cursors: { items: handle } } }, ["/cursors/*"]],
    ["in prefixItems", { prefixItems: [{ type: "string" }, handle] }, ["/1"]],
    ["in additionalProperties", { additionalProperties: handle }, ["/*"]],
    ["in patternProperties", { patternProperties: { "^x": handle } }, ["/*"]],
    ["in anyOf", { anyOf: [{ type: "null" }, { properties: { key: handle } }] }, ["/key"]],
    ["in oneOf and allOf", { allOf: [{ oneOf: [{ properties: { key: handle } }] }] }, ["/key"]],
    [
      "in if, then and else",
      { if: {}, ["then" as string]: { properties: { a: handle } }, else: { properties: { b: handle } } },
      ["/a", "/b"],
    ],
    ["in unevaluatedProperties", { unevaluatedProperties: handle }, ["/*"]],
    ["in unevaluatedItems", { unevaluatedItems: handle }, ["/*"]],
    ["in contains", { contains: handle }, ["/*"]],
    ["in dependentSchemas", { dependentSchemas: { b: { properties: { a: handle } } } }, ["/a"]],
    ["in dependencies", { dependencies: { b: { properties: { a: handle } }, c: ["b"] } }, ["/a"]],
    ["for the whole value", handle, [""]],
    ["under a key that a pointer must escape", { properties: { "a/b~c": handle } }, ["/a~1b~0c"]],
    ["behind a reference", { properties: { a: { $ref: "#/$defs/h" } }, $defs: { h: handle } }, ["/a"]],
    ["behind an encoded one", { $ref: "#/$defs/a%20b", $defs: { "a b": handle } }, [""]],
    [
      "twice, and once is enough",
      { anyOf: [{ properties: { a: handle } }, { properties: { a: handle } }] },
      ["/a"],
    ],
  ])("%s", (_, schema, paths) => {
    expect(publicPathsOf(schema)).toStrictEqual(paths);
  });

  test("in a schema that contains itself, as far as it is written", () => {
    const schema = {
      $ref: "#/$defs/node",
      $defs: { node: { properties: { id: handle, next: { $ref: "#/$defs/node" } } } },
    };
    expect(publicPathsOf(schema)).toStrictEqual(["/id"]);
  });

  test.each([
    ["a value that is not true", { properties: { a: { "x-sf-public": "yes" } } }],
    ["a reference to nowhere", { $ref: "#/$defs/gone", $defs: {} }],
    ["a reference to a name of Object", { $ref: "#/$defs/constructor", $defs: {} }],
    ["a reference to another document", { $ref: "https://x.test/schema" }],
    ["nothing", {}],
  ])("but not by %s", (_, schema) => {
    expect(publicPathsOf(schema)).toStrictEqual([]);
  });
});

describe("at a public path", () => {
  const opaque = sampleTemplate("{alnum:40}", 1);
  const jwt = sampleTemplate("{jwtHeader}.{jwtClaims}.{b64url:43}", 1);
  const prefixed = sampleTemplate("acme_live_{alnum:32}", 1);
  const options = { publicPaths: ["/page/token", "/cursors/*", "/by/*/key"] };

  test("neither a name nor a random look proves anything", () => {
    const value = {
      page: { token: opaque },
      cursors: [jwt, prefixed, `token=${opaque}`],
      by: { a: { key: opaque }, b: { key: jwt } },
    };
    expect(redact(value, options)).toStrictEqual(value);
    expect(redact(value)).not.toStrictEqual(value);
  });

  test("a known format is still hidden", () => {
    const known = sampleTemplate("ghp_{alnum:36}", 1);
    expect(redact({ page: { token: known } }, options)).toStrictEqual({
      page: { token: "[redacted:github_token]" },
    });
  });

  test("a held secret is still hidden", () => {
    const secrets = new SecretRegistry();
    secrets.add(opaque, "ours");
    expect(redact({ page: { token: `x ${opaque}` } }, { ...options, secrets })).toStrictEqual({
      page: { token: "x [redacted:ours]" },
    });
  });

  test("the same value beside it is hidden", () => {
    expect(
      redact({ token: opaque, page: { token: opaque, deeper: { token: opaque } } }, options),
    ).toStrictEqual({
      token: "[redacted:secret]",
      page: { token: opaque, deeper: { token: "[redacted:secret]" } },
    });
  });

  test("what a schema declares is what redact leaves", () => {
    const schema = {
      type: "object",
      properties: {
        accessToken: { type: "string" },
        nextKey: handle,
        list: { items: { properties: { key: handle } } },
      },
    };
    const value = { accessToken: opaque, nextKey: opaque, list: [{ key: opaque }, { key: jwt }] };
    expect(redact(value, { publicPaths: publicPathsOf(schema) })).toStrictEqual({
      ...value,
      accessToken: "[redacted:secret]",
    });
  });
});

describe("at a secret path", () => {
  const schema = {
    properties: {
      pin: { type: "integer", "x-sf-secret": true },
      note: { type: "string", "x-sf-secret": true, "x-sf-public": true },
      card: { type: "object", "x-sf-secret": true },
      title: { type: "string" },
      hints: { items: { properties: { answer: { "x-sf-secret": true } } } },
    },
  };
  const value = {
    pin: 4711,
    note: "plain words",
    card: { holder: "A. Person", digits: [1, 2] },
    title: "plain words",
    hints: [{ answer: "blue", question: "colour?" }],
  };

  test("everything is hidden, whatever it looks like, and nothing beside it", () => {
    const secretPaths = secretPathsOf(schema);
    expect(secretPaths).toStrictEqual(["/pin", "/note", "/card", "/hints/*/answer"]);
    const [hidden, number] = ["[redacted:password]", "[redacted:password_number]"];
    expect(redact(value, { secretPaths, publicPaths: publicPathsOf(schema) })).toStrictEqual({
      pin: number,
      note: hidden,
      card: { holder: hidden, digits: [number, number] },
      title: "plain words",
      hints: [{ answer: hidden, question: "colour?" }],
    });
  });

  test.each([
    [
      "through a definition",
      {
        $ref: "#/$defs/node",
        $defs: { node: { properties: { note: { "x-sf-secret": true }, next: { $ref: "#/$defs/node" } } } },
      },
    ],
    ["through the whole", { properties: { note: { "x-sf-secret": true }, next: { $ref: "#" } } }],
  ])("at any depth of a schema that contains itself %s (S1)", (_, recursive) => {
    const secretPaths = secretPathsOf(recursive);
    expect(secretPaths).toStrictEqual(["/note", "/**/note"]);
    const deep = { note: "one", next: { note: "two", title: "kept", next: { note: "three" } } };
    const hidden = "[redacted:password]";
    expect(redact(deep, { secretPaths })).toStrictEqual({
      note: hidden,
      next: { note: hidden, title: "kept", next: { note: hidden } },
    });
  });

  const marked = { type: "string", "x-sf-secret": true };
  test.each([
    [
      "an id",
      {
        properties: { a: { $ref: "https://x.test/p" } },
        $defs: { p: { $id: "https://x.test/p", ...marked } },
      },
    ],
    ["an anchor", { properties: { a: { $ref: "#p" } }, $defs: { p: { $anchor: "p", ...marked } } }],
    [
      "a dynamic anchor",
      { properties: { a: { $dynamicRef: "#p" } }, $defs: { p: { $dynamicAnchor: "p", ...marked } } },
    ],
    [
      "a pointer from another id",
      {
        properties: { a: { $id: "https://x.test/p", $ref: "#/$defs/b", $defs: { b: marked } } },
        $defs: { b: {} },
      },
    ],
  ])("everywhere, where a mark may stand behind a reference by %s (S1)", (_, named) => {
    expect(secretPathsOf(named)).toStrictEqual([""]);
  });

  test("nowhere, where nothing is marked, whatever is referred to", () => {
    expect(secretPathsOf({ properties: { a: { $dynamicRef: "#p" }, b: { $ref: "p" } } })).toStrictEqual([]);
  });

  test("everywhere, in a schema too large to be looked through", () => {
    const levels = Array.from({ length: 20 }, (_, level) => [
      `l${level}`,
      { properties: { a: { $ref: `#/$defs/l${level + 1}` }, b: { $ref: `#/$defs/l${level + 1}` } } },
    ]);
    const tangled = {
      $ref: "#/$defs/l0",
      $defs: { ...Object.fromEntries(levels), l20: { "x-sf-secret": true } },
    };
    expect(secretPathsOf(tangled)).toStrictEqual([""]);
  });
});
