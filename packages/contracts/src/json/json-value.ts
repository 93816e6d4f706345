export type JsonPrimitive = string | number | boolean | null;
export type JsonObject = { readonly [key: string]: JsonValue };
export type JsonValue = JsonPrimitive | readonly JsonValue[] | JsonObject;

/**
 * Deepest nesting that is read or written anywhere: past it, input is refused rather than risked on the stack.
 * @limit json.depth | `invalid_input`; of a call's input at the gate `input` | fixed: readers and writers go down by recursion
 */
export const maxJsonDepth = 256;

/**
 * Most values in one document: an object that holds itself many times over side by side grows without end.
 * @limit json.values | `invalid_input` | fixed: a bound on memory, far beyond the size of any text that is read
 */
export const maxJsonValues = 10_000_000;

export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
