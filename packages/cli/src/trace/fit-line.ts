import { cutText } from "@spfunctions/contracts";
import type { CliIo } from "../io/cli-io.ts";
import { visible } from "../io/visible-text.ts";

/** How wide a line may be: as the terminal says, else a hundred. */
export function columnsOf({ env }: Pick<CliIo, "env">): number {
  const given = /^\d{1,5}$/.test(env.COLUMNS ?? "") ? Number(env.COLUMNS) : 0;
  return given >= 40 ? given : 100;
}

/** One line, and no more of it than fits. */
export function fitLine(text: string, room: number): string {
  // What is not shown need not be made visible; escapes only make it longer.
  const line = visible(cutText(text, Math.max(1, room) + 1));
  return line.length <= room ? line : `${cutText(line, Math.max(1, room - 1))}…`;
}
