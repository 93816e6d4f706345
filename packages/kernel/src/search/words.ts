/** Longer runs are several words: no index meets a word too long to hold, and the whole run still finds itself. */
const longestWord = 256;
const runs = new RegExp(`[\\p{L}\\p{N}]{1,${longestWord}}`, "gu");
const plain = /^[\0-\x7f]*$/;
const plainRuns = new RegExp(`[a-z0-9]{1,${longestWord}}`, "g");

/**
 * The words of a text in their order: runs of letters and digits, without case, diacritics and compatibility forms. Every
 * index takes its words from here, for texts and for queries, so that all of them find the same.
 */
export function wordsOf(text: string): string[] {
  // Most texts are of these letters alone, and then the rest comes to the same.
  if (plain.test(text)) return text.toLowerCase().match(plainRuns) ?? [];
  const bare = text.normalize("NFKD").replaceAll(/\p{M}/gu, "");
  // Through the lower case and back to it: ẞ, ß and SS, and every sigma, become one. The last step looks at one word at a
  // time, because the lower case of a sigma depends on what stands beside it.
  return Array.from(bare.toLowerCase().toUpperCase().matchAll(runs), ([word]) => word.toLowerCase());
}

/** How often each word stands in a text. */
export function countWords(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
