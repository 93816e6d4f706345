import type { Digest } from "@spfunctions/contracts";
import type { FixtureMode } from "./fixture-mode.ts";

/** A recorded call that nobody has asked for. */
export type UnusedCall = {
  readonly tool: string;
  readonly callId: string;
  readonly inputHash?: Digest;
};

/** What a test may want to know of its fixture. */
export type Fixture = {
  /** Where it lies. */
  readonly file: string;
  readonly mode: FixtureMode;
  /** The recorded calls that were not asked for so far; none while it is recorded. */
  unused(): readonly UnusedCall[];
  /** Ends it, and keeps nothing of what was recorded. */
  discard(): Promise<void>;
};
