import { isAbsolute, join } from "node:path";
import { homeFolderOf } from "./home-folder.ts";

/** Variables of a process. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A person's configuration folder: secrets lie here, and never in a data folder. */
export function configFolderOf(env: Environment): string {
  const base = env.XDG_CONFIG_HOME;
  // By the XDG rules a relative path counts as none.
  const home = base !== undefined && isAbsolute(base) ? base : join(homeFolderOf(env.HOME), ".config");
  return join(home, "simplefunctions");
}
