import { type JsonValue, parseJsonStrict } from "@spfunctions/contracts";

/** Longest input or output, in characters of its canonical text. */
export const maxPayloadChars = 8 * 1024 * 1024;

/** The value of a kept payload: as long as one may be, whatever its characters take. */
export function readPayload(text: string): JsonValue {
  return parseJsonStrict(text, { maxBytes: 4 * maxPayloadChars });
}
