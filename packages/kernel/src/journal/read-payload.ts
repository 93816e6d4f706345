import { type JsonValue, parseJsonStrict } from "@spfunctions/contracts";

/** Longest input or output, in characters of its canonical text. */
export const maxPayloadChars = 8 * 1024 * 1024;

/** The value of a kept payload. It was short enough when it came; what was hidden in it may have made it longer. */
export function readPayload(text: string): JsonValue {
  return parseJsonStrict(text, { maxBytes: Number.POSITIVE_INFINITY });
}
