export type AnswerLimits = {
  /** Of a block's text in UTF-8. */
  readonly notesBytes: number;
  readonly toolCallsBytes: number;
  readonly callsPerAnswer: number;
};

/**
 * @limits chat | `limits: { … }` of `Spectator`
 */
export const answerLimits: AnswerLimits = {
  /** The block of notes in an answer, in UTF-8. @at the block is not taken, and the model is told */
  notesBytes: 64 * 1024,
  /** The block of calls in an answer, in UTF-8. @at the block is not taken, and the model is told */
  toolCallsBytes: 256 * 1024,
  /** Calls in one answer. @at the block is not taken, and the model is told */
  callsPerAnswer: 64,
};
