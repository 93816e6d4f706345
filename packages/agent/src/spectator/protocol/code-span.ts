/** A row of backticks. After a backslash, its first opens nothing, but closes like any other. */
export type Backticks = { readonly length: number; readonly at: number; readonly isEscaped: boolean };

export type Span = {
  readonly length: number;
  /** Whether we know already that it is closed. */
  readonly isSure: boolean;
  state: "open" | "closed" | "unmatched";
  /** What has come since of other lengths: if this is none, it may open one. */
  readonly rows: Backticks[];
};

/** Where the last row of so many backticks begins, for all rows that begin before `until`. */
export type KnownRows = { readonly until: number; readonly last: ReadonlyMap<number, number> };

/** The span that is open after some rows, of which it is known which follow. */
export function spanAmong(rows: readonly Backticks[], { last }: KnownRows): Span | undefined {
  const lastHere = new Map(rows.map(({ length }, index) => [length, index] as const));
  for (let index = 0; index < rows.length; index++) {
    const length = opening(rows[index]);
    if ((lastHere.get(length) ?? 0) > index) {
      do index += 1;
      while (rows[index]?.length !== length);
    } else if (last.has(length)) return { length, isSure: true, state: "open", rows: [] };
  }
  return undefined;
}

function opening(row: Backticks | undefined): number {
  return row === undefined ? 0 : row.length - (row.isEscaped ? 1 : 0);
}
