// G1: `unevaluatedProperties` and `unevaluatedItems` depend on what the other keywords have evaluated. The validator counts too much in some
// places, and would then take a value that the schema forbids. A schema with such a place is refused when the tool is defined.
import {
  canonicalJson,
  everySubschema,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  keyForMessage,
  listIn,
  localTarget,
  membersIn,
} from "@spfunctions/contracts";

/** Throws if the validator would count more as evaluated than JSON Schema does. */
export function requireReliableUnevaluated(root: JsonObject): void {
  everySubschema(root, (schema) => {
    requireDynamicTarget(root, schema["$dynamicRef"]);
    if (Object.hasOwn(schema, "unevaluatedItems")) requireCountedItems(root, schema);
    if (Object.hasOwn(schema, "unevaluatedProperties")) requireCountedProperties(root, schema);
  });
}

/** The validator reads a `$dynamicRef` to a pointer as a reference to the whole document. */
function requireDynamicTarget(root: JsonObject, ref: JsonValue | undefined): void {
  if (ref === undefined) return;
  if (typeof ref === "string" && ref.startsWith("#") && anchored(root, ref.slice(1), "$dynamicAnchor"))
    return;
  throw new Error(
    `$dynamicRef ${keyForMessage(canonicalJson(ref))} names no $dynamicAnchor of this schema; write $ref for a pointer or an anchor`,
  );
}

function requireCountedItems(root: JsonObject, schema: JsonObject): void {
  const applied = appliedSchemas(root, schema, "unevaluatedItems");
  if (applied.some(({ schema: one }) => Object.hasOwn(one, "contains")))
    throw new Error("unevaluatedItems stands beside contains; write items or prefixItems instead");
  for (const { schema: one, isConditional } of applied) {
    const keywords = isConditional ? conditionalItems : nestedItems;
    const keyword = one === schema ? undefined : keywords.find((name) => Object.hasOwn(one, name));
    if (keyword !== undefined)
      throw new Error(`unevaluatedItems stands above a nested ${keyword}; write items there instead`);
  }
}

const nestedItems = ["items", "unevaluatedItems"] as const;
const conditionalItems = [...nestedItems, "prefixItems"] as const;

/** What a condition evaluates counts only where it holds; the validator counts it always. */
function requireCountedProperties(root: JsonObject, schema: JsonObject): void {
  const beside = new Set(membersIn(schema, "properties").map(([name]) => name));
  for (const { schema: one } of appliedSchemas(root, schema, "unevaluatedProperties")) {
    const condition = one["if"];
    if (condition === undefined) continue;
    if (one["then"] === undefined || one["else"] === undefined)
      throw new Error(
        "unevaluatedProperties stands beside an if without both branches; write then and else, or additionalProperties",
      );
    if (!isJsonObject(condition)) continue;
    for (const { schema: part } of appliedSchemas(root, condition, "unevaluatedProperties")) {
      const wide = wideProperties.find((name) => Object.hasOwn(part, name));
      const name = membersIn(part, "properties").find(([key]) => !beside.has(key))?.[0];
      const what = wide ?? (name === undefined ? undefined : `the property ${keyForMessage(name)}`);
      if (what !== undefined)
        throw new Error(
          `unevaluatedProperties stands beside an if that speaks of ${what}; name it in properties beside unevaluatedProperties`,
        );
    }
  }
}

const wideProperties = ["patternProperties", "additionalProperties", "unevaluatedProperties"] as const;

type Applied = { readonly schema: JsonObject; readonly isConditional: boolean };

/** A schema and all that speak of the same value. A conditional one may fail without failing the whole. */
function appliedSchemas(root: JsonObject, schema: JsonObject, keyword: string): readonly Applied[] {
  const found = new Map<JsonObject, boolean>();
  const add = (one: JsonValue | undefined, isConditional: boolean): void => {
    if (!isJsonObject(one) || (found.has(one) && (found.get(one) === true || !isConditional))) return;
    found.set(one, isConditional);
    add(referenced(root, one, keyword), isConditional);
    for (const child of listIn(one, "allOf")) add(child, isConditional);
    for (const name of ["anyOf", "oneOf"]) for (const child of listIn(one, name)) add(child, true);
    for (const name of ["if", "then", "else", "not"]) add(one[name], true);
    for (const name of ["dependentSchemas", "dependencies"])
      for (const [, child] of membersIn(one, name)) add(child, true);
  };
  add(schema, false);
  return [...found].map(([one, isConditional]) => ({ schema: one, isConditional }));
}

function referenced(root: JsonObject, schema: JsonObject, keyword: string): JsonValue | undefined {
  const ref = schema["$ref"] ?? schema["$dynamicRef"];
  if (typeof ref !== "string") return undefined;
  const target = localTarget(root, ref) ?? anchored(root, ref.replace(/^#/, ""), "$anchor", "$dynamicAnchor");
  if (target === undefined)
    throw new Error(`${keyword} stands beside ${keyForMessage(ref)}, which is no part of this schema`);
  return target;
}

function anchored(root: JsonObject, name: string, ...keywords: readonly string[]): JsonObject | undefined {
  let target: JsonObject | undefined;
  everySubschema(root, (one) => {
    if (keywords.some((keyword) => Object.hasOwn(one, keyword) && one[keyword] === name)) target ??= one;
  });
  return target;
}
