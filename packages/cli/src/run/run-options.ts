import type { GivenNetwork } from "../command-line/network-options.ts";

/** As they were given. */
export type RunCommandOptions = GivenNetwork & {
  readonly demo?: true;
  readonly model?: string;
  readonly policy?: string;
  readonly tools?: readonly string[];
  readonly session?: string;
  readonly instructions?: string;
  readonly outputSchema?: string;
  readonly maxSteps?: number;
  readonly pack?: readonly string[];
  readonly url?: string;
  readonly keyFile?: string;
  readonly account: string;
  readonly data?: string;
  readonly store?: string;
  /** Who answers what is asked here. */
  readonly as?: string;
  readonly wait: number;
  readonly recordTrace?: string;
  readonly replayTrace?: readonly string[];
  readonly json?: true;
  readonly ndjson?: true;
};
