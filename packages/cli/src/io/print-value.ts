import type { Printer } from "./printer.ts";
import { visibleJson } from "./visible-text.ts";

/** A value for whoever reads it beside lines of ours, as JSON text, which a terminal shows in rows. */
export function printValue({ out }: Pick<Printer, "out">, value: unknown): void {
  for (const line of visibleJson(value, 2).split("\n")) out(line);
}
