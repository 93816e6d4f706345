import type { Printer } from "../io/printer.ts";

/** J3: whoever drives a run journals what is wanted of it. */
export function sayLeft({ err }: Pick<Printer, "err">, runId: string): void {
  const text = `another process drives ${runId}: it was left for that one, which is waited for`;
  err({ text, style: "dim" });
}
