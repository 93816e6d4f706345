import { wordsOf } from "@spfunctions/kernel";

/** Words that say nothing about what a question is about. */
const idle = new Set(
  `a an and any at be by do does for from has have if in into is it its of on or than that the their there this to
  was were what when which who will with would yes no`.split(/\s+/),
);

/** What a title is about: its words, each once, without those that every question has. */
export type TitleWords = {
  readonly words: readonly string[];
  /** Those with a digit in them: a date, a threshold. */
  readonly numbers: readonly string[];
};

export type ReadTitle = (title: string) => TitleWords;

const mostKept = 250_000;
/** What a title says after this many words no longer counts: titles are written by others, and comparing them has to end. */
const mostWords = 40;

/** Takes titles apart, each once: they stay while prices change. */
export function titleReader(): ReadTitle {
  const kept = new Map<string, TitleWords>();
  /** One string for each word, however many titles have it. */
  const vocabulary = new Map<string, string>();

  function theOne(word: string): string {
    const known = vocabulary.get(word);
    if (known === undefined) vocabulary.set(word, word);
    return known ?? word;
  }
  return (title) => {
    const known = kept.get(title);
    if (known !== undefined) return known;
    if (kept.size >= mostKept) for (const memory of [kept, vocabulary]) memory.clear();
    const words = aboutWords(title).map(theOne);
    const made = { words, numbers: words.filter((word) => /\p{N}/u.test(word)) };
    kept.set(title, made);
    return made;
  };
}

function aboutWords(title: string): string[] {
  const words = new Set(wordsOf(evenNumbers(title)).map(plainForm));
  return [...words].filter((word) => !idle.has(word)).slice(0, mostWords);
}

/** $100k and 100,000 are one number, and so are 3% and 3.00%; 2.5 is one and not two; 25bps is a number and a word. */
function evenNumbers(title: string): string {
  if (!/\d/.test(title)) return title;
  return title
    .replaceAll(/(?<=\d)[,\u00a0\u202f](?=\d{3}(?!\d))/gu, "")
    .replaceAll(/(?<=\d)k\b/giu, "000")
    .replaceAll(/(?<=\d)(?=\p{L})|(?<=\p{L})(?=\d)/gu, " ")
    .replaceAll(/(?<=\d)\.(\d*[1-9])?0*(?!\d)/gu, (_, digits: string | undefined) =>
      digits === undefined ? " " : `p${digits} `,
    );
}

const months = /^(?:jan|febr|march|april|june|july|aug|sept|oct|nov|dec)(?:uary|ust|ember|ober)?$/;

/** One form for a word in singular and plural, and for a month in full and in short. */
function plainForm(word: string): string {
  if (months.test(word)) return word.slice(0, 3);
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}
