import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
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

/** Where `sf agent` keeps its journal unless told. Apart from `sf call` and `sf up`: one process at a time drives a folder. */
export function agentFolderOf(io: Pick<CliIo, "env" | "cwd">): string {
  return join(dataFolderOf(undefined, io), "agent");
}

/** Where `sf up` keeps everything unless told. */
export function platformFolderOf({ cwd, env }: Pick<CliIo, "env" | "cwd">): string {
  return resolve(cwd, env.SF_DATA || ".sf");
}

/** Whether two paths are one folder, also by a link. */
export function isSameFolder(one: string, other: string): boolean {
  return realPathOf(one) === realPathOf(other);
}

/** Whoever copies or shares a data folder does not hand out the secret with it. */
export function requireApart(
  folder: string,
  secretFile: string | undefined,
  called = "the installation's secret",
): void {
  if (secretFile === undefined) return;
  const real = realPathOf(folder);
  // The secret's file may be a link: where it lies and where the link lies both count.
  const places = [realPathOf(dirname(secretFile)), dirname(realPathOf(secretFile))];
  if (!places.some((place) => isWithin(place, real))) return;
  throw new HostConfigurationNeededError(
    `the data folder ${folder} holds ${called} ${secretFile}, which must lie elsewhere; name another data folder`,
    { details: { reason: "secret_in_data_folder" } },
  );
}

function isWithin(place: string, folder: string): boolean {
  const way = relative(folder, place);
  return !(way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way));
}

/** Where a path leads once every link is followed; what of it is not there yet is taken as it is written. */
function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPathOf(parent), basename(path));
  }
}
