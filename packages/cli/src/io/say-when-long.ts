import type { Printer } from "./printer.ts";

const longMs = 1000;

/** Says what is waited for, beside the answer, once it has taken a second. */
export async function sayWhenLong<Value>(
  { err }: Pick<Printer, "err">,
  text: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const timer = setTimeout(() => err({ text, style: "dim" }), longMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
