import { sha256Hex } from "#sha256";
import type { Digest } from "../identity/ids.ts";
import { canonicalJson } from "../json/canonical-json.ts";

/** `sha256:` and the hex digest of a text's UTF-8 bytes. */
export function hashText(text: string): Digest {
  return `sha256:${sha256Hex(text)}` as Digest;
}

/** The identity of a JSON value: the digest of its canonical text. */
export function hashInput(value: unknown): Digest {
  return hashText(canonicalJson(value));
}
