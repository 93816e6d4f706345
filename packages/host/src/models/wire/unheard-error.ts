/**
 * An answer that did not come, broke off, or cannot be read. It is no error of ours on purpose: whoever asks takes only those for
 * the provider's own refusal, and what became of this request, and what it has cost, nobody knows.
 */
export class UnheardError extends Error {
  override readonly name = "UnheardError";
}
