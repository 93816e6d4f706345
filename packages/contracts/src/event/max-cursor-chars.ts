/** The longest cursor of an event stream. Most are one or two places long; each segment that is still written to adds one. */
export const maxCursorChars = 65_536;
