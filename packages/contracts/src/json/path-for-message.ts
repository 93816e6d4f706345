// S1: a key is input, and can be a secret. It is redacted before it is cut, cleaned or escaped: after that nothing
// would know it again.
import { redactText } from "../redact/redact-text.ts";
import { toJsonPointer } from "./json-pointer.ts";

/** A path as messages name it: short, and without control characters. */
export function pathForMessage(segments: readonly PropertyKey[]): string {
  const shown = segments.length > 32 ? [...segments.slice(0, 16), "…", ...segments.slice(-15)] : segments;
  return toJsonPointer(shown.map(keyForMessage));
}

/** A key as messages name it: its first 64 characters, those that show nothing or move the text replaced. */
export function keyForMessage(key: PropertyKey): string {
  const text = redactText(String(key));
  const shown = text.length > 64 ? `${text.slice(0, 64)}…` : text;
  return shown.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, "�");
}
