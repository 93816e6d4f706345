// Whether a schema is plainly one: of the usual words, each with what it may have. The schema of schemas says the same, and
// compiling that takes longer than everything else a program does before its first call; so it is asked about the others only.
import { isJsonObject, type JsonValue } from "@spfunctions/contracts";

type Is = (value: JsonValue) => boolean;

const isText: Is = (value) => typeof value === "string";
const isSwitch: Is = (value) => typeof value === "boolean";
const isNumber: Is = (value) => typeof value === "number";
const isCount: Is = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isAnything: Is = () => true;
const isSchema: Is = (value) => typeof value === "boolean" || isPlainSchema(value);
const isListOf =
  (is: Is): Is =>
  (value) =>
    Array.isArray(value) && value.every(is);
const isSomeOf =
  (is: Is): Is =>
  (value) =>
    isListOf(is)(value) && (value as readonly JsonValue[]).length > 0;
const isSetOf =
  (is: Is): Is =>
  (value) =>
    isListOf(is)(value) &&
    new Set(value as readonly JsonValue[]).size === (value as readonly JsonValue[]).length;
/** Called as the validator lets a word be called. */
const markName = /^x-[\w$:-]*$/;
/** What a compiler looks into finds names there: a mark of somebody's own is plain where there is nothing to look into. */
const isMark = (word: string, value: JsonValue) => markName.test(word) && typeof value !== "object";
const isSchemas: Is = (value) => isJsonObject(value) && Object.values(value).every(isSchema);

const types = new Set<JsonValue>(["array", "boolean", "integer", "null", "number", "object", "string"]);
const isType: Is = (value) => types.has(value);

const words: ReadonlyMap<string, Is> = new Map<string, Is>([
  ["$schema", (value) => value === "https://json-schema.org/draft/2020-12/schema"],
  ["$ref", (value) => typeof value === "string" && /^#\/\$defs\/\w+$/.test(value)],
  ["$defs", isSchemas],
  ["title", isText],
  ["description", isText],
  ["default", isAnything],
  ["const", isAnything],
  ["enum", isSomeOf(isAnything)],
  ["type", (value) => isType(value) || (isSomeOf(isType)(value) && isSetOf(isType)(value))],
  ["properties", isSchemas],
  ["required", isSetOf(isText)],
  ["additionalProperties", isSchema],
  ["propertyNames", isSchema],
  ["minProperties", isCount],
  ["maxProperties", isCount],
  ["items", isSchema],
  ["minItems", isCount],
  ["maxItems", isCount],
  ["uniqueItems", isSwitch],
  ["minimum", isNumber],
  ["maximum", isNumber],
  ["exclusiveMinimum", isNumber],
  ["exclusiveMaximum", isNumber],
  ["minLength", isCount],
  ["maxLength", isCount],
  ["pattern", isPattern],
  ["format", isText],
  ["anyOf", isSomeOf(isSchema)],
  ["oneOf", isSomeOf(isSchema)],
  ["allOf", isSomeOf(isSchema)],
]);

/** True only of what the schema of schemas allows, too. */
export function isPlainSchema(schema: JsonValue): boolean {
  if (!isJsonObject(schema)) return false;
  return Object.entries(schema).every(([word, value]) => words.get(word)?.(value) ?? isMark(word, value));
}

/** Whether a pattern can be read as JSON Schema reads it: by whole characters. */
export function isPattern(value: JsonValue): boolean {
  if (typeof value !== "string") return false;
  try {
    return new RegExp(value, "u") instanceof RegExp;
  } catch {
    return false;
  }
}
