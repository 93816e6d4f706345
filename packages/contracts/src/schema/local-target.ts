import { isJsonPointer, readJsonPointer } from "../json/json-pointer.ts";
import type { JsonObject, JsonValue } from "../json/json-value.ts";

/** What a reference inside a document points to, by own properties alone; `undefined` for an anchor or another document. */
export function localTarget(document: JsonObject, ref: JsonValue | undefined): JsonValue | undefined {
  if (typeof ref !== "string" || !ref.startsWith("#")) return undefined;
  const pointer = fragmentPointer(ref.slice(1));
  return pointer === undefined ? undefined : readJsonPointer(document, pointer);
}

/** The JSON pointer that the fragment of a reference spells, percent-encoded or not; `undefined` where it spells none. */
export function fragmentPointer(fragment: string): string | undefined {
  try {
    const pointer = decodeURIComponent(fragment);
    return isJsonPointer(pointer) ? pointer : undefined;
  } catch {
    return undefined;
  }
}

/** A schema with an id of its own begins another document, and its references start there. */
export function isForeign(root: JsonObject, schema: JsonObject): boolean {
  return schema !== root && Object.hasOwn(schema, "$id");
}

/** The keyword by which a schema leads to what is not found from the document's root: by an id, an anchor, or not at all. */
export function awayKeyword(document: JsonObject, schema: JsonObject): string | undefined {
  if (isForeign(document, schema)) return "$id";
  if (Object.hasOwn(schema, "$dynamicRef")) return "$dynamicRef";
  const isAway = Object.hasOwn(schema, "$ref") && localTarget(document, schema["$ref"]) === undefined;
  return isAway ? "$ref" : undefined;
}
