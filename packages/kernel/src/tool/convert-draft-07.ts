// A schema that is marked draft-07, as the SDKs of MCP and zod-to-json-schema write it, becomes one of 2020-12 where a tool is defined. A
// contract holds 2020-12 alone. What would mean something else afterwards is refused, with its place (G1).
import {
  fragmentPointer,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  keyForMessage,
  pathForMessage,
  splitJsonPointer,
  toJsonPointer,
} from "@spfunctions/contracts";

/** What stands in a schema of draft-07 and means something else in 2020-12, or nothing. */
export class NotConvertibleError extends Error {
  readonly place: string;

  constructor(path: readonly string[], why: string) {
    const place = pathForMessage(path);
    super(`draft-07: ${place}: ${why}`);
    this.place = place;
  }
}

const mark = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;

const isMark = (value: JsonValue | undefined) => typeof value === "string" && mark.test(value);

/** Returns a schema marked draft-07 as 2020-12, without the mark, and any other as it is. Throws a {@link NotConvertibleError}. */
export function convertDraft07(schema: JsonObject): JsonObject {
  // The schema of draft-07 itself is one that describes itself, and is taken as it stands.
  if (!isMark(schema["$schema"]) || isMark(schema["$id"])) return schema;
  const resources = new Map<string, JsonObject>();
  collectResources(schema, resources);
  return convertSchema(schema, { path: [], resource: schema, resources }) as JsonObject;
}

type Position = {
  readonly path: readonly string[];
  /** The nearest schema around that has an id: pointers start there. */
  readonly resource: JsonObject;
  readonly resources: ReadonlyMap<string, JsonObject>;
};

/** Where schemas stand in a schema of draft-07. */
const places: ReadonlyMap<string, "schema" | "list" | "members"> = new Map([
  ...[
    "additionalItems",
    "additionalProperties",
    "propertyNames",
    "contains",
    "not",
    "if",
    "then",
    "else",
  ].map((keyword) => [keyword, "schema"] as const),
  ...["allOf", "anyOf", "oneOf"].map((keyword) => [keyword, "list"] as const),
  ...["properties", "patternProperties", "definitions", "$defs", "dependencies"].map(
    (keyword) => [keyword, "members"] as const,
  ),
]);

function placeOf(keyword: string, value: JsonValue): "schema" | "list" | "members" | undefined {
  if (keyword === "items") return Array.isArray(value) ? "list" : "schema";
  return places.get(keyword);
}

/** The schemas directly inside one, each with the way to it. */
function* schemasIn(schema: JsonObject): Generator<readonly [way: readonly string[], child: JsonValue]> {
  for (const [keyword, value] of Object.entries(schema)) {
    const place = placeOf(keyword, value);
    if (place === "schema") yield [[keyword], value];
    else if (place !== undefined && typeof value === "object" && value !== null)
      for (const [key, child] of Object.entries(value as JsonObject)) yield [[keyword, key], child];
  }
}

function collectResources(schema: JsonValue, found: Map<string, JsonObject>): void {
  if (!isJsonObject(schema)) return;
  const { $id } = schema;
  if (typeof $id === "string" && !$id.startsWith("#")) found.set($id.replace(/#$/, ""), schema);
  for (const [, child] of schemasIn(schema)) collectResources(child, found);
}

/** Words that draft-07 does not read and 2020-12 does. */
const laterWords = new Set([
  "$anchor",
  "$dynamicAnchor",
  "$dynamicRef",
  "$vocabulary",
  "contentSchema",
  "dependentRequired",
  "dependentSchemas",
  "maxContains",
  "minContains",
  "prefixItems",
  "unevaluatedItems",
  "unevaluatedProperties",
]);

/** What may stand beside `$ref`, where draft-07 reads nothing else: it says nothing about the value. */
const besideRef = new Set([
  "$ref",
  "$schema",
  "$comment",
  "$defs",
  "definitions",
  "title",
  "description",
  "default",
  "deprecated",
  "examples",
  "readOnly",
  "writeOnly",
]);

function convertSchema(schema: JsonValue, around: Position): JsonValue {
  if (!isJsonObject(schema)) return schema;
  const isResource = typeof schema["$id"] === "string" && !schema["$id"].startsWith("#");
  const at = isResource ? { ...around, resource: schema } : around;
  for (const keyword of Object.keys(schema)) requireReadable(schema, keyword, at);
  const members = Object.entries(schema).flatMap(([keyword, value]) =>
    convertMember(schema, keyword, value, at),
  );
  return Object.fromEntries(members);
}

function requireReadable(schema: JsonObject, keyword: string, { path }: Position): void {
  const here = [...path, keyword];
  if (laterWords.has(keyword))
    throw new NotConvertibleError(
      here,
      "a word of 2020-12 that draft-07 does not read; mark the schema as 2020-12, or leave $schema out",
    );
  if (Object.hasOwn(schema, "$ref") && !besideRef.has(keyword) && !keyword.startsWith("x-"))
    throw new NotConvertibleError(
      here,
      "draft-07 reads nothing beside $ref; put the reference and this into an allOf",
    );
}

type Member = readonly [keyword: string, value: JsonValue];

/** What a member of a schema is in 2020-12: none, one, or two. */
function convertMember(
  schema: JsonObject,
  keyword: string,
  value: JsonValue,
  at: Position,
): readonly Member[] {
  const inside = (way: readonly string[], child: JsonValue) =>
    convertSchema(child, { ...at, path: [...at.path, ...way] });
  switch (keyword) {
    case "$schema":
      if (isMark(value)) return [];
      throw new NotConvertibleError([...at.path, keyword], "a part of another draft; convert it first");
    case "$id":
      if (typeof value !== "string" || !/#./.test(value)) break;
      throw new NotConvertibleError(
        [...at.path, keyword],
        "an id with a fragment; refer to it as #/definitions/…",
      );
    case "$ref":
      return [[keyword, convertReference(value, at)]];
    case "$defs":
      if (Object.hasOwn(schema, "definitions")) return [];
      break;
    case "definitions":
      return [["$defs", convertDefinitions(schema, at, inside)]];
    case "dependencies":
      return convertDependencies(value, at, inside);
    case "items":
      if (!Array.isArray(value)) break;
      return [
        ...(value.length === 0
          ? []
          : [["prefixItems", value.map((child, index) => inside([keyword, String(index)], child))] as const]),
        ...(schema["additionalItems"] === undefined
          ? []
          : [["items", inside(["additionalItems"], schema["additionalItems"])] as const]),
      ];
    // It counts beside a list of items alone, and has gone to its place with that.
    case "additionalItems":
      return [];
  }
  return [[keyword, convertInside(keyword, value, inside)]];
}

type Inside = (way: readonly string[], child: JsonValue) => JsonValue;

function convertInside(keyword: string, value: JsonValue, inside: Inside): JsonValue {
  const place = placeOf(keyword, value);
  if (place === "schema") return inside([keyword], value);
  if (place === "list" && Array.isArray(value))
    return value.map((child: JsonValue, index) => inside([keyword, String(index)], child));
  if (place !== "members" || !isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, child]) => [name, inside([keyword, name], child)]),
  );
}

