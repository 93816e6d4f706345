// B33: what a model shows as code is text. This follows Markdown just as far as that needs, one unit at a time: fences (CommonMark 4.5, in
// quotes and lists too) and code spans (6.1). Where it is coarser than CommonMark about fences, more is code and not less: what comes after a
// fence that may be none, or that may have been closed before by what it stands in, is code. Of a paragraph it knows only blank lines and fences
// as its end: backticks that nothing closes in a heading or an item are taken for the beginning of a span in what follows without a blank line.
import { type Backticks, type KnownRows, type Span, spanAmong } from "./code-span.ts";
import { htmlAfter } from "./html-block.ts";
import { beginsItem, continueLineStart, type LineStart, lineStart } from "./line-start.ts";

/** `perhaps`: after backticks that open a code span if as many close it before the paragraph ends. */
export type Shield = "no" | "perhaps" | "code";

type Fence = {
  readonly char: string;
  readonly length: number;
  /** In how many quotes it stands. */
  readonly quotes: number;
  /**
   * How sure we are of what closes it. Of one in the text of an item it is not known where that begins: only a row in the same column
   * closes it, and a line that begins further left may be outside. `never`: nothing does, but the end of its quotes.
   */
  readonly closes: "as usual" | "in its column" | "never";
  readonly column: number;
};
/** A row of the same character that is not over yet. */
type Row = Backticks & { readonly char: string; length: number; readonly isAtStart: boolean };

export class MarkdownCode {
  #fence: Fence | undefined;
  #span: Span | undefined;
  #row: Row | undefined;
  #isEscaped = false;
  #isInList = false;
  #isAfterBlank = true;
  #wasReturn = false;
  /** Nothing once the line's own text has begun. */
  #start: LineStart | undefined = lineStart;
  /** What the line's own text came after. */
  #opening: LineStart = lineStart;
  #isBlank = true;
  /** After a removed piece, spaces are not shown, and so they do not count. */
  #isIndentFixed = false;
  /** The row that this line begins with, which opens a fence unless more backticks follow. */
  #opener: Row | undefined;
  /** A line that begins like a fence is code to its end. */
  #isCodeLine = false;
  /** How this line may yet close the fence it stands in. */
  #closer: { length: number; isOver: boolean; readonly isSure: boolean } | undefined;
  /** The line, and where in it its own text begins. */
  #line = "";
  #textAt = 0;
  #html: readonly number[] = [];
  #known: KnownRows = { until: 0, last: new Map() };
  #seen: Map<number, number> | undefined;

