import { realpathSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";

/** Where a path leads once every link is followed; what of it is not there yet is taken as it is written. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPathOf(parent), basename(path));
  }
}

/** Whether a place is a folder, or lies in it; both by their real paths. */
export function isWithin(place: string, folder: string): boolean {
  const way = relative(folder, place);
  return !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}
