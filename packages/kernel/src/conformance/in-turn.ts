/** One after the other, each when the one before has ended. */
export async function inTurn<Item>(
  items: Iterable<Item>,
  act: (item: Item) => Promise<unknown>,
): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop
  for (const item of items) await act(item);
}
