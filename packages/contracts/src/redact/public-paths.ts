import { readJsonPointer, toJsonPointer } from "../json/json-pointer.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";

/**
 * Where a JSON Schema declares opaque handles that are no secrets, as pointers for {@link RedactValueOptions.publicPaths}. In
 * one that contains itself, as far as it is written.
 */
export function publicPathsOf(schema: JsonObject): string[] {
  return unique(searchMarks(schema, "x-sf-public").paths);
}

/**
 * Where a JSON Schema declares what is always hidden, as pointers for {@link RedactValueOptions.secretPaths}. In one that
 * contains itself, at any depth: `**` stands for any number of segments. In one too large to be looked through, everywhere.
 */
export function secretPathsOf(schema: JsonObject): string[] {
  const { paths, loops, steps } = searchMarks(schema, "x-sf-secret");
  if (steps > maxSteps) return [""];
  const deep = paths.flatMap((path) =>
    loops
      .filter((base) => base.every((segment, index) => segment === path[index]))
      .map((base) => [...base, "**", ...path.slice(base.length)]),
  );
  return unique([...paths, ...deep]);
}

type Search = {
  readonly root: JsonObject;
  readonly keyword: string;
  readonly paths: (readonly string[])[];
  /** Where schemas that contain themselves begin. */
  readonly loops: (readonly string[])[];
  steps: number;
};

/** Schemas that refer to each other many times over are looked through this far. */
const maxSteps = 100_000;

function searchMarks(root: JsonObject, keyword: string): Search {
  const search: Search = { root, keyword, paths: [], loops: [], steps: 0 };
  walk(search, root, [], new Map());
  return search;
}

function unique(paths: readonly (readonly string[])[]): string[] {
  return [...new Set(paths.map((path) => toJsonPointer(path)))];
}

function walk(
  search: Search,
  schema: JsonValue | undefined,
  path: readonly string[],
  open: ReadonlyMap<object, readonly string[]>,
): void {
  if (!isObject(schema) || ++search.steps > maxSteps) return;
  const base = open.get(schema);
  if (base !== undefined) {
    if (base.length < path.length) search.loops.push(base);
    return;
  }
  const inside = new Map([...open, [schema, path]]);
  const go = (child: JsonValue | undefined, ...segments: string[]) =>
    walk(search, child, [...path, ...segments], inside);
  if (schema[search.keyword] === true) search.paths.push(path);
  go(definition(search.root, schema["$ref"]));
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

/** By own properties alone. */
function definition(root: JsonObject, ref: JsonValue | undefined): JsonValue | undefined {
  return typeof ref === "string" && ref.startsWith("#") ? readJsonPointer(root, ref.slice(1)) : undefined;
}

function list(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
