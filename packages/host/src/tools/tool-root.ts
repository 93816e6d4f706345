// The folder that tools of files and of the shell work in. It has nothing in common with what the program itself keeps: journals, keys
// and the installation's secret are nothing that a model reads or writes.
import { existsSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { heldFolders } from "../files/own-folders.ts";
import { isWithin, realPathOf } from "../files/real-path.ts";
import { configFolderOf } from "../installation/config-folder.ts";
import { dataFolderOf, platformFolderOf } from "../installation/data-folder.ts";

export type RootOptions = {
  /** The folder that the tools work in. It must be there. */
  readonly root: string;
  /** Folders that the root must have nothing in common with, besides those of this program itself. */
  readonly apart?: readonly string[] | undefined;
};

export type ToolRoot = {
  /** Its real path. */
  readonly path: string;
  /** Throws where its path has come to lead elsewhere, and where a folder that this process keeps its data in lies in it, or around it. */
  readonly requireApart: () => void;
};

export function openToolRoot({ root, apart = [] }: RootOptions): ToolRoot {
  if (typeof root !== "string" || root === "" || root.includes("\0"))
    throw refused(`a root is the path of a folder, not ${JSON.stringify(root)}`, "bad_root");
  const path = realPathOf(resolve(root));
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw refused(`there is no folder ${root}; make it, or name another root`, "no_root");
  const meets = (folder: string) => isWithin(path, folder) || isWithin(folder, path);
  const named = apart.map((folder) => realPathOf(resolve(folder))).find(meets);
  const usual = usualFolders()
    .map((folder) => realPathOf(folder))
    .filter(meets);
  const requireApart = () => {
    // Whoever can swap it, or a folder that it lies in, for a link would choose what the tools work in.
    if (realPathOf(path) !== path)
      throw refused("the path of the root has a link in it by now; put the folder back", "no_root");
    // A folder that was never made keeps nothing.
    const there = usual.find((folder) => isWithin(path, folder) || existsSync(folder));
    const other = named ?? there ?? [...heldFolders()].find(meets);
    if (other === undefined) return;
    throw refused(
      `the root ${path} and ${other}, where this program keeps what it must not show to tools, lie in each other; name a root beside it`,
      "root_not_apart",
    );
  };
  requireApart();
  return Object.freeze({ path, requireApart });
}

/** Where the program keeps its things unless told, and where it was told to. */
function usualFolders(): string[] {
  const here = { env: process.env, cwd: process.cwd() };
  const untold = { ...here, env: { ...process.env, SF_DATA: undefined } };
  return [
    configFolderOf(process.env),
    ...[here, untold].flatMap((one) => [dataFolderOf(undefined, one), platformFolderOf(one)]),
  ];
}

function refused(message: string, reason: string): HostConfigurationNeededError {
  return new HostConfigurationNeededError(message, { details: { reason } });
}
