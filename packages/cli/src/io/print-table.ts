import type { Printer } from "./printer.ts";
import { widthOf } from "./text-width.ts";
import { visible } from "./visible-text.ts";

/** A column: its name, and what stands in it. */
export type Column<Row> = readonly [name: string, cell: (row: Row) => string];

/** Rows under each other, as wide as what stands in them. */
export function printTable<Row>(
  print: Pick<Printer, "out">,
  rows: readonly Row[],
  columns: readonly Column<Row>[],
): void {
  const cells = rows.map((row) => columns.map(([, cell]) => visible(cell(row))));
  const widths = columns.map(([name], at) =>
    cells.reduce((most, row) => Math.max(most, widthOf(row[at] ?? "")), name.length),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => cell + " ".repeat(Math.max(0, (widths[at] ?? 0) - widthOf(cell))))
      .join("  ")
      .trimEnd();
  print.out({ text: line(columns.map(([name]) => name)), style: "bold" });
  for (const row of cells) print.out(line(row));
}
