/**
 * The longest cursor of an event stream. Most are one or two places long; each segment that is still written to adds one.
 * @limit events.cursorChars | `invalid_input`: no cursor | fixed: it travels in an address
 */
export const maxCursorChars = 65_536;
