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
  return readPlainly(text, maxDepth) ?? new StrictJsonReader(text, maxDepth, keepsOdd).document();
}

/**
 * What V8's own reader makes of a text, where that is beyond doubt: written again it is the text, to the letter, so that nothing
 * in it was there twice, or was held as another number or under another name. All else is for the strict reader, which is slower.
 */
function readPlainly(text: string, maxDepth: number): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    // Halves of a character would be written as they came.
    if (JSON.stringify(value) !== text || text.includes("\\ud")) return undefined;
    return isDeeper(value, maxDepth) ? undefined : value;
  } catch {
    // No JSON, or too deep to be written: the strict reader says where.
    return undefined;
  }
}

function isDeeper(value: JsonValue, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((member) => isDeeper(member, depth - 1));
}

function exceedsBytes(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true;
  return text.length * 3 > maxBytes && new TextEncoder().encode(text).length > maxBytes;
}
