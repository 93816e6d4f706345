import type { GivenNetwork } from "../command-line/network-options.ts";

/** As they were given. */
export type ChatOptions = GivenNetwork & {
  readonly session: string;
  readonly model?: string;
  readonly pack?: readonly string[];
  readonly policy?: string;
  readonly constraint?: readonly string[];
  readonly instructions?: string;
  readonly toolCalling: "text" | "native";
  readonly account: string;
  readonly data?: string;
  readonly store?: string;
  /** Who answers what is asked here. */
  readonly as?: string;
  readonly wait: number;
  /** What is said, once. */
  readonly once?: string;
  /** A turn that was left is gone on with, or given up, and that is all. */
  readonly resume?: true;
  readonly cancel?: true;
  readonly json?: true;
  readonly ndjson?: true;
};
