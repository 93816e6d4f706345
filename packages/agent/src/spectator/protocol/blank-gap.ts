/** White space between two pieces of text: its whole lines, and what stands on the last. */
export type BlankGap = {
  readonly lines: number;
  readonly whole: string;
  readonly last: string;
  /** A line feed that comes next belongs to the line's end that is there. */
  readonly isReturned: boolean;
};

export const noGap: BlankGap = { lines: 0, whole: "", last: "", isReturned: false };

export function isBlank(unit: string): boolean {
  return unit === " " || unit === "\n" || unit === "\t" || unit === "\r";
}

export function widenGap({ lines, whole, last, isReturned }: BlankGap, unit: string): BlankGap {
  if (unit !== "\n" && unit !== "\r") return { lines, whole, last: last + unit, isReturned: false };
  const more = unit === "\n" && isReturned ? 0 : 1;
  return { lines: lines + more, whole: whole + last + unit, last: "", isReturned: unit === "\r" };
}

/**
 * What is left of the white space before and after something taken out: the blank lines of one side only, the side that has more, so that
 * they do not pile up, and the indentation of the text that follows.
 */
export function joinGaps(before: BlankGap, after: BlankGap): BlankGap {
  const { lines, whole } = after.lines >= before.lines ? after : before;
  const hasIndent = after.lines > 0 || (before.lines === 0 && before.last === "");
  return { lines, whole, last: hasIndent ? after.last : before.last, isReturned: false };
}

export function gapText({ whole, last }: BlankGap): string {
  return whole + last;
}
