// JSON Schema 2020-12 in words, as far as our own schemas use it. What it does not know is an error: a page leaves nothing out.
import { isJsonObject, type JsonObject, type JsonValue, listIn } from "@spfunctions/contracts";
import { code } from "../markdown.ts";

/** How a part that has a name of its own is told. */
export type NamePart = (ref: string) => string;

/** What may stand there: its type and its bounds. */
export function typeWords(schema: JsonValue, namePart: NamePart): string {
  if (!isJsonObject(schema) || Object.keys(schema).length === 0) return "any JSON";
  if (typeof schema["$ref"] === "string") return namePart(schema["$ref"]);
  if (schema["const"] !== undefined) return literal(schema["const"]);
  if (Array.isArray(schema["enum"])) return schema["enum"].map(literal).join(", ");
  const choices = [...listIn(schema, "anyOf"), ...listIn(schema, "oneOf")];
  if (choices.length > 0)
    return [...new Set(choices.map((choice) => typeWords(choice, namePart)))].join(" or ");
  return ofType(schema, namePart);
}

function ofType(schema: JsonObject, namePart: NamePart): string {
  const { type: types } = schema;
  if (Array.isArray(types)) return types.map((type) => ofType({ ...schema, type }, namePart)).join(" or ");
  switch (schema["type"]) {
    case "string":
      return ["string", ...stringBounds(schema)].join(", ");
    case "integer":
    case "number":
      return [schema["type"] === "integer" ? "whole number" : "number", ...numberBounds(schema)].join(", ");
    case "array":
      return listOf(schema, namePart);
    case "object":
      return isJsonObject(schema["additionalProperties"] ?? null) && schema["properties"] === undefined
        ? `object of ${typeWords(schema["additionalProperties"] ?? {}, namePart)}`
        : "object";
    case "boolean":
    case "null":
      return schema["type"];
    case undefined:
      return "any JSON";
    default:
      throw new Error(`no words for the type ${JSON.stringify(schema["type"])}`);
  }
}

/** `list of 1 to 5: string, at most 9 characters` */
function listOf(schema: JsonObject, namePart: NamePart): string {
  const [bounds] = between(schema, "Items");
  const item = typeWords(schema["items"] ?? {}, namePart);
  return bounds === undefined ? `list of ${item}` : `list of ${bounds}: ${item}`;
}

function stringBounds(schema: JsonObject): string[] {
  const { format, pattern } = schema;
  const bounds = between(schema, "Length", "character");
  if (format === "date-time") return ["a time like 2026-01-31T12:00:00Z", ...bounds];
  if (typeof format === "string") return [format, ...bounds];
  return typeof pattern === "string" ? [...bounds, `matches ${code(pattern)}`] : bounds;
}

function numberBounds(schema: JsonObject): string[] {
  const { minimum, exclusiveMinimum, maximum, exclusiveMaximum } = schema;
  const most = maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum;
  const least = minimum === Number.MIN_SAFE_INTEGER ? undefined : minimum;
  if (least !== undefined && most !== undefined) return [`${number(least)} to ${number(most)}`];
  return [
    ...(least === undefined ? [] : [`from ${number(least)}`]),
    ...(exclusiveMinimum === undefined ? [] : [`above ${number(exclusiveMinimum)}`]),
    ...(most === undefined ? [] : [`at most ${number(most)}`]),
    ...(exclusiveMaximum === undefined ? [] : [`below ${number(exclusiveMaximum)}`]),
  ];
}

function between(schema: JsonObject, what: string, unit?: string): string[] {
  const least = schema[`min${what}`];
  const most = schema[`max${what}`];
  const words = betweenWords(least, most);
  if (words === undefined) return [];
  return [unit === undefined ? words : `${words} ${(most ?? least) === 1 ? unit : `${unit}s`}`];
}

function betweenWords(least: JsonValue | undefined, most: JsonValue | undefined): string | undefined {
  if (least !== undefined && most !== undefined)
    return least === most ? number(least) : `${number(least)} to ${number(most)}`;
  if (most !== undefined) return `at most ${number(most)}`;
  return least === undefined ? undefined : `at least ${number(least)}`;
}

/** Figures as a person reads them. */
export function number(value: JsonValue): string {
  return typeof value === "number"
    ? value.toLocaleString("en-US", { maximumFractionDigits: 20 })
    : JSON.stringify(value);
}

function literal(value: JsonValue): string {
  return code(typeof value === "string" ? value : JSON.stringify(value));
}
