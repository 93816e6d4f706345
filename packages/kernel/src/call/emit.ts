/** Tells somebody: what they throw, now or later, stops nothing (B24). What they are told of is not theirs. `failed` hears of it. */
export function heedless<Told extends readonly unknown[]>(
  tell: ((...told: Told) => unknown) | undefined,
  failed: (error: unknown) => void = () => undefined,
): (...told: Told) => void {
  return (...told) => {
    try {
      const later = tell?.(...told);
      if (later instanceof Promise) later.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}

/** Tells whoever watches, heedless of what they do. */
export function emit<Seen extends readonly unknown[]>(
  watch: ((...seen: Seen) => void) | undefined,
  ...seen: Seen
): void {
  if (watch !== undefined) heedless(watch)(...seen);
}
