import { cutText } from "@spfunctions/contracts";
import type { CliIo } from "../io/cli-io.ts";
import { visible } from "../io/visible-text.ts";

/** How wide a line may be: as the environment or the terminal says, and not narrower than what can be read; else a hundred. */
export function columnsOf({
  env,
  isTerminal,
  columns = 100,
}: Pick<CliIo, "env" | "isTerminal" | "columns">): number {
  const given = /^\d{1,5}$/.test(env.COLUMNS ?? "") ? Number(env.COLUMNS) : 0;
  return Math.max(40, given >= 40 ? given : isTerminal.stdout ? columns : 100);
}

/** One line, and no more of it than fits. */
export function fitLine(text: string, room: number): string {
  // What is not shown need not be made visible; escapes only make it longer.
  const line = visible(cutText(text, Math.max(1, room) + 1));
  return line.length <= room ? line : `${cutText(line, Math.max(1, room - 1))}…`;
}
