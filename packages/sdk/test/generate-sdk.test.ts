// JSON Schema to TypeScript: the compiler itself says what the printed types take and refuse.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildManifest, type JsonObject, type JsonValue } from "@spfunctions/contracts";
import { afterAll, describe, expect, test } from "vitest";
import { generateSdk } from "../../../scripts/generate-sdk.ts";
import { SchemaPrinter } from "../../../scripts/sdk/schema-printer.ts";
import { fixtureManifest, fixtureTools } from "../test-data/fixture-tools.ts";

const root = resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "generated-"));
writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
afterAll(() => rmSync(folder, { recursive: true }));

const text: JsonObject = { type: "string" };
const node: JsonObject = {
  type: "object",
  properties: { value: text, children: { type: "array", items: { $ref: "#/$defs/Node" } } },
  required: ["value", "children"],
};

type Case = {
  readonly schema: JsonObject;
  readonly fits: readonly JsonValue[];
  readonly not: readonly JsonValue[];
};

const cases: Record<string, Case> = {
  text: { schema: text, fits: ["a"], not: [1, null] },
  number: { schema: { type: "number" }, fits: [1.5], not: ["1"] },
  integer: { schema: { type: "integer" }, fits: [1], not: [true] },
  boolean: { schema: { type: "boolean" }, fits: [true, false], not: [0] },
  null: { schema: { type: "null" }, fits: [null], not: [0] },
  several: { schema: { type: ["string", "null"] }, fits: ["a", null], not: [1] },
  nullable: { schema: { type: "string", nullable: true }, fits: ["a", null], not: [1] },
  constant: { schema: { const: "a*/b" }, fits: ["a*/b"], not: ["b"] },
  constantObject: {
    schema: { const: { a: [1, { "b-c": null }] } },
    fits: [{ a: [1, { "b-c": null }] }],
    not: [{ a: [2, { "b-c": null }] }],
  },
  enumeration: { schema: { enum: ["a", 1, null, true] }, fits: ["a", 1, null, true], not: ["b", false] },
  list: { schema: { type: "array", items: { enum: ["a", "b"] } }, fits: [[], ["a", "b"]], not: [["c"], "a"] },
  anyList: { schema: { type: "array" }, fits: [[1, "a"]], not: [{}] },
  emptyList: { schema: { type: "array", items: false }, fits: [[]], not: [[1]] },
  pair: {
    schema: { type: "array", prefixItems: [text, { type: "number" }], minItems: 2, items: false },
    fits: [["a", 1]],
    not: [["a"], [1, "a"], ["a", 1, 2]],
  },
  openPair: {
    schema: { prefixItems: [text, { type: "number" }], minItems: 1, items: { type: "boolean" } },
    fits: [["a"], ["a", 1], ["a", 1, true]],
    not: [[], ["a", 1, 2]],
  },
  object: {
    schema: { type: "object", properties: { a: text, "b-c": { type: "number" } }, required: ["a"] },
    fits: [{ a: "x" }, { a: "x", "b-c": 1 }],
    not: [{}, { a: 1 }, { a: "x", d: 1 }],
  },
  withDefault: {
    schema: { type: "object", properties: { a: { type: "string", default: "x" } }, required: ["a"] },
    fits: [{}, { a: "y" }],
    not: [{ a: 1 }],
  },
  emptyObject: {
    schema: { type: "object", properties: {}, additionalProperties: false },
    fits: [{}],
    not: [{ a: 1 }, 7],
  },
  anyObject: { schema: { type: "object" }, fits: [{}, { a: 1 }], not: ["a", 7] },
  record: {
    schema: { type: "object", additionalProperties: { type: "number" } },
    fits: [{}, { a: 1 }],
    not: [{ a: "x" }],
  },
  patterned: {
    schema: { type: "object", patternProperties: { "^x-": text }, additionalProperties: false },
    fits: [{ "x-a": "b" }],
    not: [{ "x-a": 1 }],
  },
  recordWithMembers: {
    schema: {
      type: "object",
      properties: { a: text },
      required: ["a"],
      additionalProperties: { type: "number" },
    },
    fits: [{ a: "x", b: 1 }],
    not: [{ b: 1 }, { a: "x", b: true }],
  },
  openObject: {
    schema: { type: "object", properties: { a: text }, additionalProperties: true },
    fits: [{ a: "x", b: true }],
    not: [{ a: 1 }],
  },
  namedRecord: {
    schema: {
      type: "object",
      propertyNames: { enum: ["a", "b"] },
      additionalProperties: { type: "number" },
      required: ["a"],
    },
    fits: [{ a: 1 }, { a: 1, b: 2 }],
    not: [{ b: 1 }, { a: 1, c: 1 }],
  },
  anyOf: { schema: { anyOf: [text, { type: "number" }] }, fits: ["a", 1], not: [true] },
  oneOf: {
    schema: {
      oneOf: [
        { type: "object", properties: { type: { const: "a" } }, required: ["type"] },
        {
          type: "object",
          properties: { type: { const: "b" }, n: { type: "number" } },
          required: ["type", "n"],
        },
      ],
    },
    fits: [{ type: "a" }, { type: "b", n: 1 }],
    not: [{ type: "b" }, { type: "c" }],
  },
  allOf: {
    schema: {
      allOf: [
        { type: "object", properties: { a: text }, required: ["a"] },
        { type: "object", properties: { b: text }, required: ["b"] },
      ],
    },
    fits: [{ a: "x", b: "y" }],
    not: [{ a: "x" }, { b: "y" }],
  },
  beside: {
    schema: {
      type: "object",
      properties: { a: text },
      required: ["a"],
      anyOf: [
        { properties: { b: text }, required: ["b"] },
        { properties: { c: text }, required: ["c"] },
      ],
    },
    fits: [
      { a: "x", b: "y" },
      { a: "x", c: "y" },
    ],
    not: [{ a: "x" }],
  },
  listOfUnion: {
    schema: { type: "array", items: { anyOf: [text, { type: "null" }] } },
    fits: [["a", null]],
    not: [[1]],
  },
  reference: {
    schema: {
      type: "object",
      properties: { a: { $ref: "#/$defs/Name" } },
      required: ["a"],
      $defs: { Name: text },
    },
    fits: [{ a: "x" }],
    not: [{ a: 1 }],
  },
  escaped: {
    schema: { $ref: "#/$defs/a~1b%20c", $defs: { "a/b c": { type: "number" } } },
    fits: [1],
    not: ["a"],
  },
  recursive: {
    schema: { $ref: "#/$defs/Node", $defs: { Node: node } },
    fits: [{ value: "a", children: [{ value: "b", children: [] }] }],
    not: [{ value: "a", children: [{ value: 1, children: [] }] }],
  },
  ownRecursion: {
    schema: { type: "object", properties: { next: { $ref: "#" } } },
    fits: [{}, { next: { next: {} } }],
    not: [{ next: 1 }, { next: { next: 1 } }],
  },
  place: {
    schema: { type: "object", properties: { a: { enum: ["x"] }, b: { $ref: "#/properties/a" } } },
    fits: [{ b: "x" }],
    not: [{ b: "y" }],
  },
  sameNames: {
    schema: {
      type: "object",
      properties: { a: { $ref: "#/$defs/T" }, b: { $ref: "#/definitions/T" } },
      $defs: { T: text },
      definitions: { T: { type: "number" } },
    },
    fits: [{ a: "x", b: 1 }],
    not: [{ a: 1 }, { b: "x" }],
  },
  never: {
    schema: { type: "object", properties: { a: false } },
    fits: [{}],
    not: [{ a: 1 }],
  },
  anything: { schema: {}, fits: ["a", 1, null, [], {}], not: [] },
  onlyLimits: { schema: { minLength: 3, if: text, not: text }, fits: [1], not: [] },
};

