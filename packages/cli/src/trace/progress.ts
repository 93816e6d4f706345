import type { Printer } from "../io/printer.ts";

const everyMs = 1000;

/** Says where something stands, beside the answer: not before it has taken a second, and not more often than each second. */
export function createProgress({ err }: Pick<Printer, "err">): (text: string) => void {
  let last = performance.now();
  return (text) => {
    const now = performance.now();
    if (now - last < everyMs) return;
    last = now;
    err({ text, style: "dim" });
  };
}
