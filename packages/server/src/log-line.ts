/** What a platform has to say besides its answers: one plain object each. */
export type LogLine = {
  readonly level: "error" | "warn";
  readonly message: string;
  readonly [field: string]: unknown;
};
