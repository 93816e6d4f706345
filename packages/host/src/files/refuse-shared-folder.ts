import { statSync } from "node:fs";
import { HostConfigurationNeededError } from "@spfunctions/contracts";

/** Refuses a data folder to which everybody can write: anybody could put a file of theirs in the place of ours. */
export function refuseSharedFolder(folder: string): void {
  if (process.platform === "win32") return;
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found === undefined || (found.mode & 0o002) === 0) return;
  throw new HostConfigurationNeededError(
    `everybody can write to ${folder}, and what is in it cannot be trusted; name a folder inside it that does not exist yet, which is made for its owner alone, or look at what is there and chmod o-w ${folder}`,
    { details: { reason: "shared_folder" } },
  );
}
