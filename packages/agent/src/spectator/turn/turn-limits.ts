import { defaultBlockLimits } from "../memory/retrieved-block.ts";

/** How much of a turn is shown and kept. Characters are UTF-16 code units. */
export type TurnLimits = {
  /** What a user says in one turn. */
  readonly userChars: number;
  /** A message as later turns are shown it. */
  readonly messageChars: number;
  /** Of a tool's result in UTF-8: as the model is shown it, and as later turns are. */
  readonly toolResultBytes: number;
  readonly keptResultBytes: number;
  /** Memories that a turn is shown; of each, and of all of them together. */
  readonly retrieved: number;
  readonly excerptChars: number;
  readonly blockChars: number;
};

/**
 * @limits chat | `limits: { … }` of `Spectator`
 */
export const defaultTurnLimits: TurnLimits = Object.freeze({
  /** @at `invalid_input` */
  userChars: 64_000,
  /** @at it is cut there; the record has the whole */
  messageChars: 8000,
  /** A tool's result as the model is shown it, in UTF-8. @at it is cut, and says so */
  toolResultBytes: 64 * 1024,
  /** A tool's result as later turns are shown it, in UTF-8. @at it is cut, and says so */
  keptResultBytes: 2048,
  /** Memories that a turn is shown. @at the others are not shown */
  retrieved: 5,
  ...defaultBlockLimits,
});
