/** What has come of a line so far, as long as nothing but its indentation and the marks of quotes and lists has. */
export type LineStart = {
  /** Columns since the last mark. */
  readonly indent: number;
  readonly isQuoted: boolean;
  readonly isItem: boolean;
  /** What may become the mark of a list: `-`, `12`, `12.` */
  readonly mark: "" | "bullet" | "digits" | "number";
};

export const lineStart: LineStart = { indent: 0, isQuoted: false, isItem: false, mark: "" };

/** The start with another unit, or nothing when that is the line's own text. */
export function continueLineStart(start: LineStart, unit: string): LineStart | undefined {
  const { mark, indent } = start;
  if (unit === " " || unit === "\t") {
    if (mark === "digits") return undefined;
    if (mark !== "") return { ...start, mark: "", indent: 0, isItem: true };
    return { ...start, indent: indent + (unit === " " ? 1 : 4) };
  }
  if (unit >= "0" && unit <= "9" && (mark === "" || mark === "digits")) return { ...start, mark: "digits" };
  if ((unit === "." || unit === ")") && mark === "digits") return { ...start, mark: "number" };
  if (mark !== "") return undefined;
  if (unit === ">") return { ...start, indent: 0, isQuoted: true };
  if (unit === "-" || unit === "*" || unit === "+") return { ...start, mark: "bullet" };
  return undefined;
}
