import { accessSync, constants, statSync } from "node:fs";
import { dirname } from "node:path";

/** What keeps a folder that is not there from being made; nothing where it can be. */
export function hindranceTo(folder: string): string | undefined {
  const above = nearestAbove(folder);
  if (!statSync(above).isDirectory()) return `is not there and cannot be made: ${above} is not a folder`;
  try {
    accessSync(above, constants.W_OK | constants.X_OK);
    return undefined;
  } catch {
    return `is not there and cannot be made: ${above} cannot be written to`;
  }
}

function nearestAbove(path: string): string {
  const above = dirname(path);
  return above === path || statSync(above, { throwIfNoEntry: false }) !== undefined
    ? above
    : nearestAbove(above);
}
