import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** A data folder in a project is not part of the project. For a folder that is new: one that was there may be the project itself. */
export function keepOutOfRepositories(folder: string): void {
  try {
    writeFileSync(join(folder, ".gitignore"), "*\n", { mode: 0o600, flag: "wx" });
  } catch {
    // The folder is as good without it.
  }
}
