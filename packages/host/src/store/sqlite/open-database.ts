import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { makePrivateFolder } from "../../files/make-private-folder.ts";
import { holdFolder } from "../../files/own-folders.ts";
import { refuseSharedFolder } from "../../files/refuse-shared-folder.ts";
import { applicationIds, inspectDatabaseFile } from "./inspect-database-file.ts";
import { makeDatabaseFile } from "./make-database-file.ts";
import { openReadOnly } from "./open-read-only.ts";
import { refuseLinkedDatabase } from "./refuse-linked-database.ts";
import { corruptFault, emptyFault, isUnwritable, readFault } from "./sqlite-faults.ts";
import { busyMs, whenNotBusy } from "./when-not-busy.ts";

/**
 * Opens our database, and where `create` is given makes folder and file for their owner alone. Whoever makes nothing may also look
 * at one that cannot be written.
 */
export async function openDatabase(
  file: string,
  { create }: { readonly create: boolean },
): Promise<DatabaseSync> {
  try {
    return await whenNotBusy(() => openOnce(file, create));
  } catch (error) {
    if (create || !isUnwritable(error)) throw readFault(error, file);
  }
  try {
    return openReadOnly(file);
  } catch (error) {
    throw readFault(error, file);
  }
}

function openOnce(file: string, create: boolean): DatabaseSync {
  if (create) makePrivateFolder(dirname(file));
  refuseSharedFolder(dirname(file));
  holdFolder(dirname(file));
  refuseLinkedDatabase(file);
  requireUsable(file, create);
  const database = new DatabaseSync(file, { timeout: busyMs, enableDoubleQuotedStringLiterals: false });
  try {
    mark(database, applicationIds.store);
    configure(database, file);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Marks a new database as ours. It comes before the switch to WAL, so that it is in the file itself from the beginning. */
export function mark(database: DatabaseSync, applicationId: number): void {
  if (pragma(database, "application_id") === 0) database.exec(`PRAGMA application_id = ${applicationId}`);
}

export function pragma(database: DatabaseSync, name: string): unknown {
  return Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
}

/** Writes the whole log into the database and cuts it to nothing; false where a reader still needs it. */
export function emptyLog(database: DatabaseSync): boolean {
  database.exec("PRAGMA busy_timeout = 20");
  try {
    return database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get()?.busy === 0;
  } finally {
    database.exec(`PRAGMA busy_timeout = ${busyMs}`);
  }
}

function requireUsable(file: string, create: boolean): void {
  const found = inspectDatabaseFile(file, applicationIds.store);
  if (found === "ours") return;
  if (found === "no database") throw corruptFault(file, "it does not begin as a SQLite database does");
  if (found === "empty") throw emptyFault(file);
  if (found === "emptied")
    throw corruptFault(file, "it is empty or gone, and the log of what was in it is still there");
  if (found === "foreign")
    throw new HostConfigurationNeededError(
      `${file} is a database of another program and was left as it is; name another data folder`,
      { details: { reason: "foreign_database" } },
    );
  if (!create)
    throw new HostConfigurationNeededError(
      `there is no store at ${file} that a guest could join; start what drives this data folder first, or name another folder`,
      { details: { reason: "no_store" } },
    );
  if (found === "absent") makeDatabaseFile(file, applicationIds.store);
}

function configure(database: DatabaseSync, file: string): void {
  if (pragma(database, "journal_mode = WAL") !== "wal")
    throw new HostConfigurationNeededError(
      `${file} lies on a file system without shared memory, which the store needs; name a folder on a local disk`,
      { details: { reason: "no_wal" } },
    );
  database.exec(`
    PRAGMA busy_timeout = ${busyMs};
    PRAGMA foreign_keys = ON;
    PRAGMA trusted_schema = OFF;
    -- Erased text is overwritten, and no copy of it goes into a temporary file.
    PRAGMA secure_delete = ON;
    PRAGMA temp_store = MEMORY;
    -- Beside what is done by a thread of its own; a log that grew beyond 64 MB is cut again.
    PRAGMA wal_autocheckpoint = 8000;
    PRAGMA journal_size_limit = 67108864;
    -- On macOS nothing less reaches the disk itself.
    PRAGMA fullfsync = ON;
    PRAGMA checkpoint_fullfsync = ON;
  `);
}
