/** What has come of a line so far, as long as nothing but its indentation and the marks of quotes and lists has. */
export type LineStart = {
  /** Columns since the last mark, and since the last mark of a quote; the one space that belongs to that is none. */
  readonly indent: number;
  readonly column: number;
  /** Columns of the line. */
  readonly width: number;
  readonly quotes: number;
  readonly isAfterQuote: boolean;
  /** Whether the mark of a quote comes after an indentation or the mark of an item: then it may be none, or an item's. */
  readonly isQuoteUnsure: boolean;
  readonly isItem: boolean;
  /** Whether the mark of its item is none in the middle of a paragraph. */
  readonly isItemUnsure: boolean;
  /** What may become the mark of a list: `-`, `12`, `12.` */
  readonly mark: "" | "bullet" | "digits" | "number";
  readonly digits: string;
};

export const lineStart: LineStart = {
  indent: 0,
  column: 0,
  width: 0,
  quotes: 0,
  isAfterQuote: false,
  isQuoteUnsure: false,
  isItem: false,
  isItemUnsure: false,
  mark: "",
  digits: "",
};

const mostDigits = 9;

/** The start with another unit, or nothing when that is the line's own text. */
export function continueLineStart(start: LineStart, unit: string): LineStart | undefined {
  const { mark, digits } = start;
  if (unit === " " || unit === "\t") return mark === "digits" ? undefined : widen(start, unit);
  const next = { ...start, column: start.column + 1, width: start.width + 1, isAfterQuote: false };
  const isDigit = unit >= "0" && unit <= "9" && digits.length < mostDigits;
  if (isDigit && (mark === "" || mark === "digits"))
    return { ...next, mark: "digits", digits: digits + unit };
  if ((unit === "." || unit === ")") && mark === "digits") return { ...next, mark: "number" };
  if (mark !== "") return undefined;
  if (unit === ">") {
    const isQuoteUnsure = start.isQuoteUnsure || start.isItem || start.indent > 0;
    return { ...next, indent: 0, column: 0, quotes: start.quotes + 1, isAfterQuote: true, isQuoteUnsure };
  }
  if (unit === "-" || unit === "*" || unit === "+") return { ...next, mark: "bullet" };
  return undefined;
}

function widen(start: LineStart, unit: string): LineStart {
  const { mark, digits, isItem, isAfterQuote } = start;
  const wide = unit === "\t" ? 4 - (start.width % 4) : 1;
  const counted = isAfterQuote ? wide - 1 : wide;
  const column = start.column + counted;
  const next = { ...start, column, width: start.width + wide, isAfterQuote: false };
  if (mark === "") return { ...next, indent: start.indent + counted };
  // Only an item that begins with a bullet or with 1 can follow on a paragraph.
  const isItemUnsure = start.isItemUnsure || (mark === "number" && digits !== "1" && !isItem);
  return { ...next, mark: "", digits: "", indent: 0, isItem: true, isItemUnsure };
}

/** Whether a line that ends here is the beginning of an item, perhaps with nothing in it. */
export function beginsItem({ isItem, mark }: LineStart): boolean {
  return isItem || mark === "bullet" || mark === "number";
}
