/** What a line of a source asks: that something is so, a rule that holds, a field that is there, a test of its plan, something that must not be, or something that is done otherwise here. */
export type LineKind = "requirement" | "rule" | "field" | "test" | "stop" | "departure";

export type SourceLine = {
  readonly id: string;
  readonly kind: LineKind;
  /** What the line asks; of a departure, what is done instead. */
  readonly says: string;
  /** Where a departure was decided. */
  readonly decided?: string;
  /** Why nothing here can prove it: it is about the work on a repository, not about the product. */
  readonly outside?: string;
};

export type SourceSection = { readonly title: string; readonly lines: readonly SourceLine[] };

/** One of the documents that this was built from, as the lines that it comes down to. */
export type Source = {
  readonly name: string;
  readonly title: string;
  readonly sections: readonly SourceSection[];
};

/** Where a line is decided otherwise, or why it is outside. */
type More = { readonly decided: string } | { readonly outside: string };

/** A section's lines, numbered below it: the third line of `section("KEY-4", …)` is `KEY-4.3`. */
export function section(
  id: string,
  title: string,
  lines: readonly (readonly [kind: LineKind, says: string, more?: More])[],
): SourceSection {
  return {
    title,
    lines: lines.map(([kind, says, more], index) => ({ id: `${id}.${index + 1}`, kind, says, ...more })),
  };
}
