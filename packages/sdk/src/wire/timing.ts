/** The effects of time and chance, so that a test can drive them. */
export type Timing = {
  /** Milliseconds of the wall clock. */
  readonly now: () => number;
  /** Milliseconds that only grow. */
  readonly elapsed: () => number;
  /** At least 0, less than 1. */
  readonly random: () => number;
  /** Runs once after a time; what it gives back calls it off. */
  readonly after: (ms: number, run: () => void) => () => void;
};

export const realTiming: Timing = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  random: () => Math.random(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
