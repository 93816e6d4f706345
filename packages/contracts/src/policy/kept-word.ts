const keptForm = /^hmac-sha256:[0-9a-f]{64}$/;

/** Whether the word that confirms an order is there as its keyed hash alone (S1). */
export function isKeptWord(word: string): boolean {
  return keptForm.test(word);
}
