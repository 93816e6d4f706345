import { realPathOf } from "./real-path.ts";

const own = new Set<string>();

/** Says that this process keeps its data in a folder, for as long as it lives: no tool reads or writes there. */
export function holdFolder(folder: string): void {
  own.add(realPathOf(folder));
}

/** By their real paths. */
export function heldFolders(): ReadonlySet<string> {
  return own;
}
