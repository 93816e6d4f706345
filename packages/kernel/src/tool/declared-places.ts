// G4: where a schema declares a secret of one value. What `secretPaths` hide may be more: a branch that does not apply to the value, or
// what is said of other members, explains nothing of it.
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listIn,
  localTarget,
  membersIn,
  splitJsonPointer,
} from "@spfunctions/contracts";
import { linearPattern } from "./linear-pattern.ts";
import { type BranchCheck, openBranchCheck } from "./schema-check.ts";
import type { ToolSchema } from "./standard-schema.ts";

/** Whether a schema declares the place of a value with `x-sf-secret`, or one that it lies in. */
export type IsDeclared = (value: JsonValue, pointer: string) => boolean;

/** `also`: pointers to what is declared whatever the schema says. */
export function declaredPlacesOf(
  root: JsonObject,
  given: ToolSchema,
  also: readonly string[] = [],
): IsDeclared {
  const others = also.map(splitJsonPointer);
  const fits = openBranchCheck(root, given);
  return (value, pointer) => {
    const path = splitJsonPointer(pointer);
    if (others.some((other) => other.every((segment, index) => segment === path[index]))) return true;
    try {
      return isDeclared({ root, fits }, root, value, path);
    } catch {
      // G1: whether a branch applies cannot be said, and so nobody has said what is hidden there.
      return false;
    }
  };
}

type Document = { readonly root: JsonObject; readonly fits: BranchCheck };

function isDeclared(
  document: Document,
  schema: JsonValue,
  value: JsonValue,
  path: readonly string[],
): boolean {
  const all = [...appliedTo(document, schema, value)];
  if (all.some((one) => one["x-sf-secret"] === true)) return true;
  const [key, ...rest] = path;
  const member = key === undefined ? undefined : memberOf(value, key);
  if (key === undefined || member === undefined) return false;
  return schemasOf(document, { schemas: all, value, key, member }).some((one) =>
    isDeclared(document, one, member, rest),
  );
}

/** A schema and those that speak of the same value and apply to it. What is not found in the document declares nothing. */
function appliedTo(document: Document, schema: JsonValue | undefined, value: JsonValue): Set<JsonObject> {
  const found = new Set<JsonObject>();
  const open = [schema];
  for (let next = open.pop(); open.length > 0 || next !== undefined; next = open.pop()) {
    if (!isJsonObject(next) || found.has(next)) continue;
    // A schema with an id of its own begins another document.
    if (next !== document.root && Object.hasOwn(next, "$id")) continue;
    found.add(next);
    const { $ref, if: condition, then, else: otherwise } = next;
    open.push(localTarget(document.root, $ref), ...listIn(next, "allOf"));
    for (const keyword of ["anyOf", "oneOf"])
      open.push(...listIn(next, keyword).filter((branch) => document.fits(branch, value)));
    if (condition !== undefined)
      open.push(...(document.fits(condition, value) ? [condition, then] : [otherwise]));
    for (const [name, child] of membersIn(next, "dependentSchemas"))
      if (memberOf(value, name) !== undefined) open.push(child);
  }
  return found;
}

type Member = {
  readonly schemas: readonly JsonObject[];
  readonly value: JsonValue;
  readonly key: string;
  readonly member: JsonValue;
};

/** What schemas that apply to a value say of one of its members or items. */
function schemasOf({ fits }: Document, { schemas, value, key, member }: Member): JsonValue[] {
  const isList = Array.isArray(value);
  const said = schemas.flatMap((schema) =>
    isList ? saysOfItem(fits, schema, Number(key), member) : saysOfMember(schema, key),
  );
  if (said.length > 0) return said;
  const rest = isList ? "unevaluatedItems" : "unevaluatedProperties";
  return schemas.flatMap((schema) => ownOf(schema, rest));
}

function saysOfMember(schema: JsonObject, key: string): JsonValue[] {
  const named = membersIn(schema, "properties").filter(([name]) => name === key);
  const matching = membersIn(schema, "patternProperties").filter(([pattern]) =>
    linearPattern(pattern).test(key),
  );
  const said = [...named, ...matching].map(([, child]) => child);
  return said.length > 0 ? said : ownOf(schema, "additionalProperties");
}

function saysOfItem(fits: BranchCheck, schema: JsonObject, index: number, item: JsonValue): JsonValue[] {
  const first = listIn(schema, "prefixItems");
  const said = index < first.length ? first.slice(index, index + 1) : ownOf(schema, "items");
  const contained = ownOf(schema, "contains").filter((one) => fits(one, item));
  return [...said, ...contained];
}

function ownOf(schema: JsonObject, keyword: string): JsonValue[] {
  const child = Object.hasOwn(schema, keyword) ? schema[keyword] : undefined;
  return child === undefined ? [] : [child];
}

function memberOf(value: JsonValue, key: string): JsonValue | undefined {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, JsonValue>)[key];
}
