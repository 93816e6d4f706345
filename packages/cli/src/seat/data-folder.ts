import { homedir } from "node:os";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import type { CliIo } from "../io/cli-io.ts";

/** Where the journal is kept. */
export function dataFolderOf(given: string | undefined, { env, cwd }: Pick<CliIo, "env" | "cwd">): string {
  const named = given ?? env.SF_DATA;
  if (named !== undefined && named !== "") return resolve(cwd, named);
  const base = env.XDG_DATA_HOME;
  // By the XDG rules a relative path counts as none.
  const home = base !== undefined && isAbsolute(base) ? base : join(env.HOME || homedir(), ".local", "share");
  return join(home, "simplefunctions");
}

/** Whoever copies or shares a data folder does not hand out the secret with it. */
export function requireApart(folder: string, secretFile: string | undefined): void {
  if (secretFile === undefined) return;
  const way = relative(folder, dirname(secretFile));
  if (way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way)) return;
  throw new HostConfigurationNeededError(
    `the data folder ${folder} holds the installation's secret ${secretFile}, which must lie elsewhere; name another data folder`,
    { details: { reason: "secret_in_data_folder" } },
  );
}
