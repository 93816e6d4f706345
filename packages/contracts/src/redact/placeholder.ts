/** A keyed digest of a secret, in hex: HMAC under a key that only this installation holds. */
export type KeyedHash = (secret: string) => string;

/** `[redacted:<kind>]`, with 12 hex of the keyed hash where one is given, so that two secrets never look the same. */
export function placeholderFor(kind: string, secret: string, keyedHash?: KeyedHash): string {
  return keyedHash === undefined
    ? `[redacted:${kind}]`
    : `[redacted:${kind}:${keyedHash(secret).slice(0, 12)}]`;
}

/** A number's is never that of a text which is written the same: an approval of the one is none of the other (A1). */
export function placeholderForNumber(kind: string, secret: number | bigint, keyedHash?: KeyedHash): string {
  return placeholderFor(`${kind}_number`, String(secret), keyedHash);
}

const placeholder = /\[redacted(?::[a-z0-9_]{1,40}(?::[0-9a-f]{12})?)?\]/;
const wholePlaceholder = new RegExp(`^${placeholder.source}$`);
const everyPlaceholder = new RegExp(placeholder, "g");

/** The most that one takes. */
const longestPlaceholder = 64;

/** Where placeholders stand in a text that do not end before this place. */
export function placeholdersIn(text: string, from: number): { start: number; end: number }[] {
  const near = Math.max(0, from - longestPlaceholder);
  if (!text.includes("[redacted", near)) return [];
  return Array.from(text.slice(near).matchAll(everyPlaceholder), ({ 0: found, index }) => ({
    start: near + index,
    end: near + index + found.length,
  }));
}

export function hasPlaceholder(text: string): boolean {
  return placeholder.test(text);
}

export function isPlaceholder(text: string): boolean {
  return wholePlaceholder.test(text);
}

/** Every placeholder cut to `[redacted]`: two records of the same call under different installation keys then agree. */
export function cutPlaceholders(text: string): string {
  return text.replaceAll(everyPlaceholder, "[redacted]");
}

/** Every placeholder in a text, with what the hidden part was taken for. */
export function placeholderFactsIn(text: string): { readonly placeholder: string; readonly kind: string }[] {
  if (!text.includes("[redacted")) return [];
  return Array.from(text.matchAll(everyPlaceholder), ({ 0: found }) => ({
    placeholder: found,
    kind: found.slice(1, -1).split(":")[1] ?? "secret",
  }));
}
