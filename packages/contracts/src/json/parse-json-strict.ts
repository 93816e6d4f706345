import { InvalidInputError } from "../error/error-classes.ts";
import { type JsonValue, maxJsonDepth } from "./json-value.ts";
import { StrictJsonReader } from "./strict-json-reader.ts";

export type ParseJsonLimits = {
  readonly maxDepth?: number;
  /** Of the text in UTF-8. */
  readonly maxBytes?: number;
  /** Numbers that cannot be held come as the text that they are, and halves of a character stay: for what others have written. */
  readonly keepsOdd?: boolean;
};

/**
 * Largest JSON text read unless the caller says otherwise.
 * @limit json.textBytes | `invalid_input`, reason `too_large` | `maxBytes` of `parseJsonStrict`; doors with another limit have a name of their own here
 */
export const defaultMaxJsonBytes = 16 * 1024 * 1024;

/**
 * JSON text to a value, or `invalid_input` with place and reason. Beyond JSON's grammar it refuses duplicate keys,
 * trailing text, lone surrogates, numbers that overflow or integers that would silently become another integer,
 * and whatever exceeds the limits.
 */
export function parseJsonStrict(text: string, limits: ParseJsonLimits = {}): JsonValue {
  const { maxDepth = maxJsonDepth, maxBytes = defaultMaxJsonBytes, keepsOdd = false } = limits;
  if (typeof text !== "string") {
    throw new InvalidInputError(`expected JSON text, got ${typeof text}`, {
      details: { reason: "not_text" },
    });
  }
  if (exceedsBytes(text, maxBytes)) {
    throw new InvalidInputError(`the JSON text is larger than ${maxBytes} bytes; give less`, {
      details: { reason: "too_large", maxBytes },
    });
  }
  return new StrictJsonReader(text, maxDepth, keepsOdd).document();
}

function exceedsBytes(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true;
  return text.length * 3 > maxBytes && new TextEncoder().encode(text).length > maxBytes;
}