describe("a printed type", () => {
  test("takes what its schema takes, and refuses what that refuses", () => {
    const lines: string[] = [];
    const wrong: number[] = [];
    for (const [name, { schema, fits, not }] of Object.entries(cases)) {
      lines.push(...new SchemaPrinter(schema, `T_${name}`, "input").declarations().split("\n"));
      for (const value of fits) lines.push(`take<T_${name}>(${JSON.stringify(value)});`);
      for (const value of not) wrong.push(lines.push(`take<T_${name}>(${JSON.stringify(value)});`));
    }
    lines.push("declare function take<Type>(value: Type): void;", "export {};");
    expect(complaints(lines.join("\n"))).toStrictEqual(wrong);
    expect(wrong.length).toBeGreaterThan(50);
  });

  test("of an output has a default filled in, and no undefined", () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string", default: "x" }, b: text },
      required: ["a"],
    };
    expect(new SchemaPrinter(schema, "T", "output").declarations()).toBe(
      "type T = {\nreadonly a: string;\nreadonly b?: string;\n};\n",
    );
  });

  test("says what the schema says, and cannot be ended by it", () => {
    const schema = {
      description: "Ends */ here\nor there",
      properties: { a: { description: "`x`", type: "string" } },
    };
    const printed = new SchemaPrinter(schema, "T", "input").declarations();
    expect(printed).toContain("/**\n * Ends *\\/ here\n * or there\n */\ntype T = {");
    expect(printed).toContain("/** `x` */\nreadonly a?: string | undefined;");
    expect(complaints(`${printed}\nexport const value: T = {};`)).toStrictEqual([]);
  });

  test.each(["https://example.com/schema", "#anchor", "#/$defs/Missing"])(
    "cannot be made of $ref %s",
    ($ref) => {
      expect(() => new SchemaPrinter({ $ref }, "T", "input").declarations()).toThrow(/\$ref/);
    },
  );
});

