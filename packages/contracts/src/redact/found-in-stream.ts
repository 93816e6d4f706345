// S1: what was found in a stream is hidden where it comes again. What stands before it has been given out.
import { FoundSecrets } from "./found-secrets.ts";
import { spansOfFound } from "./redact-text.ts";
import type { Span } from "./span.ts";

/** A longer one is not searched for: as much text as it takes would be held back from then on. */
const maxLength = 512;
/** The search is built anew for each secret that is found. */
const maxSecrets = 64;

/** The same as of a whole text, whatever the cuts: at each place, the secrets that were found before it are searched for. */
export class FoundInStream {
  #found = new FoundSecrets();
  #secrets = new Set<string>();
  /** Where those end in the text that were added by the last search. */
  #added: { readonly secret: string; readonly end: number }[] = [];

  /** Where these secrets, and those of before, stand in a text behind their finding: `spans` in order. */
  find(text: string, spans: readonly Span[], textOf: (span: Span) => string): Span[] {
    const again: Span[] = [];
    this.#added = [];
    let from = 0;
    for (const span of spans) {
      const secret = textOf(span);
      if (this.#secrets.has(secret) || secret.length > maxLength) continue;
      if (this.#secrets.size >= maxSecrets) break;
      again.push(...this.#findBetween(text, from, span.end));
      this.#add(secret);
      this.#added.push({ secret, end: span.end });
      from = span.end;
    }
    again.push(...this.#findBetween(text, from, text.length));
    return again;
  }

  /** What was found behind this place is found again when more of the text is there. */
  keepUntil(at: number): void {
    const early = this.#added.filter(({ end }) => end > at);
    if (early.length === 0) return;
    const kept = this.#secrets;
    for (const { secret } of early) kept.delete(secret);
    this.#found = new FoundSecrets();
    this.#secrets = new Set();
    for (const secret of kept) this.#add(secret);
  }

  /** Where in a text a secret may begin that ends only in what is still to come. */
  openFrom(text: string): number {
    return this.#found.registry.openFrom(text);
  }

  #add(secret: string): void {
    this.#secrets.add(secret);
    this.#found.add(secret);
  }

  #findBetween(text: string, from: number, to: number): Span[] {
    if (this.#found.isEmpty || from >= to) return [];
    return spansOfFound(text, this.#found.registry).filter(({ start }) => start >= from && start < to);
  }
}
