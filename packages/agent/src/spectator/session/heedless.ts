/** Nothing that whoever is told does has a say in what is told of: not what they throw, now or later. */
export function heedless<Told>(
  tell: (told: Told) => unknown,
  failed: (error: unknown) => void,
): (told: Told) => void {
  return (told) => {
    try {
      const later = tell(told);
      if (later instanceof Promise) later.catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}
