import { toJsonPointer } from "../json/json-pointer.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { inPlaceSchemas } from "../schema/in-place-schemas.ts";
import { listIn, membersIn } from "../schema/keyword-values.ts";
import { awayKeyword } from "../schema/local-target.ts";
import { everySubschema } from "../schema/subschemas.ts";

/**
 * Where a JSON Schema declares opaque handles that are no secrets, as pointers for {@link RedactValueOptions.publicPaths}. In
 * one that contains itself, as far as it is written.
 */
export function publicPathsOf(schema: JsonObject): string[] {
  return unique(searchMarks(schema, "x-sf-public").paths);
}

/**
 * Where a JSON Schema declares what is always hidden, as pointers for {@link RedactValueOptions.secretPaths}. In one that
 * contains itself, at any depth: `**` stands for any number of segments. In one too large to be looked through, or whose
 * marks may stand behind a reference by name, everywhere.
 */
export function secretPathsOf(schema: JsonObject): string[] {
  const { paths, loops, steps, isLost } = searchMarks(schema, "x-sf-secret");
  if (steps > maxSteps || (isLost && hasMark(schema, "x-sf-secret"))) return [""];
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
  /** Whether a reference leads where this search cannot follow: by an id or an anchor. */
  isLost: boolean;
};

/** Schemas that refer to each other many times over are looked through this far. */
const maxSteps = 100_000;

function searchMarks(root: JsonObject, keyword: string): Search {
  const search: Search = { root, keyword, paths: [], loops: [], steps: 0, isLost: false };
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
  if (!isJsonObject(schema) || ++search.steps > maxSteps) return;
  const base = open.get(schema);
  if (base !== undefined) {
    if (base.length < path.length) search.loops.push(base);
    return;
  }
  const inside = new Map([...open, [schema, path]]);
  const go = (child: JsonValue | undefined, ...segments: string[]) =>
    walk(search, child, [...path, ...segments], inside);
  if (schema[search.keyword] === true) search.paths.push(path);
  search.isLost ||= awayKeyword(search.root, schema) !== undefined;
  const { always, sometimes } = inPlaceSchemas(search.root, schema);
  for (const child of [...always, ...sometimes]) go(child);
  for (const [key, child] of membersIn(schema, "properties")) go(child, key);
  for (const [, child] of membersIn(schema, "patternProperties")) go(child, "*");
  for (const [index, child] of listIn(schema, "prefixItems").entries()) go(child, String(index));
  for (const keyword of anyMember) go(schema[keyword], "*");
}

/** What is said of members and items without naming them. */
const anyMember = [
  "additionalProperties",
  "unevaluatedProperties",
  "items",
  "unevaluatedItems",
  "contains",
] as const;

function hasMark(root: JsonObject, keyword: string): boolean {
  let isMarked = false;
  everySubschema(root, (schema) => {
    isMarked ||= schema[keyword] === true;
  });
  return isMarked;
}
