import { isAbsolute, join, resolve } from "node:path";
import type { Environment } from "./config-folder.ts";
import { homeFolderOf } from "./home-folder.ts";

/** Where a process stands: what it was given besides its arguments. */
export type Surroundings = { readonly env: Environment; readonly cwd: string };

/** Where the journal is kept. */
export function dataFolderOf(given: string | undefined, { env, cwd }: Surroundings): string {
  const named = given ?? env.SF_DATA;
  if (named !== undefined && named !== "") return resolve(cwd, named);
  const base = env.XDG_DATA_HOME;
  // By the XDG rules a relative path counts as none.
  const home =
    base !== undefined && isAbsolute(base) ? base : join(homeFolderOf(env.HOME), ".local", "share");
  return join(home, "simplefunctions");
}

/** Where a platform keeps everything unless told. */
export function platformFolderOf({ cwd, env }: Surroundings): string {
  return resolve(cwd, env.SF_DATA || ".sf");
}
