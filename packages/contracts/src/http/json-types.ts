// What a JSON Schema lets a value be, as a set of JSON's types. Always an upper bound: what cannot be told ahead
// (a reference out of the document, a schema within itself) may be anything.
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { listIn } from "../schema/keyword-values.ts";
import { isForeign, localTarget } from "../schema/local-target.ts";

/** A set of JSON types, one bit each. */
export type JsonTypes = number;

const bits: ReadonlyMap<string, JsonTypes> = new Map([
  ["string", 1],
  ["number", 2],
  ["integer", 2],
  ["boolean", 4],
  ["null", 8],
  ["array", 16],
  ["object", 32],
]);
export const stringType: JsonTypes = 1;
const scalarTypes: JsonTypes = 2 | 4;
export const arrayType: JsonTypes = 16;
export const anyType: JsonTypes = 63;
export const noType: JsonTypes = 0;

/** Whether every value of these types is written in one way, and without knowing JSON. */
export function isPlain(types: JsonTypes): boolean {
  return types === stringType || (types & ~scalarTypes) === 0;
}

/** Schemas that lead on to each other, or back to themselves, are followed this far. */
const maxSteps = 256;

/** What a value may be. */
export function typesOf(root: JsonObject, schema: JsonValue | undefined): JsonTypes {
  return boundOf(root, schema, ownTypes);
}

/** What the items of an array may be. */
export function itemTypesOf(root: JsonObject, schema: JsonValue | undefined): JsonTypes {
  return boundOf(root, schema, (here) => {
    if ((ownTypes(here) & arrayType) === 0) return noType;
    const first = listIn(here, "prefixItems").map((item) => typesOf(root, item));
    return union([...first, typesOf(root, here["items"])]);
  });
}

/** What one member of an object (or its items) may be; without a name, one that is declared nowhere. */
export function memberTypesOf(
  root: JsonObject,
  name: string | undefined,
  measure: typeof typesOf | typeof itemTypesOf,
): JsonTypes {
  return boundOf(root, root, (here) => {
    const properties = here["properties"];
    if (name !== undefined && isJsonObject(properties) && Object.hasOwn(properties, name)) {
      return measure(root, properties[name]);
    }
    if (Object.hasOwn(here, "patternProperties")) return anyType;
    return measure(root, here["additionalProperties"]);
  });
}

/** The bound that `own` gives for each schema that applies to the same value, put together. */
function boundOf(
  root: JsonObject,
  schema: JsonValue | undefined,
  own: (schema: JsonObject) => JsonTypes,
): JsonTypes {
  const known = new Map<JsonObject, JsonTypes>();
  const visit = (here: JsonValue | undefined, steps: number): JsonTypes => {
    if (here === false) return noType;
    if (!isJsonObject(here) || steps > maxSteps || isForeign(root, here)) return anyType;
    const found = known.get(here);
    if (found !== undefined) return found;
    const go = (child: JsonValue | undefined) => visit(child, steps + 1);
    let bound = own(here) & go(localTarget(root, here["$ref"]));
    for (const child of listIn(here, "allOf")) bound &= go(child);
    for (const keyword of ["anyOf", "oneOf"]) {
      if (Array.isArray(here[keyword])) bound &= union(here[keyword].map(go));
    }
    if (Object.hasOwn(here, "if")) bound &= go(here["then"]) | go(here["else"]);
    known.set(here, bound);
    return bound;
  };
  return visit(schema, 0);
}

function ownTypes(schema: JsonObject): JsonTypes {
  const { type, enum: choices } = schema;
  let types = anyType;
  if (typeof type === "string") types &= bits.get(type) ?? anyType;
  if (Array.isArray(type)) types &= union(type.map((one) => bits.get(String(one)) ?? anyType));
  if (Array.isArray(choices)) types &= union(choices.map(typeOfValue));
  if (schema["const"] !== undefined) types &= typeOfValue(schema["const"]);
  return types;
}

function typeOfValue(value: JsonValue): JsonTypes {
  const type = value === null ? "null" : Array.isArray(value) ? "array" : typeof value;
  return bits.get(type) ?? anyType;
}

function union(types: readonly JsonTypes[]): JsonTypes {
  return types.reduce((all, one) => all | one, noType);
}
