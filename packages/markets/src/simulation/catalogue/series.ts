import { mixText } from "../noise.ts";
import { drawRhythm, type Rhythm } from "./calendar.ts";
import { categories } from "./categories.ts";
import type { Subject, Template } from "./template.ts";

/** A question that is asked of one subject again and again. */
export type Series = {
  /** `WXHIGH-LIS`, with which the tickers of its markets begin. */
  readonly code: string;
  readonly key: number;
  readonly category: string;
  readonly template: Template;
  readonly subject: Subject;
  readonly rhythm: Rhythm;
  readonly tags: readonly string[];
};

/** The templates of a category begin with different subjects, so that few series still have many. */
const templates = categories.flatMap(({ name, templates: own }) =>
  own.map((template, at) => ({ category: name, template, shift: at * 9 })),
);

/** So many series, all templates alike often, in the order of their codes. */
export function listSeries(seedKey: number, count: number): readonly Series[] {
  const series = Array.from({ length: count }, (_, at) => seriesAt(seedKey, at)).filter(
    (each) => each !== undefined,
  );
  return series.toSorted((a, b) => (`${a.code}-` < `${b.code}-` ? -1 : 1));
}

function seriesAt(seedKey: number, at: number): Series | undefined {
  const turn = at % templates.length;
  const round = Math.floor(at / templates.length);
  const chosen = templates[turn];
  if (chosen === undefined) return undefined;
  const { category, template, shift } = chosen;
  const { subjects, another } = template.kind;
  const named = subjects[(round + shift) % subjects.length];
  if (named === undefined) return undefined;
  const subject = numbered(named, another, Math.floor(round / subjects.length) + 1);
  const code = `${template.code}-${subject.code}`;
  const key = mixText(seedKey, code);
  const tags = [category, ...template.tags, tagOf(subject.name), template.cadence];
  return { code, key, category, template, subject, rhythm: drawRhythm(key, template.cadence), tags };
}

function numbered(subject: Subject, another: string, number: number): Subject {
  if (number === 1) return subject;
  return { ...subject, code: `${subject.code}${number}`, name: `${subject.name} (${another} ${number})` };
}

/** `the São Paulo Sails` is tagged `sao-paulo-sails`. */
function tagOf(name: string): string {
  const plain = name
    .normalize("NFD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase();
  return plain
    .replace(/^the /, "")
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/-$/, "");
}
