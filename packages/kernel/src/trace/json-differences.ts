import { isJsonObject, type JsonObject, type JsonValue } from "@spfunctions/contracts";

/** A place that two values do not have in common; a side that has nothing there has no value. */
export type JsonDifference = {
  readonly path: readonly string[];
  readonly a?: JsonValue;
  readonly b?: JsonValue;
};

/** The places in which two values differ, each as deep as the difference lies. */
export function* jsonDifferences(
  a: JsonValue | undefined,
  b: JsonValue | undefined,
  path: readonly string[] = [],
): Generator<JsonDifference> {
  if (isJsonObject(a) && isJsonObject(b)) {
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    for (const key of [...keys].toSorted()) yield* jsonDifferences(own(a, key), own(b, key), [...path, key]);
  } else if (Array.isArray(a) && Array.isArray(b)) {
    const length = Math.max(a.length, b.length);
    for (let at = 0; at < length; at++) yield* jsonDifferences(a[at], b[at], [...path, `${at}`]);
  } else if (a !== b) {
    yield { path, ...(a !== undefined && { a }), ...(b !== undefined && { b }) };
  }
}

function own(value: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(value, key) ? value[key] : undefined;
}
