const warned = new Set<string>();

/** Warns of something about a tool, once in a process. */
export function warnOfTool(message: string): void {
  if (warned.has(message)) return;
  warned.add(message);
  process.emitWarning(message, { type: "ToolWarning" });
}
