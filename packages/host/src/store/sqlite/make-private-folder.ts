import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder, and those above it that are missing, for their owner alone. Not by `mkdirSync`'s own `recursive`, which
 * never ends where a folder cannot be made although the one above is there, as in /proc.
 */
export function makePrivateFolder(folder: string): void {
  if (made(folder)) return;
  if (dirname(folder) !== folder) makePrivateFolder(dirname(folder));
  if (!made(folder)) throw new Error(`the folder ${folder} cannot be made`);
}

/** False where the folder above is missing. */
function made(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return true;
    if (code === "ENOENT") return false;
    throw error;
  }
}
