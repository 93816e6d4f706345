import { randomUUID } from "node:crypto";
import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { backup, DatabaseSync } from "node:sqlite";
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { makePrivateFile } from "../../files/make-private-file.ts";
import { makePrivateFolder } from "../../files/make-private-folder.ts";
import { syncFolder } from "../../files/sync-folder.ts";
import { requireKnownVersion } from "./migrate.ts";
import { migrations } from "./migrations.ts";
import { openDatabase, pragma } from "./open-database.ts";
import { corruptFault, readFault, writeFault } from "./sqlite-faults.ts";

export type BackUpOptions = {
  /** The data folder, also while another process drives it. */
  readonly folder: string;
  /** A folder that is not there yet: the copy is one that can be opened. */
  readonly to: string;
};

/** So many pages at once are all of them: what is written meanwhile is then in none of them, and nothing is begun anew. */
const allPages = 2 ** 31 - 1;

/**
 * Makes a copy of a store as it is at one moment. Whoever drives it goes on meanwhile. The copy has its name once it is whole and
 * was looked through, is for its owner alone, and nobody drives it.
 */
export async function backUpSqliteStore({ folder, to }: BackUpOptions): Promise<{ readonly bytes: number }> {
  const [file, target] = [join(resolve(folder), "simplefunctions.db"), resolve(to)];
  if (existsSync(target))
    throw new HostConfigurationNeededError(
      `${target} is already there, and nothing is overwritten; name a folder that is not there yet`,
      { details: { reason: "already_there" } },
    );
  const database = await openDatabase(file, { create: false });
  const draft = `${target}.${randomUUID()}`;
  try {
    requireKnownVersion(database, migrations.length, file);
    const bytes = await copyInto(draft, database, file);
    renameSync(draft, target);
    syncFolder(dirname(target));
    return { bytes };
  } finally {
    database.close();
    rmSync(draft, { recursive: true, force: true });
  }
}

async function copyInto(draft: string, database: DatabaseSync, source: string): Promise<number> {
  const file = join(draft, "simplefunctions.db");
  try {
    makePrivateFolder(draft);
    makePrivateFile(file);
  } catch (error) {
    throw readFault(error, file);
  }
  try {
    await backup(database, file, { rate: allPages });
    finish(file, source);
  } catch (error) {
    throw writeFault(error, file);
  }
  syncFolder(draft);
  return statSync(file).size;
}

/** Nobody drives a copy, though somebody drove what it was made of; and one that is damaged is none. */
function finish(file: string, source: string): void {
  const copy = new DatabaseSync(file);
  try {
    const found = pragma(copy, "integrity_check(1)");
    if (found !== "ok") throw corruptFault(source, String(found));
    copy.exec("UPDATE driver SET holder = NULL, expires_at = 0 WHERE id = 1");
  } finally {
    copy.close();
  }
}
