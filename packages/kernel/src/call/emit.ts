/** Tells whoever watches. What they throw, now or later, stops nothing (B24): what they watch is not theirs. */
export function emit<Seen extends readonly unknown[]>(
  watch: ((...seen: Seen) => void) | undefined,
  ...seen: Seen
): void {
  try {
    const answer: unknown = watch?.(...seen);
    if (answer instanceof Promise) answer.catch(() => undefined);
  } catch {
    // See above.
  }
}
