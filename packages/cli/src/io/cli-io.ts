/** Code of others: a pack that is loaded, or a tool that is called. */
export type Entered = { readonly type: "pack" | "tool"; readonly name: string };

/** Everything of the outside that `sf` touches besides files: given by whoever runs it. */
export type CliIo = {
  readonly stdin: AsyncIterable<Uint8Array>;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
  /** Whether a person looks at them. */
  readonly isTerminal: { readonly stdout: boolean; readonly stderr: boolean };
  /** How wide the terminal is, where there is one. */
  readonly columns?: number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the user of the operating system is called, if that is a name. */
  readonly user?: string | undefined;
  /** What relative paths start from. */
  readonly cwd: string;
  /** Aborts when the person wants it to end; the reason is the name of the signal. */
  readonly signal: AbortSignal;
  /**
   * While somebody hears them, a first Ctrl-C is told to them and ends nothing else; a second one ends the process at once. Gives back how to
   * stop hearing.
   */
  readonly hearInterrupt?: (hear: () => void) => () => void;
  /** Told before code of others is entered, which may never come back. */
  readonly entering?: (code: Entered) => void;
};
