import type { Printer } from "./printer.ts";
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

/** Letters of East Asian scripts, and pictures, are two columns wide; what stands on another letter none. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Extended_Pictographic}/u;
const onAnother = /\p{M}/u;

function widthOf(text: string): number {
  let width = 0;
  for (const letter of text) width += onAnother.test(letter) ? 0 : wide.test(letter) ? 2 : 1;
  return width;
}
