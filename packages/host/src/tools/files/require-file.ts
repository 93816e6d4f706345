import { denied, malformed } from "./refusals.ts";
import type { Opened } from "./sandbox/opened.ts";
import { isLink } from "./file-fault.ts";

/** Refuses what is no ordinary file: reading a device or a FIFO does something, and may never end. */
export function requireFile({ stat }: Opened, path: string): void {
  if (stat.isDirectory()) throw malformed(path, "is_folder", "is a folder, not a file");
  if (stat.isSymbolicLink()) throw isLink(path);
  if (!stat.isFile()) throw denied(path, "special_file", "is neither a file nor a folder");
}

/** Refuses a file with several names: it may be one outside the root that was linked in, and no path could tell. */
export function requireOneName({ stat }: Opened, path: string, remedy: string): void {
  if (stat.nlink > 1n) throw denied(path, "hard_link", `has ${stat.nlink} names (hard links); ${remedy}`);
}
