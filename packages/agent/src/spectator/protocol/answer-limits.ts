export type AnswerLimits = {
  /** Of a block's text in UTF-8. */
  readonly notesBytes: number;
  readonly toolCallsBytes: number;
  readonly callsPerAnswer: number;
};

export const answerLimits: AnswerLimits = {
  notesBytes: 64 * 1024,
  toolCallsBytes: 256 * 1024,
  callsPerAnswer: 64,
};
