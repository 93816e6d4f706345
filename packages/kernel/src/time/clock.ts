/** Where times come from. `now` may jump either way; `elapsed` only grows. */
export type Clock = {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds since some moment. */
  readonly elapsed: () => number;
  /** Does something once, later; what it gives back calls it off. `keepsUp`: whether the process is kept up for it; it is unless given. */
  readonly after: (ms: number, act: () => void, terms?: { readonly keepsUp?: boolean }) => () => void;
};

export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  after: (ms, act, { keepsUp = true } = {}) => {
    const timer = setTimeout(act, ms);
    if (!keepsUp) timer.unref();
    return () => clearTimeout(timer);
  },
};
