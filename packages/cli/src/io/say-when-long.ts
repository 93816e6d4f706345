import type { CommandContext } from "../command-line/command-context.ts";

const longMs = 1000;

/** Says what is waited for, to whoever sits at a terminal, once it has taken a second. */
export async function sayWhenLong<Value>(
  { print, io }: Pick<CommandContext, "print" | "io">,
  text: string,
  work: () => Promise<Value>,
): Promise<Value> {
  if (!io.isTerminal.stderr) return await work();
  const timer = setTimeout(() => print.err({ text, style: "dim" }), longMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
  }
}
