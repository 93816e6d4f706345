import { type JsonObject, toolRouteOf, type ToolRoute } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { sentInput } from "./tool-input.ts";

type Method = ToolRoute["method"];

function sent(method: Method, path: string, input: JsonObject) {
  const route = toolRouteOf({ name: "notes.find", http: { method, path } }) as ToolRoute;
  return sentInput(route, input, { component: "notes_find_input", names: route.params });
}

const json = (schema: JsonObject) => ({ content: { "application/json": { schema } } });

const home = "#/components/schemas/notes_find_input";
const at = (pointer: string) => ({ $ref: `${home}${pointer}` });

describe("an input that travels in the query", () => {
  test("is one parameter a member, as each can be written", () => {
    const input = {
      type: "object",
      properties: {
        id: { type: "string", description: "Which note." },
        text: { type: "string", minLength: 1 },
        count: { type: "integer", default: 10 },
        isOpen: { type: "boolean" },
        kind: { enum: ["a", "b"] },
        tags: { type: "array", items: { type: "string" } },
        places: { type: "array", items: { type: "object" } },
        pair: { type: "array", prefixItems: [{ type: "string" }], items: { type: "string" } },
        mixed: { type: "array", items: { type: ["string", "number"] } },
        filter: { type: "object", additionalProperties: { type: "string" } },
        limit: { anyOf: [{ type: "number" }, { type: "null" }] },
        word: { $ref: "#/$defs/word" },
        range: { $ref: "#/$defs/range" },
      },
      required: ["id", "text", "range"],
      additionalProperties: false,
      $defs: { word: { type: "string" }, range: { type: "object", description: "From and to." } },
    };
    const { properties } = input;
    expect(sent("GET", "/api/notes/{id}", input)).toStrictEqual({
      parameters: [
        { name: "id", in: "path", required: true, description: "Which note.", schema: properties.id },
        { name: "text", in: "query", required: true, schema: properties.text },
        { name: "count", in: "query", required: false, schema: properties.count },
        { name: "isOpen", in: "query", required: false, schema: properties.isOpen },
        { name: "kind", in: "query", required: false, schema: properties.kind },
        { name: "tags", in: "query", required: false, style: "form", explode: true, schema: properties.tags },
        { name: "places", in: "query", required: false, ...json(properties.places) },
        { name: "pair", in: "query", required: false, style: "form", explode: true, schema: properties.pair },
        { name: "mixed", in: "query", required: false, ...json(properties.mixed) },
        { name: "filter", in: "query", required: false, ...json(properties.filter) },
        { name: "limit", in: "query", required: false, ...json(properties.limit) },
        { name: "word", in: "query", required: false, schema: at("/$defs/word") },
        { name: "range", in: "query", required: true, ...json(at("/$defs/range")) },
      ],
      schemas: {
        notes_find_input: {
          ...input,
          properties: { ...properties, word: at("/$defs/word"), range: at("/$defs/range") },
        },
      },
    });
  });

  test("has the members that its parts declare, and needs only what every input needs", () => {
    const input = {
      $ref: "#/$defs/base",
      allOf: [{ properties: { b: { type: "string" } }, required: ["b"] }],
      oneOf: [
        { properties: { c: { const: "x" } }, required: ["c"] },
        { properties: { c: { const: "y" } }, required: ["c"] },
      ],
      $defs: { base: { properties: { a: { type: "string" } }, required: ["a"], allOf: [{ $ref: "#" }] } },
    };
    expect(sent("DELETE", "/api/notes", input).parameters).toStrictEqual([
      { name: "a", in: "query", required: true, schema: { type: "string" } },
      { name: "b", in: "query", required: true, schema: { type: "string" } },
      { name: "c", in: "query", required: false, schema: { anyOf: [{ const: "x" }, { const: "y" }] } },
    ]);
  });
});

describe("an input that travels in the body", () => {
  const text = { type: "string" };

  test("is the body, where nothing of it stands in the path", () => {
    const input = { type: "object", properties: { text }, required: ["text"] };
    expect(sent("POST", "/api/notes", input)).toStrictEqual({
      parameters: [],
      requestBody: { required: true, content: { "application/json": { schema: { $ref: home } } } },
      schemas: { notes_find_input: input },
    });
  });

  test("may be left out, where nothing of it is needed", () => {
    const { requestBody } = sent("POST", "/api/notes", { type: "object", properties: { text } });
    expect(requestBody).toMatchObject({ required: false });
  });

  test("is the rest, where some of it stands in the path", () => {
    const input = {
      type: "object",
      properties: { id: text, text },
      required: ["id", "text"],
      additionalProperties: false,
      minProperties: 2,
    };
    expect(sent("PUT", "/api/notes/{id}", input)).toStrictEqual({
      parameters: [{ name: "id", in: "path", required: true, schema: text }],
      requestBody: { required: true, content: { "application/json": { schema: { $ref: `${home}_body` } } } },
      schemas: {
        notes_find_input: input,
        notes_find_input_body: {
          type: "object",
          properties: { text },
          required: ["text"],
          additionalProperties: false,
        },
      },
    });
  });

  test("is the rest also of its parts, and promises nothing that held only for the whole", () => {
    const input = {
      $ref: "#/$defs/base",
      ...(JSON.parse(
        '{"if":{"properties":{"id":{"const":"a"}}},"then":{"required":["text"]}}',
      ) as JsonObject),
      oneOf: [
        { properties: { id: { const: "a" } }, required: ["id"] },
        { properties: { id: { const: "b" } }, required: ["id"] },
      ],
      $defs: { base: { properties: { id: text, text }, allOf: [{ $ref: "#" }, { required: ["id"] }] } },
    };
    const { requestBody, schemas } = sent("PATCH", "/api/notes/{id}", input);
    expect(requestBody).toMatchObject({ required: false });
    expect(schemas["notes_find_input_body"]).toStrictEqual({
      $defs: { base: { ...input.$defs.base, allOf: [at(""), { required: ["id"] }] } },
      allOf: [
        { properties: { text }, allOf: [{ allOf: [true] }, {}] },
        { anyOf: [{ properties: {} }, { properties: {} }] },
      ],
    });
  });

  test("is empty, where all of it stands in the path", () => {
    const input = { type: "object", properties: { id: text }, required: ["id"], additionalProperties: false };
    const { requestBody, schemas } = sent("POST", "/api/notes/{id}/close", input);
    expect(requestBody).toMatchObject({ required: false });
    expect(schemas["notes_find_input_body"]).toStrictEqual({
      type: "object",
      properties: {},
      additionalProperties: false,
    });
  });
});
