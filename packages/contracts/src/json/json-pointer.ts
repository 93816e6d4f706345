import type { JsonValue } from "./json-value.ts";

/** RFC 6901, or empty for the whole value. */
export function isJsonPointer(text: string): boolean {
  return (text === "" || text.startsWith("/")) && !/~(?![01])/.test(text);
}

export function toJsonPointer(segments: readonly PropertyKey[]): string {
  return segments
    .map((segment) => `/${String(segment).replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}

export function splitJsonPointer(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((segment) => segment.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value at a pointer, by own properties only; `undefined` where there is none, or no pointer. */
export function readJsonPointer(value: JsonValue, pointer: string): JsonValue | undefined {
  if (!isJsonPointer(pointer)) return undefined;
  let here: JsonValue | undefined = value;
  for (const segment of splitJsonPointer(pointer)) {
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, segment)) return undefined;
    if (Array.isArray(here) && !/^(?:0|[1-9]\d*)$/.test(segment)) return undefined;
    here = (here as { readonly [key: string]: JsonValue })[segment];
  }
  return here;
}
