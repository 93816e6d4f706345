import type { Stats } from "node:fs";

/** Whether a file is another person's, who can read and change it. The superuser, who can do both anyway, is nobody's other. */
export function belongsToAnother({ uid }: Stats): boolean {
  const self = process.geteuid?.();
  return self !== undefined && uid !== self && uid !== 0;
}
