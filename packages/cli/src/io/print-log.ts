import type { LogLine } from "@spfunctions/server";
import type { Printer } from "./printer.ts";

export type LogLevel = LogLine["level"];

/** From what is told always to what is told only to whoever asks. */
export const logLevels = ["error", "warn", "info"] as const satisfies readonly LogLevel[];

/** Where a platform of this process says what it has to say: on the standard error, one JSON object a line, down to a level. */
export function printLog({ err }: Pick<Printer, "err">, least: LogLevel = "warn"): (line: LogLine) => void {
  const told = new Set<LogLevel>(logLevels.slice(0, logLevels.indexOf(least) + 1));
  return (line) => {
    const { level, event, ...rest } = line;
    if (told.has(level)) err(JSON.stringify({ time: new Date().toISOString(), level, event, ...rest }));
  };
}
