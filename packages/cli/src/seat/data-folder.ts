import { dirname, join } from "node:path";
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { dataFolderOf, isWithin, realPathOf, type Surroundings } from "@spfunctions/host/installation";

/** Where `sf agent` keeps its journal unless told. Apart from `sf call` and `sf up`: one process at a time drives a folder. */
export function agentFolderOf(io: Surroundings): string {
  return join(dataFolderOf(undefined, io), "agent");
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
