import { findSecrets } from "./find-secrets.ts";
import { heldSecrets, type SecretRegistry } from "./held-secrets.ts";
import { hideSpans } from "./hide-spans.ts";
import type { KeyedHash } from "./placeholder.ts";
import type { Span } from "./span.ts";

/** Counts up when the same text can come out differently, so that a record says by which rules it was made. */
export const redactionVersion = 1;

export type RedactOptions = {
  /** Makes two secrets' placeholders differ. Without one, a placeholder has no hash. */
  readonly keyedHash?: KeyedHash;
  /** Secrets to find exactly; the process's own unless another registry is given. */
  readonly secrets?: SecretRegistry;
};

/** Shorter than any secret that has a shape. */
const shortestFind = 10;

/** The text with every secret that can be seen in it replaced by a placeholder. Ordinary text comes back as it is. */
export function redactText(text: string, options: RedactOptions = {}): string {
  const spans = text.length < shortestFind ? [] : findSecrets(text).spans;
  findHeld(text, options.secrets ?? heldSecrets, spans);
  return spans.length === 0 ? text : hideSpans(text, spans, options.keyedHash);
}

/** What is found by likeness alone, and so may be an opaque handle that somebody has declared public. */
const byLikeness = new Set(["jwt", "prefixed_key", "secret", "password"]);

/** The same for a text that is declared public: only what is certain is hidden. */
export function redactPublicText(text: string, options: RedactOptions): string {
  const spans = findSecrets(text).spans.filter(({ kind }) => !byLikeness.has(kind));
  findHeld(text, options.secrets ?? heldSecrets, spans);
  return hideSpans(text, spans, options.keyedHash);
}

export function findHeld(text: string, secrets: SecretRegistry, spans: Span[]): void {
  if (text.length < secrets.shortest) return;
  const pattern = secrets.pattern();
  if (pattern === null) return;
  for (const match of text.matchAll(pattern)) {
    spans.push({ start: match.index, end: match.index + match[0].length, kind: secrets.kindOf(match[0]) });
  }
}
