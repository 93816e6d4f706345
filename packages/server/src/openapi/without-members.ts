// A body is an input without the members that stand in the path. What is said about the two together cannot be said of
// the body alone and is left out: a body's schema may promise less than the input's, never more.
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  listIn,
  localTarget,
  membersIn,
} from "@spfunctions/contracts";
import { withoutKeywords } from "./without-keywords.ts";

const together = [
  "if",
  "then",
  "else",
  "not",
  "dependentRequired",
  "dependentSchemas",
  "dependencies",
  "minProperties",
  "maxProperties",
];
const rewritten = ["$ref", "properties", "required", "allOf", "anyOf", "oneOf"];

/**
 * The schema of what is left of an input when some of its members travel elsewhere. Its references start at the root of
 * `document`.
 */
export function withoutMembers(
  document: JsonObject,
  input: JsonObject,
  names: readonly JsonValue[],
): JsonObject {
  const strip = (here: JsonValue, open: readonly JsonValue[]): JsonValue => {
    // A schema within itself, at the same value, adds nothing.
    if (open.includes(here)) return true;
    if (!isJsonObject(here)) return here;
    const inside = (child: JsonValue) => strip(child, [...open, here]);
    const required = listIn(here, "required").filter((name) => !names.includes(name));
    const properties = membersIn(here, "properties").filter(([name]) => !names.includes(name));
    const target = localTarget(document, here["$ref"]);
    const all = [...(target === undefined ? [] : [target]), ...listIn(here, "allOf")].map(inside);
    // Choices that were told apart by what is gone may now hold both.
    const choices = ["anyOf", "oneOf"]
      .filter((keyword) => Object.hasOwn(here, keyword))
      .map((keyword) => ({ anyOf: listIn(here, keyword).map(inside) }));
    return {
      ...withoutKeywords(here, [...together, ...rewritten]),
      ...(Object.hasOwn(here, "properties") && { properties: Object.fromEntries(properties) }),
      ...(required.length > 0 && { required }),
      ...(all.length + choices.length > 0 && { allOf: [...all, ...choices] }),
    };
  };
  return strip(input, []) as JsonObject;
}
