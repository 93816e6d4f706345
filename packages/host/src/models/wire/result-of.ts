/** What it comes to, where nobody watches it come. */
export async function resultOf<Result>(events: AsyncGenerator<unknown, Result>): Promise<Result> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one comes after the other
    const next = await events.next();
    if (next.done === true) return next.value;
  }
}