  /** `at` is where the unit stands in the whole answer. */
  feed(unit: string, at: number): void {
    const isSecondHalf = unit === "\n" && this.#wasReturn;
    this.#wasReturn = unit === "\r";
    if (isSecondHalf) return;
    this.meet(unit);
    if (unit === "\n" || unit === "\r") this.#endLine();
    else {
      if (this.#fence === undefined) this.#feedText(unit, at);
      else this.#feedFence(unit, this.#fence);
      this.#line += unit;
    }
  }

  /** What comes next, so that what it ends is over before it is fed; `""` is the end of the text. */
  meet(unit: string): void {
    const row = this.#row;
    if (row !== undefined && row.char !== unit) this.#endRow(row);
    // A fence is over with the quote that it stands in.
    const isOutside =
      this.#fence !== undefined && this.#start !== undefined && this.#start.quotes < this.#fence.quotes;
    if (isOutside && unit !== " " && unit !== "\t" && unit !== ">") this.#fence = undefined;
  }

  get shield(): Shield {
    if (this.#fence !== undefined || this.#isCodeLine) return "code";
    if (this.#span === undefined) return "no";
    return this.#span.isSure ? "code" : "perhaps";
  }

  /** Something is taken out of the text here. */
  skip(): void {
    this.#isIndentFixed = true;
  }

  /** A copy that goes ahead to see what becomes of the span that is open here, and the rows it meets on the way. */
  lookAhead(): {
    readonly ahead: MarkdownCode;
    readonly span: Span;
    readonly rows: ReadonlyMap<number, number>;
  } {
    const ahead = new MarkdownCode();
    const span: Span = { length: this.#span?.length ?? 0, isSure: false, state: "open", rows: [] };
    const rows = new Map<number, number>();
    ahead.#span = span;
    ahead.#seen = rows;
    ahead.#isInList = this.#isInList;
    ahead.#isAfterBlank = this.#isAfterBlank;
    ahead.#start = this.#start;
    ahead.#isBlank = this.#isBlank;
    ahead.#isIndentFixed = this.#isIndentFixed;
    ahead.#line = this.#line;
    ahead.#textAt = this.#textAt;
    ahead.#html = this.#html;
    return { ahead, span, rows };
  }

  /** The copy has come to the end of the paragraph: the backticks were only backticks, and those after them may open a span instead. */
  unmatch(known: KnownRows): void {
    const rows = this.#span?.rows ?? [];
    this.#endSpan("unmatched");
    this.#known = known;
    this.#span = spanAmong(rows, known);
  }

  #feedText(unit: string, at: number): void {
    if (this.#row?.char === unit) {
      this.#row.length += 1;
      return;
    }
    // Within code, a backslash is a backslash.
    const wasEscaped = this.#isEscaped;
    const isEscaped = wasEscaped && this.#span === undefined && !this.#isCodeLine;
    this.#isEscaped = unit === "\\" && !wasEscaped;
    const isAtStart = this.#isWhereFencesBegin();
    if ((unit === "`" && !isEscaped) || (unit === "~" && isAtStart)) {
      this.#row = { char: unit, length: 1, at, isAtStart, isEscaped: wasEscaped };
      this.#giveUpOpener(unit);
      this.#beginText();
    } else if (this.#start !== undefined) this.#feedStart(this.#start, unit);
    if (unit !== " " && unit !== "\t" && unit !== ">") this.#isBlank = false;
  }

  #feedStart(start: LineStart, unit: string): void {
    const isSpace = unit === " " || unit === "\t";
    const next = isSpace && this.#isIndentFixed && start.mark === "" ? start : continueLineStart(start, unit);
    if (next === undefined) this.#beginText();
    else this.#start = next;
  }

  #isWhereFencesBegin(): boolean {
    const start = this.#start;
    // How far the text of an item is indented is not followed: in a list, a fence may stand anywhere.
    return start?.mark === "" && (start.indent <= 3 || start.isItem || this.#isInList);
  }

  #beginText(): void {
    const start = this.#start;
    if (start === undefined) return;
    this.#start = undefined;
    this.#textAt = this.#line.length;
    if (start.isItem) this.#isInList = true;
    else if (this.#isAfterBlank && start.indent < 2 && start.quotes === 0) this.#isInList = false;
    this.#opening = start;
  }

  #giveUpOpener(unit: string): void {
    if (unit !== "`" || this.#opener === undefined) return;
    const opener = this.#opener;
    this.#opener = undefined;
    this.#takeRow(opener);
  }

  #endRow(row: Row): void {
    this.#row = undefined;
    if (row.char === "~") {
      if (row.length >= 3) this.#openFence(row);
    } else if (row.isAtStart && row.length >= 3) {
      this.#opener = row;
      this.#isCodeLine = true;
    } else this.#takeRow(row);
  }

  #takeRow(row: Row): void {
    const { length, at } = row;
    this.#seen?.set(length, at);
    const span = this.#span;
    if (span !== undefined) {
      if (span.length === length) this.#endSpan("closed");
      else if (!span.isSure) span.rows.push(row);
      return;
    }
    const isKnown = at < this.#known.until;
    if (isKnown && (this.#known.last.get(length) ?? 0) <= at) return;
    this.#span = { length, isSure: isKnown, state: "open", rows: [] };
  }

  #openFence({ char, length }: Row): void {
    this.#endSpan("unmatched");
    const { quotes, column, isQuoteUnsure, isItemUnsure } = this.#opening;
    const isUnsure = isQuoteUnsure || this.#html.length > 0 || (isItemUnsure && !this.#isAfterBlank);
    const closes = isUnsure ? "never" : this.#isInList && column > 0 ? "in its column" : "as usual";
    this.#fence = { char, length, quotes: isQuoteUnsure ? 0 : quotes, column, closes };
    this.#start = undefined;
    this.#closer = undefined;
  }

  #feedFence(unit: string, fence: Fence): void {
    if (this.#closer !== undefined) {
      const isSpace = unit === " " || unit === "\t";
      if (unit === fence.char && !this.#closer.isOver) this.#closer.length += 1;
      else if (isSpace) this.#closer.isOver = true;
      else this.#closer = undefined;
      return;
    }
    const start = this.#start;
    if (start === undefined) return;
    if (unit === " " || unit === "\t" || (unit === ">" && start.quotes < fence.quotes)) {
      this.#start = continueLineStart(start, unit);
    } else {
      this.#start = undefined;
      this.#feedFenced(unit, start, fence);
    }
  }

  /** The first unit of a line in a fence. */
  #feedFenced(unit: string, start: LineStart, fence: Fence): void {
    const { char, column, closes } = fence;
    const isOutside = closes === "in its column" && start.column < column;
    if (isOutside || start.isQuoteUnsure) this.#fence = { ...fence, closes: "never" };
    const deepest = closes === "in its column" ? column + 3 : 3;
    const depth = closes === "in its column" ? start.column : start.indent;
    if (unit !== char || depth > deepest) return;
    this.#closer = { length: 1, isOver: false, isSure: closes === "as usual" || start.column === column };
  }

  /** A row that may close a fence, and may be something else, makes it one that is never closed. */
  #endFenced(fence: Fence): void {
    if (this.#closer === undefined || this.#closer.length < fence.length || fence.closes === "never") return;
    this.#fence = this.#closer.isSure ? undefined : { ...fence, closes: "never" };
  }

  #endLine(): void {
    const fence = this.#fence;
    if (fence === undefined) {
      if (this.#start !== undefined && beginsItem(this.#start)) this.#isInList = true;
      this.#html = htmlAfter(this.#html, this.#line, this.#isBlank ? "" : this.#line.slice(this.#textAt));
      if (this.#opener !== undefined) this.#openFence(this.#opener);
      else if (this.#isBlank) this.#endSpan("unmatched");
      this.#isAfterBlank = this.#isBlank;
    } else {
      this.#endFenced(fence);
      this.#isAfterBlank = false;
    }
    this.#start = lineStart;
    this.#line = "";
    this.#textAt = 0;
    this.#isBlank = true;
    this.#isIndentFixed = false;
    this.#isEscaped = false;
    this.#opener = undefined;
    this.#isCodeLine = false;
    this.#closer = undefined;
  }

  #endSpan(state: "closed" | "unmatched"): void {
    if (this.#span === undefined) return;
    this.#span.state = state;
    this.#span = undefined;
    this.#seen = undefined;
  }
}
