import { toJsonPointer } from "../json/json-pointer.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";

/** The keyword by which a schema says that a value is an opaque handle and no secret. */
const publicKeyword = "x-sf-public";

/** Where a JSON Schema declares public handles, as pointers for {@link RedactValueOptions.publicPaths}. */
export function publicPathsOf(schema: JsonObject): string[] {
  const paths: string[] = [];
  walk(schema, schema, [], new Set(), paths);
  return [...new Set(paths)];
}

function walk(
  root: JsonObject,
  schema: JsonValue | undefined,
  path: readonly string[],
  seen: ReadonlySet<object>,
  paths: string[],
): void {
  if (!isObject(schema) || seen.has(schema)) return;
  const inside = new Set([...seen, schema]);
  const go = (child: JsonValue | undefined, ...segments: string[]) =>
    walk(root, child, [...path, ...segments], inside, paths);
  if (schema[publicKeyword] === true) paths.push(toJsonPointer(path));
  go(definition(root, schema["$ref"]));
  for (const keyword of ["allOf", "anyOf", "oneOf"]) for (const child of list(schema[keyword])) go(child);
  for (const keyword of ["if", "then", "else"]) go(schema[keyword]);
  if (isObject(schema["properties"])) {
    for (const [key, child] of Object.entries(schema["properties"])) go(child, key);
  }
  if (isObject(schema["patternProperties"])) {
    for (const child of Object.values(schema["patternProperties"])) go(child, "*");
  }
  for (const keyword of ["additionalProperties", "items"]) go(schema[keyword], "*");
  for (const [index, child] of list(schema["prefixItems"]).entries()) go(child, String(index));
}

function definition(root: JsonObject, ref: JsonValue | undefined): JsonValue | undefined {
  const name = typeof ref === "string" ? /^#\/\$defs\/([^/]+)$/.exec(ref)?.[1] : undefined;
  const definitions = root["$defs"];
  return name !== undefined && isObject(definitions) && Object.hasOwn(definitions, name)
    ? definitions[name]
    : undefined;
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
