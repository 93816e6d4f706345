import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { syncFolder } from "./sync-folder.ts";

/**
 * Makes a folder, and those above it that are missing, for their owner alone, and so that a power cut does not take them
 * back. Not by `mkdirSync`'s own `recursive`, which never ends where a folder cannot be made although the one above is
 * there, as in /proc.
 */
export function makePrivateFolder(folder: string): void {
  try {
    makeOne(folder);
  } catch (error) {
    const isMissingAbove = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (!isMissingAbove || dirname(folder) === folder) throw error;
    makePrivateFolder(dirname(folder));
    makeOne(folder);
  }
}

function makeOne(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return;
    throw error;
  }
  syncFolder(dirname(folder));
}
