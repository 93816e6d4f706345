import { type JsonValue, parseJsonStrict } from "@spfunctions/contracts";

/**
 * Longest input or output, in characters of its canonical text.
 * @limit call.payloadChars | input: `invalid_input` at the gate `input`; output: `invalid_output`, and the effect stays on record | fixed: every store keeps a payload in one row
 */
export const maxPayloadChars = 8 * 1024 * 1024;

/** The value of a kept payload. It was short enough when it came; what was hidden in it may have made it longer. */
export function readPayload(text: string): JsonValue {
  return parseJsonStrict(text, { maxBytes: Number.POSITIVE_INFINITY });
}
