/** A place in one sequence, in the other, or in both where they belong together; counted from 0. */
export type Alignment = { readonly a?: number; readonly b?: number };

/** What two elements must have in common to belong together; the strictest first. */
export type Likeness<Element> = (element: Element) => string;

/**
 * Which elements of two sequences belong together, in order: those that are alike by the first likeness, and between them those
 * that are by the next. What is left has nobody. Equal beginnings and ends stay together, and it takes n log n steps for any two.
 */
export function alignSequences<Element>(
  a: readonly Element[],
  b: readonly Element[],
  isSame: (one: Element, other: Element) => boolean,
  likenesses: readonly Likeness<Element>[],
): Alignment[] {
  const least = Math.min(a.length, b.length);
  let head = 0;
  while (head < least && isSame(a[head] as Element, b[head] as Element)) head++;
  let tail = 0;
  while (tail < least - head && isSame(a.at(-1 - tail) as Element, b.at(-1 - tail) as Element)) tail++;
  const middle = alignGap({ a: [head, a.length - tail], b: [head, b.length - tail] }, { a, b, likenesses });
  return [
    ...together(head, { a: 0, b: 0 }),
    ...middle,
    ...together(tail, { a: a.length - tail, b: b.length - tail }),
  ];
}

function together(count: number, from: Anchor): Alignment[] {
  return Array.from({ length: count }, (_, at) => ({ a: from.a + at, b: from.b + at }));
}

type Range = readonly [from: number, to: number];
type Gap = { readonly a: Range; readonly b: Range };
type Both<Element> = {
  readonly a: readonly Element[];
  readonly b: readonly Element[];
  readonly likenesses: readonly Likeness<Element>[];
};

function alignGap<Element>({ a, b }: Gap, both: Both<Element>): Alignment[] {
  const [likeness, ...likenesses] = both.likenesses;
  if (likeness === undefined || a[0] === a[1] || b[0] === b[1]) return alone({ a, b });
  const anchors = inOrder(nthWithNth({ a, b }, both, likeness));
  const aligned: Alignment[] = [];
  let [fromA, fromB] = [a[0], b[0]];
  for (const anchor of [...anchors, { a: a[1], b: b[1] }]) {
    const gap = alignGap({ a: [fromA, anchor.a], b: [fromB, anchor.b] }, { ...both, likenesses });
    for (const one of gap) aligned.push(one);
    if (anchor.a < a[1] && anchor.b < b[1]) aligned.push(anchor);
    [fromA, fromB] = [anchor.a + 1, anchor.b + 1];
  }
  return aligned;
}

function alone({ a, b }: Gap): Alignment[] {
  return [...places(a).map((at) => ({ a: at })), ...places(b).map((at) => ({ b: at }))];
}

function places([from, to]: Range): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}

type Anchor = { readonly a: number; readonly b: number };

/** The nth of a kind with the nth of that kind, as a replay gives them out. */
function nthWithNth<Element>(
  { a, b }: Gap,
  both: Pick<Both<Element>, "a" | "b">,
  likeness: Likeness<Element>,
): Anchor[] {
  const waiting = new Map<string, number[]>();
  for (let at = b[1] - 1; at >= b[0]; at--) {
    const kind = likeness(both.b[at] as Element);
    const list = waiting.get(kind);
    if (list === undefined) waiting.set(kind, [at]);
    else list.push(at);
  }
  const anchors: Anchor[] = [];
  for (let at = a[0]; at < a[1]; at++) {
    const next = waiting.get(likeness(both.a[at] as Element))?.pop();
    if (next !== undefined) anchors.push({ a: at, b: next });
  }
  return anchors;
}

/** As many of them as can be kept with both sides ascending. */
function inOrder(anchors: readonly Anchor[]): Anchor[] {
  /** For each length the anchor that such a chain can end with earliest, and for each anchor the one before it. */
  const ends: number[] = [];
  const before: (number | undefined)[] = [];
  for (const [index, anchor] of anchors.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const half = (low + high) >> 1;
      if ((anchors[ends[half] ?? 0] as Anchor).b < anchor.b) low = half + 1;
      else high = half;
    }
    before.push(ends[low - 1]);
    ends[low] = index;
  }
  const chain: Anchor[] = [];
  for (let at = ends.at(-1); at !== undefined; at = before[at]) chain.push(anchors[at] as Anchor);
  return chain.toReversed();
}
