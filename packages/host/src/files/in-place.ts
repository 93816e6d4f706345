import { statSync } from "node:fs";

/** Tells, whenever it is asked, whether the file that has this name now has it still. */
export function inPlace(file: string): () => boolean {
  const inode = inodeOf(file);
  return () => inode !== undefined && inodeOf(file) === inode;
}

function inodeOf(file: string): bigint | undefined {
  return statSync(file, { bigint: true, throwIfNoEntry: false })?.ino;
}
