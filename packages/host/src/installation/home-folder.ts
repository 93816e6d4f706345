import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";

/** A person's home, `named` in their environment. An empty or relative one is none: secrets would lie wherever somebody stands. */
export function homeFolderOf(named = ""): string {
  return [named, homedir()].find((home) => isAbsolute(home)) ?? userInfo().homedir;
}
