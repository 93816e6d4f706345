import type { JsonObject, JsonValue } from "@spfunctions/contracts";

const single = new Set(
  "additionalProperties unevaluatedProperties propertyNames items contains unevaluatedItems not if then else contentSchema".split(
    " ",
  ),
);
const lists = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const maps = new Set(
  "properties patternProperties $defs definitions dependentSchemas dependencies".split(" "),
);

/** Applies a change to each schema directly inside a schema; everything else in it is data and stays. */
export function mapSubschemas(
  schema: JsonObject,
  change: (child: JsonValue, keyword: string) => JsonValue,
): JsonObject {
  const entries = Object.entries(schema).map(([keyword, value]): [string, JsonValue] => {
    if (single.has(keyword)) return [keyword, change(value, keyword)];
    if (lists.has(keyword) && Array.isArray(value)) {
      return [keyword, value.map((child: JsonValue) => change(child, keyword))];
    }
    if (maps.has(keyword) && isSchemaObject(value)) {
      return [
        keyword,
        fromEntries(Object.entries(value).map(([name, child]) => [name, change(child, keyword)])),
      ];
    }
    return [keyword, value];
  });
  return fromEntries(entries);
}

/** Every schema inside a schema, itself first, at any depth. */
export function everySubschema(schema: JsonValue, seen: (schema: JsonObject) => void): void {
  if (!isSchemaObject(schema)) return;
  seen(schema);
  mapSubschemas(schema, (child) => {
    everySubschema(child, seen);
    return child;
  });
}

export function isSchemaObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `__proto__` is a key like any other. */
function fromEntries(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  return Object.fromEntries(entries);
}
