// JSON Schema 2020-12 by its text, for schemas of a few keywords: what a value's members and items are evaluated by is collected as
// annotations, without the validator's shortcuts. It is slow and sees no formats.
import { isDeepStrictEqual } from "node:util";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listIn,
  localTarget,
  membersIn,
} from "@spfunctions/contracts";

/** Whether a value fits, and which of its members and items were evaluated. */
type Evaluation = { fits: boolean; readonly names: Set<string>; readonly indexes: Set<number> };

/** Whether a value fits a schema of the keywords that `schemaArbitrary` uses. */
export function fitsReference(root: JsonObject, value: JsonValue): boolean {
  return evaluate(root, root, value).fits;
}

function evaluate(root: JsonObject, schema: JsonValue | undefined, value: JsonValue): Evaluation {
  const all: Evaluation = { fits: schema !== false, names: new Set(), indexes: new Set() };
  if (!isJsonObject(schema)) return all;
  const apply = (child: JsonValue | undefined): Evaluation => evaluate(root, child, value);
  const take = (part: Evaluation): void => {
    for (const name of part.names) all.names.add(name);
    for (const index of part.indexes) all.indexes.add(index);
  };
  const need = (part: Evaluation): void => {
    if (part.fits) take(part);
    else all.fits = false;
  };
  const {
    type,
    const: constant,
    enum: values,
    maximum,
    not,
    if: condition,
    then,
    else: otherwise,
    $ref,
  } = schema;
  if (type !== undefined && typeOf(value) !== type) all.fits = false;
  if (constant !== undefined && !isDeepStrictEqual(constant, value)) all.fits = false;
  if (Array.isArray(values) && !values.some((one) => isDeepStrictEqual(one, value))) all.fits = false;
  if (typeof maximum === "number" && typeof value === "number" && value > maximum) all.fits = false;
  if ($ref !== undefined) need(apply(localTarget(root, $ref)));
  for (const child of listIn(schema, "allOf")) need(apply(child));
  const anyOf = listIn(schema, "anyOf").map(apply);
  if (anyOf.length > 0 && !anyOf.some(({ fits }) => fits)) all.fits = false;
  for (const part of anyOf) if (part.fits) take(part);
  const oneOf = listIn(schema, "oneOf").map(apply);
  const fitting = oneOf.filter(({ fits }) => fits);
  if (oneOf.length > 0 && fitting.length !== 1) all.fits = false;
  for (const part of fitting) take(part);
  if (not !== undefined && apply(not).fits) all.fits = false;
  if (condition !== undefined) {
    const part = apply(condition);
    if (part.fits) take(part);
    const branch = part.fits ? then : otherwise;
    if (branch !== undefined) need(apply(branch));
  }
  if (isJsonObject(value)) evaluateMembers(root, schema, value, all, need);
  if (Array.isArray(value)) evaluateItems(root, schema, value, all);
  return all;
}

function evaluateMembers(
  root: JsonObject,
  schema: JsonObject,
  value: JsonObject,
  all: Evaluation,
  need: (part: Evaluation) => void,
): void {
  const fits = (child: JsonValue, member: JsonValue | undefined) => {
    if (!evaluate(root, child, member ?? null).fits) all.fits = false;
  };
  for (const name of listIn(schema, "required"))
    if (typeof name === "string" && !Object.hasOwn(value, name)) all.fits = false;
  for (const [name, child] of membersIn(schema, "dependentSchemas"))
    if (Object.hasOwn(value, name)) need(evaluate(root, child, value));
  const own = new Set<string>();
  for (const [name, child] of membersIn(schema, "properties"))
    if (Object.hasOwn(value, name)) {
      own.add(name);
      fits(child, value[name]);
    }
  for (const [pattern, child] of membersIn(schema, "patternProperties"))
    for (const name of Object.keys(value))
      if (new RegExp(pattern, "u").test(name)) {
        own.add(name);
        fits(child, value[name]);
      }
  for (const name of own) all.names.add(name);
  for (const keyword of ["additionalProperties", "unevaluatedProperties"]) {
    const child = schema[keyword];
    if (child === undefined) continue;
    const known = keyword === "additionalProperties" ? own : new Set(all.names);
    for (const name of Object.keys(value))
      if (!known.has(name)) {
        all.names.add(name);
        fits(child, value[name]);
      }
  }
}

function evaluateItems(
  root: JsonObject,
  schema: JsonObject,
  items: readonly JsonValue[],
  all: Evaluation,
): void {
  const first = listIn(schema, "prefixItems");
  const {
    items: rest,
    contains,
    minContains = 1,
    maxContains = Number.POSITIVE_INFINITY,
    unevaluatedItems,
  } = schema;
  for (const [index, item] of items.entries()) {
    const child = index < first.length ? first[index] : rest;
    if (child === undefined) continue;
    all.indexes.add(index);
    if (!evaluate(root, child, item).fits) all.fits = false;
  }
  if (contains !== undefined) {
    const found = [...items.keys()].filter((index) => evaluate(root, contains, items[index] ?? null).fits);
    for (const index of found) all.indexes.add(index);
    if (found.length < Number(minContains) || found.length > Number(maxContains)) all.fits = false;
  }
  if (unevaluatedItems === undefined) return;
  for (const [index, item] of items.entries()) {
    if (all.indexes.has(index)) continue;
    all.indexes.add(index);
    if (!evaluate(root, unevaluatedItems, item).fits) all.fits = false;
  }
}

function typeOf(value: JsonValue): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "number" && Number.isInteger(value) ? "integer" : typeof value;
}
