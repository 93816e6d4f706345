import { findPercentEncoded } from "./find-percent-encoded.ts";
import { findSecrets } from "./find-secrets.ts";
import { FoundSecrets } from "./found-secrets.ts";
import { heldSecrets, type SecretRegistry } from "./held-secrets.ts";
import { hideSpans, mergeSpans } from "./hide-spans.ts";
import { type KeyedHash, placeholdersIn } from "./placeholder.ts";
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
  /** Receives what is found, so that the caller hides it in other texts and values, too: of what is declared secret also ordinary words. */
  readonly found?: SecretRegistry | undefined;
};

/** Shorter than any secret that has a shape. */
const shortestFind = 10;

/**
 * The text with every secret that can be seen in it replaced by a placeholder, also where one that was found stands again. Ordinary
 * text comes back as it is.
 */
export function redactText(text: string, options: RedactOptions = {}): string {
  const seen = shapesIn(text);
  const spans = [...seen, ...heldIn(text, options)];
  if (spans.length === 0) return text;
  const found = new FoundSecrets();
  collect(text, seen, found);
  if (options.found !== undefined) collect(text, spans, new FoundSecrets(options.found));
  const again = found.isEmpty ? none : spansOfFound(text, found.registry);
  return hideSpans(text, again.length === 0 ? spans : [...mergeSpans(spans), ...again], options.keyedHash);
}

/** The same without the search for what was found in another place: `found` receives it. */
export function redactOnce(text: string, options: RedactOptions, found: FoundSecrets): string {
  return hide(text, shapesIn(text), options, found);
}

/** The same for a text of which it is known that nothing in it has the shape of a secret. */
export function redactHeld(text: string, options: RedactOptions): string {
  return hide(text, none, options);
}

/** Hides what was found in another place. What stands in a placeholder is no secret. */
export function redactFound(text: string, found: SecretRegistry, keyedHash: KeyedHash | undefined): string {
  const spans = spansOfFound(text, found);
  return spans.length === 0 ? text : hideSpans(text, spans, keyedHash);
}

export function hasSecretShape(text: string): boolean {
  return shapesIn(text).length > 0;
}

/** What redaction hides in a text. */
export function spansIn(text: string, options: RedactOptions = {}): readonly Span[] {
  return [...shapesIn(text), ...heldIn(text, options)];
}

const none: readonly Span[] = [];

function shapesIn(text: string): readonly Span[] {
  if (text.length < shortestFind) return none;
  const encoded = findPercentEncoded(text);
  const { spans } = findSecrets(text);
  return encoded.length === 0 ? spans : [...spans, ...encoded];
}

function heldIn(text: string, { secrets = heldSecrets, alsoSecrets }: RedactOptions): readonly Span[] {
  const held = secrets.find(text);
  const also = alsoSecrets?.find(text) ?? none;
  return also.length === 0 ? held : [...held, ...also];
}

function hide(text: string, seen: readonly Span[], options: RedactOptions, found?: FoundSecrets): string {
  const held = heldIn(text, options);
  if (seen.length === 0 && held.length === 0) return text;
  const spans = [...seen, ...held];
  if (found !== undefined) collect(text, options.found === undefined ? seen : spans, found);
  return hideSpans(text, spans, options.keyedHash);
}

function collect(text: string, spans: readonly Span[], found: FoundSecrets): void {
  for (const { start, end } of mergeSpans(spans)) found.add(text.slice(start, end));
}

/** Where these stand in a text, but for its placeholders. */
export function spansOfFound(text: string, found: SecretRegistry): readonly Span[] {
  const spans = found.find(text);
  const placeholders = spans.length === 0 ? [] : placeholdersIn(text, 0);
  if (placeholders.length === 0) return spans;
  let passed = 0;
  return spans
    .toSorted((a, b) => a.start - b.start)
    .filter(({ start, end }) => {
      while (passed < placeholders.length && (placeholders[passed]?.end ?? 0) <= start) passed++;
      return end <= (placeholders[passed]?.start ?? end);
    });
}

/** What is found by likeness alone, and so may be an opaque handle that somebody has declared public. */
const byLikeness = new Set(["jwt", "prefixed_key", "secret", "password"]);

/** The same for a text that is declared public: only what is certain is hidden. */
export function redactPublicText(text: string, options: RedactOptions, found: FoundSecrets): string {
  const certain = shapesIn(text).filter(({ kind }) => !byLikeness.has(kind));
  return hide(text, certain, options, found);
}