describe("the generated files", () => {
  test("are the same whatever the order of the tools", () => {
    const shuffled = buildManifest(fixtureTools.toReversed());
    expect(generateSdk(shuffled)).toStrictEqual(generateSdk(buildManifest(fixtureTools)));
  });

  test("hold facts, methods and lists", () => {
    const { table, types } = generateSdk(buildManifest(fixtureTools));
    expect(table).toContain(
      'method: "notes.list",\n    route: { tool: "notes.list", method: "GET", path: "/api/notes", params: [] },',
    );
    expect(types).toContain(
      'readonly list: (\n      input?: NotesListInput,\n      options?: CallOptions,\n    ) => Listing<NotesListOutput, NotesListOutput["items"][number]>;',
    );
    expect(types).toContain(
      "readonly get: (input: ManifestGetInput | string, options?: CallOptions) => Answering<ContractTool>;",
    );
    expect(types).toContain(
      "readonly write: (input: NotesWriteInput, options?: CallOptions) => Answering<NotesWriteOutput>;",
    );
  });

  test("are not made of a manifest in which a tool has a route and no method", () => {
    const { sdk: _, ...methodless } = fixtureTools[3] ?? {};
    expect(() => generateSdk(buildManifest([methodless as never]))).toThrow(
      "markets.read has a route and no sdk.method",
    );
    expect(fixtureManifest.tools.length).toBeGreaterThan(0);
  });
});

/** The lines (from 1) that the compiler complains about. */
function complaints(source: string): number[] {
  writeFileSync(join(folder, "types.ts"), source);
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({
      extends: join(root, "tsconfig.base.json"),
      compilerOptions: { noEmit: true, types: [], noUnusedLocals: false },
      files: ["types.ts"],
    }),
  );
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  try {
    execFileSync(process.execPath, [tsc, "-p", join(folder, "tsconfig.json"), "--pretty", "false"], {
      encoding: "utf8",
      stdio: "pipe",
    });
    return [];
  } catch (error) {
    const { stdout } = error as { stdout: string };
    const lines = [...stdout.matchAll(/^types\.ts\((\d+),\d+\): error |^\S*\/types\.ts\((\d+),/gm)].map(
      ([, a, b]) => Number(a ?? b),
    );
    if (lines.length === 0) throw new Error(stdout, { cause: error });
    return [...new Set(lines)];
  }
}
