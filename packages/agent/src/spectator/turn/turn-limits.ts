import { defaultBlockLimits } from "../memory/retrieved-block.ts";

/** How much of a turn is shown and kept. Characters are UTF-16 code units. */
export type TurnLimits = {
  /** Of what a user says. */
  readonly userChars: number;
  /** Of a message as later turns are shown it. */
  readonly messageChars: number;
  /** Of a tool's result in UTF-8: as the model is shown it, and as later turns are. */
  readonly toolResultBytes: number;
  readonly keptResultBytes: number;
  /** Memories that a turn is shown; of each, and of all of them together. */
  readonly retrieved: number;
  readonly excerptChars: number;
  readonly blockChars: number;
};

export const defaultTurnLimits: TurnLimits = Object.freeze({
  userChars: 64_000,
  messageChars: 8000,
  toolResultBytes: 64 * 1024,
  keptResultBytes: 2048,
  retrieved: 5,
  ...defaultBlockLimits,
});
