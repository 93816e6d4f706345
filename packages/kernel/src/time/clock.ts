/** Where times come from. `now` may jump either way; `elapsed` only grows. */
export type Clock = {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds since some moment. */
  readonly elapsed: () => number;
  /** Does something once, later; what it gives back calls it off. */
  readonly after: (ms: number, act: () => void) => () => void;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};
