import { closeSync, fsyncSync, openSync } from "node:fs";

/** What an operating system says where a folder cannot be synced; then there is no more to do. */
export const cannotBeSynced: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EINVAL", "ENOTSUP"]);

/** Makes sure that what was put into a folder is still there after a power cut. */
export function syncFolder(path: string): void {
  if (process.platform === "win32") return;
  try {
    const folder = openSync(path, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  } catch (error) {
    if (!cannotBeSynced.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
  }
}
