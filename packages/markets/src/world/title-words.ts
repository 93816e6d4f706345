import { wordsOf } from "@spfunctions/kernel";

/** Words that say nothing about what a question is about. */
const idle = new Set(
  `a an and any at be by do does for from has have if in into is it its of on or than that the their there this to
  was were what when which who will with would yes no`.split(/\s+/),
);

/** What a title is about: its words, each once, without those that every question has. */
export type TitleWords = {
  readonly words: readonly string[];
  /** A number for each of the words: among titles that are read together, one word has one number. */
  readonly ids: readonly number[];
  /** The ids of those with a digit in them: a date, a threshold. */
  readonly numbers: readonly number[];
};

export type ReadTitles = (titles: readonly string[]) => readonly TitleWords[];

type Word = { readonly text: string; readonly id: number; readonly isNumber: boolean };

const mostKept = 250_000;
/** What a title says after this many words no longer counts: titles are written by others, and comparing them has to end. */
const mostWords = 40;

/** Takes titles apart, each once: they stay while prices change. */
export function titleReader(): ReadTitles {
  const kept = new Map<string, TitleWords>();
  /** What stands between two spaces means the same in every title. */
  const parts = new Map<string, readonly Word[]>();
  const vocabulary = new Map<string, Word>();

  function theOne(text: string): Word {
    const known = vocabulary.get(text) ?? { text, id: vocabulary.size, isNumber: /\p{N}/u.test(text) };
    vocabulary.set(text, known);
    return known;
  }
  function wordsIn(part: string): readonly Word[] {
    const known = parts.get(part) ?? aboutWords(part).map(theOne);
    parts.set(part, known);
    return known;
  }
  function takeApart(title: string): TitleWords {
    const known = kept.get(title);
    if (known !== undefined) return known;
    const words = [...new Set(title.split(" ").flatMap(wordsIn))].slice(0, mostWords);
    const made = {
      words: words.map(({ text }) => text),
      ids: words.map(({ id }) => id),
      numbers: words.flatMap(({ id, isNumber }) => (isNumber ? [id] : [])),
    };
    kept.set(title, made);
    return made;
  }
  return (titles) => {
    const most = Math.max(kept.size, parts.size, vocabulary.size) + titles.length;
    if (most > mostKept) for (const memory of [kept, parts, vocabulary]) memory.clear();
    return titles.map(takeApart);
  };
}

function aboutWords(part: string): string[] {
  return wordsOf(evenNumbers(part))
    .map(plainForm)
    .filter((word) => !idle.has(word));
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
