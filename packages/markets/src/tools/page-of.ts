/** What was found with one more than asked for: that much of it, and where to go on if there is more. */
export function pageOf<Item>(
  found: readonly Item[],
  limit: number,
  nameOf: (item: Item) => string | undefined,
): { items: Item[]; next?: string } {
  const items = found.slice(0, limit);
  const last = items.at(-1);
  const next = found.length > limit && last !== undefined ? nameOf(last) : undefined;
  return { items, ...(next !== undefined && { next }) };
}
