// Where schemas stand inside a JSON Schema 2020-12. Everything else in it is data, whatever it looks like.
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";

const single = new Set([
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "items",
  "contains",
  "unevaluatedItems",
  "not",
  "if",
  "then",
  "else",
  "contentSchema",
]);
const lists = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
/** Validators still read `dependencies`, where a member may also be a list of names. */
const maps = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
]);

/** The way from a schema to one directly inside it. */
export type SubschemaWay = readonly [keyword: string, ...name: string[]];

/** Applies a change to each schema directly inside a schema; everything else in it stays. */
export function mapSubschemas(
  schema: JsonObject,
  change: (child: JsonValue, way: SubschemaWay) => JsonValue,
): JsonObject {
  return mapMembers(schema, (value, keyword) => {
    if (single.has(keyword)) return change(value, [keyword]);
    if (lists.has(keyword) && Array.isArray(value)) {
      return value.map((child: JsonValue, index) => change(child, [keyword, String(index)]));
    }
    if (!maps.has(keyword) || !isJsonObject(value)) return value;
    return mapMembers(value, (child, name) => change(child, [keyword, name]));
  });
}

/** Every schema inside a schema, itself first, at any depth. */
export function everySubschema(schema: JsonValue, seen: (schema: JsonObject) => void): void {
  if (!isJsonObject(schema)) return;
  seen(schema);
  mapSubschemas(schema, (child) => {
    everySubschema(child, seen);
    return child;
  });
}

function mapMembers(object: JsonObject, change: (value: JsonValue, key: string) => JsonValue): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
