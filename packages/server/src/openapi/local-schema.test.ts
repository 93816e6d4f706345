import { type JsonObject, localTarget } from "@spfunctions/contracts";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { localSchema, refTo } from "./local-schema.ts";

const home = "#/components/schemas/notes_input";
const at = (pointer: string) => ({ $ref: `${home}${pointer}` });

/** A document that this schema is a part of. */
function documentWith(schema: JsonObject) {
  return {
    $id: "https://document.invalid/",
    components: { schemas: { notes_input: localSchema(schema, home) } },
  };
}

/** Whether a value fits the schema, read on its own and as part of a document. */
function fits(schema: JsonObject, value: unknown): readonly [alone: boolean, inside: boolean] {
  const inside = new Ajv2020({ strict: false }).addSchema(documentWith(schema));
  return [
    new Ajv2020({ strict: false }).validate(schema, value),
    inside.validate({ $ref: `https://document.invalid/${home}` }, value),
  ];
}

describe("a tool's schema inside a document", () => {
  test("refers to its parts from the document's root", () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { a: { $ref: "#/$defs/part" }, all: { type: "array", items: { $ref: "#" } } },
      $defs: { part: { type: "string", description: "A part." } },
    };
    expect(localSchema(schema, home)).toStrictEqual({
      type: "object",
      properties: { a: at("/$defs/part"), all: { type: "array", items: at("") } },
      $defs: { part: { type: "string", description: "A part." } },
    });
  });

  test("keeps as data what only looks like a reference", () => {
    const schema = {
      type: "object",
      properties: { $ref: { type: "string" }, $id: { const: { $ref: "#/$defs/x" } } },
      default: { $ref: "#/nowhere" },
      enum: [{ $id: "x", $anchor: "y" }],
      "x-sf-public": { $ref: "#" },
    };
    expect(localSchema(schema, home)).toStrictEqual(schema);
  });

  test("finds parts by anchor and by id, and needs neither any more", () => {
    const schema = {
      $id: "https://tools.example/notes",
      properties: {
        a: { $ref: "#word" },
        b: { $ref: "https://tools.example/notes#/$defs/w" },
        c: { $ref: "list" },
        d: { $ref: "list#/$defs/one" },
        e: { $ref: "list#item" },
        f: { $ref: "urn:example:far" },
      },
      $defs: {
        w: { $anchor: "word", type: "string" },
        l: {
          $id: "list",
          type: "array",
          items: { $ref: "#/$defs/one" },
          $defs: { one: { $anchor: "item", type: "integer" } },
        },
        far: { $id: "urn:example:far", const: 1 },
      },
    };
    expect(localSchema(schema, home)).toStrictEqual({
      properties: {
        a: at("/$defs/w"),
        b: at("/$defs/w"),
        c: at("/$defs/l"),
        d: at("/$defs/l/$defs/one"),
        e: at("/$defs/l/$defs/one"),
        f: at("/$defs/far"),
      },
      $defs: {
        w: { type: "string" },
        l: { type: "array", items: at("/$defs/l/$defs/one"), $defs: { one: { type: "integer" } } },
        far: { const: 1 },
      },
    });
  });

  test("reads a reference from the id beside it, and a dynamic one as it stands", () => {
    const schema = {
      $dynamicAnchor: "node",
      properties: {
        a: { $id: "part", $ref: "#/$defs/one", $defs: { one: true } },
        b: { $dynamicRef: "#node" },
      },
      $defs: { one: false },
    };
    expect(localSchema(schema, home)).toStrictEqual({
      properties: { a: { ...at("/properties/a/$defs/one"), $defs: { one: true } }, b: at("") },
      $defs: { one: false },
    });
  });

  test("says nothing where its reference leads out of it", () => {
    const schema = { properties: { a: { $ref: "https://elsewhere.example/x", description: "Far." } } };
    expect(localSchema(schema, home)).toStrictEqual({ properties: { a: { description: "Far." } } });
  });

  test.each(["a/b", "a~b", "a b", "100%", "ü", "#", "?", "a%20b", '"', "[0]"])(
    "refers to a part called %j, so that it is found",
    (name) => {
      const pointer = name.replaceAll("~", "~0").replaceAll("/", "~1");
      const schema = {
        properties: { x: { $ref: `#/$defs/${encodeURIComponent(pointer)}` } },
        $defs: { [name]: { const: 7 } },
      };
      const local = localSchema(schema, home);
      const { $ref } = (local["properties"] as { x: { $ref: string } }).x;
      expect($ref).toBe(refTo(home, ["$defs", name]));
      expect(localTarget(documentWith(schema), $ref)).toStrictEqual({ const: 7 });
      expect(URL.canParse(`https://document.invalid/${$ref}`)).toBe(true);
      expect([fits(schema, { x: 7 }), fits(schema, { x: 8 })]).toStrictEqual([
        [true, true],
        [false, false],
      ]);
    },
  );

  test("means the same as before", () => {
    const tree = {
      $ref: "#/$defs/node",
      $defs: {
        node: {
          type: "object",
          properties: {
            name: { $ref: "#name" },
            children: { type: "array", items: { $ref: "#/$defs/node" } },
          },
          required: ["name"],
          additionalProperties: false,
        },
        name: { $anchor: "name", type: "string", minLength: 1 },
      },
    };
    const values = [
      { name: "a", children: [{ name: "b", children: [] }] },
      { name: "a", children: [{ name: "" }] },
      { name: "a", children: [{ name: "b", children: [{ other: 1 }] }] },
      {},
    ];
    expect(values.map((value) => fits(tree, value))).toStrictEqual([
      [true, true],
      [false, false],
      [false, false],
      [false, false],
    ]);
  });
});
