// Every pattern of a contract can be run in linear time, or the contract is refused where it is defined.
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  keyForMessage,
  localTarget,
  mapSubschemas,
  splitJsonPointer,
  toJsonPointer,
} from "@spfunctions/contracts";
import { linearPattern } from "./linear-pattern.ts";
import { isPattern } from "./plain-schema.ts";
import { UnreadablePatternError } from "./translate-pattern.ts";

/** A pattern that cannot be run in linear time: where it stands in its schema, and what it is. */
export class NotLinearError extends Error {
  readonly pointer: string;

  constructor(pointer: string, source: string, why: string) {
    super(
      `the pattern at ${pointer}, "${keyForMessage(source)}", cannot be run in time that grows with the text alone: ${why}. Write it without looking ahead or behind and without referring back; say several conditions with allOf and not, and how long a text is with minLength and maxLength`,
    );
    this.pointer = pointer;
  }
}

/** Throws for the first pattern of a schema that cannot be run in linear time. What is no pattern at all is the validator's to refuse. */
export function requireLinearPatterns(schema: JsonValue): void {
  if (isJsonObject(schema)) look(schema, [], { root: schema, seen: new Set() });
}

type Walk = { readonly root: JsonObject; readonly seen: Set<JsonValue> };

function look(schema: JsonValue, path: readonly string[], walk: Walk): void {
  if (!isJsonObject(schema) || walk.seen.has(schema)) return;
  walk.seen.add(schema);
  const { pattern = null } = schema;
  if (isPattern(pattern)) requireLinear(pattern as string, [...path, "pattern"]);
  for (const name of Object.keys(objectIn(schema, "patternProperties")))
    if (isPattern(name)) requireLinear(name, [...path, "patternProperties", name]);
  mapSubschemas(schema, (child, way) => {
    look(child, [...path, ...way], walk);
    return child;
  });
  // What is data where it stands is a schema where a reference leads to it.
  const { $ref: ref } = schema;
  const target = localTarget(walk.root, ref);
  if (typeof ref === "string" && target !== undefined)
    look(target, splitJsonPointer(decodeURIComponent(ref.slice(1))), walk);
}

export function requireLinear(source: string, path: readonly string[], flags?: string): void {
  try {
    linearPattern(source, flags);
  } catch (error) {
    if (!(error instanceof UnreadablePatternError)) throw error;
    throw new NotLinearError(toJsonPointer(path), source, error.message);
  }
}

function objectIn(schema: JsonObject, keyword: string): JsonObject {
  const value = schema[keyword];
  return isJsonObject(value) ? value : {};
}
