import { closeSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { applicationId, inspectDatabaseFile } from "./inspect-database-file.ts";
import { makePrivateFolder } from "./make-private-folder.ts";
import { readFault, resultCodeOf, resultCodes } from "./sqlite-faults.ts";

/** How long a statement waits for another process that is writing. */
const busyMs = 5_000;

/** Opens our database, and where `create` is given makes folder and file for their owner alone. */
export async function openDatabase(
  file: string,
  { create }: { readonly create: boolean },
): Promise<DatabaseSync> {
  const until = performance.now() + busyMs;
  for (;;) {
    try {
      return openOnce(file, create);
    } catch (error) {
      // Where several processes open a new file at once, SQLite turns some away without letting them wait.
      if (resultCodeOf(error) !== resultCodes.busy || performance.now() > until) throw readFault(error, file);
    }
    // oxlint-disable-next-line no-await-in-loop
    await setTimeout(10);
  }
}

function openOnce(file: string, create: boolean): DatabaseSync {
  if (create) makeFile(file);
  else requireOurs(file);
  const database = new DatabaseSync(file, { timeout: busyMs, enableDoubleQuotedStringLiterals: false });
  try {
    // The mark comes before the switch to WAL, so that it is in the file itself from the beginning.
    if (pragma(database, "application_id") === 0) database.exec(`PRAGMA application_id = ${applicationId}`);
    configure(database, file);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
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

function makeFile(file: string): void {
  makePrivateFolder(dirname(file));
  if (inspectDatabaseFile(file) === "absent") closeSync(openSync(file, "a", 0o600));
}

function requireOurs(file: string): void {
  if (inspectDatabaseFile(file) === "ours") return;
  throw new HostConfigurationNeededError(
    `there is no store at ${file} that a guest could join; start what drives this data folder first, or name another folder`,
    { details: { reason: "no_store" } },
  );
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
    -- A checkpoint for every 8 MB; a log that grew beyond 64 MB is cut again.
    PRAGMA wal_autocheckpoint = 2000;
    PRAGMA journal_size_limit = 67108864;
    -- On macOS nothing less reaches the disk itself.
    PRAGMA fullfsync = ON;
    PRAGMA checkpoint_fullfsync = ON;
  `);
}
