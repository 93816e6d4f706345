export type Page<Item> = { readonly items: readonly Item[]; readonly next?: string };

/**
 * Items may be large: a page ends early rather than to grow beyond this, but never before its first item.
 * @limit platform.pageChars | the page ends, and `next` says where | fixed: what a client reads at once
 */
const pageChars = 2 ** 20;

/** In the order of their places, after the one that an earlier page ended at: also where that is no longer there. */
export function pageOf<Item>(
  all: readonly Item[],
  placeOf: (item: Item) => string,
  after: string | undefined,
  limit: number,
): Page<Item> {
  const left = all
    .toSorted((one, other) => (placeOf(one) < placeOf(other) ? -1 : 1))
    .filter((one) => after === undefined || placeOf(one) > after);
  const items: Item[] = [];
  let chars = 0;
  for (const one of left.slice(0, limit)) {
    chars += JSON.stringify(one).length;
    if (items.length > 0 && chars > pageChars) break;
    items.push(one);
  }
  const last = items.at(-1);
  return { items, ...(last !== undefined && items.length < left.length && { next: placeOf(last) }) };
}
