import type { Printer } from "../io/printer.ts";
import { sizeText } from "./size-text.ts";

/** From here on reading takes so long that it is said. */
const longFrom = 8 * 1024 * 1024;

/** Says how much there is to read, beside the answer, where it is much. */
export function sayLongRead(
  { err }: Pick<Printer, "err">,
  texts: readonly string[],
  said: (size: string) => string,
): void {
  const size = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (size > longFrom) err({ text: said(sizeText(size)), style: "dim" });
}