function convertDefinitions(schema: JsonObject, { path }: Position, inside: Inside): JsonValue {
  const { definitions, $defs } = schema;
  const converted = convertInside("definitions", definitions ?? {}, inside);
  if ($defs === undefined || !isJsonObject($defs) || !isJsonObject(converted)) return converted;
  const twice = Object.keys($defs).find((name) => Object.hasOwn(converted, name));
  if (twice !== undefined)
    throw new NotConvertibleError(
      [...path, "definitions", twice],
      "stands in $defs, too; give one another name",
    );
  return { ...converted, ...(convertInside("$defs", $defs, inside) as JsonObject) };
}

function convertDependencies(value: JsonValue, { path }: Position, inside: Inside): readonly Member[] {
  if (!isJsonObject(value)) throw new NotConvertibleError([...path, "dependencies"], "an object is expected");
  const all = Object.entries(value);
  const required = all.filter(([, needed]) => Array.isArray(needed));
  const schemas = all
    .filter(([, child]) => !Array.isArray(child))
    .map(([name, child]): Member => [name, inside(["dependencies", name], child)]);
  return [
    ...(required.length === 0 ? [] : [["dependentRequired", Object.fromEntries(required)] as const]),
    ...(schemas.length === 0 ? [] : [["dependentSchemas", Object.fromEntries(schemas)] as const]),
  ];
}

/** A pointer leads through words that have other names now. */
function convertReference(ref: JsonValue, { path, resource, resources }: Position): JsonValue {
  if (typeof ref !== "string" || !ref.includes("#")) return ref;
  const [document = "", fragment = ""] = ref.split("#", 2);
  const pointer = fragmentPointer(fragment);
  if (pointer === undefined || pointer === "") return ref;
  const start = document === "" ? resource : resources.get(document);
  const fail = (why: string) => new NotConvertibleError([...path, "$ref"], `${keyForMessage(ref)} ${why}`);
  if (start === undefined) throw fail("leads into another document; write it as #/definitions/…");
  const way = splitJsonPointer(pointer);
  const led = leadTo(start, way);
  // There is nothing; the validator says so.
  if (led === "nowhere") return ref;
  if (led === "no schema")
    throw fail("leads to a place where draft-07 has no schema; move it to definitions");
  const converted = toJsonPointer(led);
  return converted === pointer ? ref : `${document}#${encodeURI(converted).replaceAll("#", "%23")}`;
}

/** The way to a schema as it is in 2020-12. */
function leadTo(start: JsonObject, way: readonly string[]): readonly string[] | "nowhere" | "no schema" {
  const led: string[] = [];
  let node: JsonValue = start;
  for (let index = 0; index < way.length; ) {
    if (!isJsonObject(node)) return "nowhere";
    const schema: JsonObject = node;
    const [keyword = "", key] = way.slice(index);
    if (!Object.hasOwn(schema, keyword)) return "nowhere";
    const value: JsonValue = schema[keyword] as JsonValue;
    const place = placeOf(keyword, value);
    const isIgnored = keyword === "additionalItems" && !Array.isArray(schema["items"]);
    if (place === undefined || isIgnored) return "no schema";
    led.push(wordFor(keyword, value));
    index += 1;
    node = value;
    if (place === "schema") continue;
    if (key === undefined) return "no schema";
    const children = (typeof value === "object" && value !== null ? value : {}) as JsonObject;
    if (!Object.hasOwn(children, key)) return "nowhere";
    node = children[key] as JsonValue;
    if (keyword === "dependencies" && Array.isArray(node)) return "no schema";
    led.push(key);
    index += 1;
  }
  return led;
}

function wordFor(keyword: string, value: JsonValue): string {
  if (keyword === "definitions") return "$defs";
  if (keyword === "additionalItems") return "items";
  if (keyword === "dependencies") return "dependentSchemas";
  return keyword === "items" && Array.isArray(value) ? "prefixItems" : keyword;
}
