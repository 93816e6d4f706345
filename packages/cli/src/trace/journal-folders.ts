import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CliIo } from "../io/cli-io.ts";
import { agentFolderOf, dataFolderOf, platformFolderOf } from "../seat/data-folder.ts";

/** A data folder, and whether whoever runs this has named it. */
export type JournalFolder = { readonly folder: string; readonly isNamed: boolean };

/**
 * The folders that have a journal: the one that is named, or else those that `sf call`, `sf agent` and `sf up` write here, as far as
 * they are there.
 */
export function journalFoldersOf(data: string | undefined, io: Pick<CliIo, "env" | "cwd">): JournalFolder[] {
  if (data !== undefined && data !== "") return [{ folder: dataFolderOf(data, io), isNamed: true }];
  return [...usualFolders(io).keys()]
    .filter((folder) => existsSync(join(folder, "simplefunctions.db")))
    .map((folder) => ({ folder, isNamed: false }));
}

/** Where a journal may be, though nobody has named a folder, and which commands write it; each once. */
export function usualFolders(io: Pick<CliIo, "env" | "cwd">): ReadonlyMap<string, readonly string[]> {
  const folders = new Map<string, readonly string[]>();
  for (const [folder, user] of [
    [dataFolderOf(undefined, io), "sf call"],
    [agentFolderOf(io), "sf agent"],
    [platformFolderOf(io), "sf up"],
  ] as const)
    folders.set(folder, [...(folders.get(folder) ?? []), user]);
  return folders;
}
