import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";

/** What a schema lists under a keyword like `allOf`; nothing where there is no list. */
export function listIn(schema: JsonObject, keyword: string): readonly JsonValue[] {
  const list = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
  return Array.isArray(list) ? list : [];
}

/** What a schema has by name under a keyword like `properties`; nothing where it has no names there. */
export function membersIn(schema: JsonObject, keyword: string): [name: string, value: JsonValue][] {
  const members = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
  return isJsonObject(members) ? Object.entries(members) : [];
}
