import type { JsonValue } from "../json/json-value.ts";

/**
 * A redacted copy, which has neither functions nor symbols, as plain JSON data. What else JSON cannot say becomes text
 * or a list, and `undefined` goes, so that writing an error down never throws and never runs code that came with it.
 */
export function plainData(value: unknown): JsonValue | undefined {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "bigint":
      return String(value);
    case "object":
      return value === null ? null : plainObject(value);
    default:
      return undefined;
  }
}

function plainObject(value: object): JsonValue {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? String(value) : value.toISOString();
  if (value instanceof URL) return value.href;
  if (value instanceof Error) return { name: value.name, message: value.message };
  if (Symbol.iterator in value) {
    return Array.from(value as Iterable<unknown>, (item) => plainData(item) ?? null);
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, member]) => {
      const plain = plainData(member);
      return plain === undefined ? [] : [[key, plain]];
    }),
  );
}
