/** What has come of a line so far, as long as nothing but its indentation and the marks of quotes and lists has. */
export type LineStart = {
  /** Columns since the last mark, and since the last mark of a quote. */
  readonly indent: number;
  readonly column: number;
  readonly isQuoted: boolean;
  readonly isItem: boolean;
  /** What may become the mark of a list: `-`, `12`, `12.` */
  readonly mark: "" | "bullet" | "digits" | "number";
};

export const lineStart: LineStart = { indent: 0, column: 0, isQuoted: false, isItem: false, mark: "" };

/** The start with another unit, or nothing when that is the line's own text. */
export function continueLineStart(start: LineStart, unit: string): LineStart | undefined {
  const { mark } = start;
  const width = unit === "\t" ? 4 : 1;
  const wider = { ...start, column: start.column + width };
  if (unit === " " || unit === "\t") {
    if (mark === "digits") return undefined;
    if (mark !== "") return { ...wider, mark: "", indent: 0, isItem: true };
    return { ...wider, indent: start.indent + width };
  }
  if (unit >= "0" && unit <= "9" && (mark === "" || mark === "digits")) return { ...wider, mark: "digits" };
  if ((unit === "." || unit === ")") && mark === "digits") return { ...wider, mark: "number" };
  if (mark !== "") return undefined;
  if (unit === ">") return { ...start, indent: 0, column: 0, isQuoted: true };
  if (unit === "-" || unit === "*" || unit === "+") return { ...wider, mark: "bullet" };
  return undefined;
}
