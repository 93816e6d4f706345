import { lotOf, type Meaning } from "./wordnet.ts";

/** A text, and the ids of the meanings that fit it. `but`: what it was made from, which is not looked for. */
export type Question = { readonly text: string; readonly fits: readonly string[]; readonly but?: string };

export type Half = {
  readonly meanings: readonly Meaning[];
  readonly questions: { readonly [kind: string]: readonly Question[] };
};

const mostQuestions = 500;

/** Meanings with examples in two halves that have nothing in common: what is chosen by the one is judged by the other. */
export function halves(all: readonly Meaning[]): { readonly development: Half; readonly test: Half } {
  const drawn = all.filter(({ examples }) => examples.length > 0);
  return {
    development: halfOf(drawn.filter((meaning) => lotOf(meaning) % 2 === 0)),
    test: halfOf(drawn.filter((meaning) => lotOf(meaning) % 2 === 1)),
  };
}

function halfOf(meanings: readonly Meaning[]): Half {
  const ids = new Set(meanings.map(({ id }) => id));
  const inLots = meanings.toSorted((a, b) => lotOf(a) - lotOf(b));
  const usage = inLots.map(({ id, examples: [text = ""] }) => ({ text, fits: [id] }));
  const related = inLots.flatMap(({ id, definition: text, related: linked }) => {
    const fits = linked.filter((other) => ids.has(other));
    return fits.length === 0 ? [] : [{ text, fits, but: id }];
  });
  return {
    meanings,
    questions: {
      "an example of use, for its meaning": usage.slice(0, mostQuestions),
      "a definition, for those of derived words": related.slice(0, mostQuestions),
    },
  };
}
