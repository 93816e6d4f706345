import { findSecrets } from "./find-secrets.ts";
import { heldSecrets, type SecretRegistry } from "./held-secrets.ts";
import { hideSpans } from "./hide-spans.ts";
import type { KeyedHash } from "./placeholder.ts";
import type { Span } from "./span.ts";

/** Counts up when the same text can come out differently, so that a record says by which rules it was made. */
export const redactionVersion = 5;

export type RedactOptions = {
  /** Makes two secrets' placeholders differ. Without one, a placeholder has no hash. */
  readonly keyedHash?: KeyedHash | undefined;
  /** Secrets to find exactly; the process's own unless another registry is given. */
  readonly secrets?: SecretRegistry | undefined;
  /** Further ones, that only the caller knows of. */
  readonly alsoSecrets?: SecretRegistry | undefined;
};

/** Shorter than any secret that has a shape. */
const shortestFind = 10;

/** The text with every secret that can be seen in it replaced by a placeholder. Ordinary text comes back as it is. */
export function redactText(text: string, options: RedactOptions = {}): string {
  return hide(text, text.length < shortestFind ? none : findSecrets(text).spans, options);
}

/** The same for a text of which it is known that nothing in it has the shape of a secret. */
export function redactHeld(text: string, options: RedactOptions): string {
  return hide(text, none, options);
}

export function hasSecretShape(text: string): boolean {
  return text.length >= shortestFind && findSecrets(text).spans.length > 0;
}

const none: readonly Span[] = [];

function hide(text: string, found: readonly Span[], options: RedactOptions): string {
  const { secrets = heldSecrets, alsoSecrets, keyedHash } = options;
  const held = secrets.find(text);
  const also = alsoSecrets?.find(text) ?? none;
  if (found.length === 0 && held.length === 0 && also.length === 0) return text;
  return hideSpans(text, [...found, ...held, ...also], keyedHash);
}

/** What is found by likeness alone, and so may be an opaque handle that somebody has declared public. */
const byLikeness = new Set(["jwt", "prefixed_key", "secret", "password"]);

/** The same for a text that is declared public: only what is certain is hidden. */
export function redactPublicText(text: string, options: RedactOptions): string {
  const certain = findSecrets(text).spans.filter(({ kind }) => !byLikeness.has(kind));
  return hide(text, certain, options);
}
