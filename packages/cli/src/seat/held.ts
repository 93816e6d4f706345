/** What is to be closed again, in the order in which it was opened. */
export type Undo = (() => Promise<void>)[];

/** What was opened is closed in the other order, all of it, by whoever got it, or here where something fails. */
export async function held<Opened>(
  open: (undo: Undo, close: () => Promise<void>) => Promise<Opened>,
): Promise<Opened> {
  const undo: Undo = [];
  const close = async () => {
    const faults: unknown[] = [];
    for (let last = undo.pop(); last !== undefined; last = undo.pop())
      // oxlint-disable-next-line no-await-in-loop -- each stands on the one before
      await last().catch((fault: unknown) => faults.push(fault));
    if (faults.length > 0) throw faults[0];
  };
  try {
    return await open(undo, close);
  } catch (error) {
    // What went wrong first says more than what it brought with it.
    await close().catch(() => undefined);
    throw error;
  }
}
