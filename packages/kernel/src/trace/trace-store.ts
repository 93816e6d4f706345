/** Where a trace is kept while it is written, and read from afterwards. What is there at any moment is a whole trace as far as it goes. */
export type TraceStore = {
  /**
   * Takes all of it so far, in place of what there was: at the beginning, when the first line has become another because a tool was
   * used that it did not name, and when something in it was erased.
   */
  readonly replace: (lines: readonly string[]) => Promise<void>;
  readonly append: (lines: readonly string[]) => Promise<void>;
  /** Nothing more is coming. */
  readonly end: () => Promise<void>;
  /** All of it so far. */
  readonly text: () => Promise<string>;
};

/** Keeps a trace in memory. */
export function memoryTrace(): TraceStore {
  let kept: string[] = [];
  return {
    replace: async (lines) => {
      kept = [...lines];
    },
    append: async (lines) => {
      for (const line of lines) kept.push(line);
    },
    end: async () => undefined,
    text: async () => kept.map((line) => `${line}\n`).join(""),
  };
}
