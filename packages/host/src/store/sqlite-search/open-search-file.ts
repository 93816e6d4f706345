// What somebody else put under the index's name stays as it is. Only what says in its header that it is our index is ours to
// begin anew, because it holds nothing that cannot be made again.
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { HostConfigurationNeededError, isSimpleFunctionsError } from "@spfunctions/contracts";
import { inPlace } from "../../files/in-place.ts";
import { makePrivateFile } from "../../files/make-private-file.ts";
import { refuseSharedFolder } from "../../files/refuse-shared-folder.ts";
import { applicationIds, inspectDatabaseFile } from "../sqlite/inspect-database-file.ts";
import { requireKnownVersion, versionOf } from "../sqlite/migrate.ts";
import { mark, pragma } from "../sqlite/open-database.ts";
import { refuseLinkedDatabase } from "../sqlite/refuse-linked-database.ts";
import { resultCodeOf, resultCodes } from "../sqlite/sqlite-faults.ts";
import { busyMs, whenNotBusy } from "../sqlite/when-not-busy.ts";
import { inTransaction } from "./in-transaction.ts";
import { replaceFile, type SearchFile } from "./replace-file.ts";
import { createTables } from "./search-schema.ts";

/** What is in the file and how. A file of an earlier version is begun anew. */
const version = 2;

/** Opens the file of an index. One of ours that is damaged or of an earlier version is replaced by an empty one. */
export async function openSearchFile(path: string): Promise<SearchFile> {
  try {
    return await whenNotBusy(() => openOrReplace(path));
  } catch (cause) {
    if (isSimpleFunctionsError(cause)) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new HostConfigurationNeededError(
      `the search index at ${path} cannot be opened (${why}); give a folder that exists and can be written`,
      { cause },
    );
  }
}

function openOrReplace(path: string): SearchFile {
  refuseSharedFolder(dirname(path));
  for (let attempt = 0; attempt < 2; attempt += 1) {
    requireUsable(path);
    const found = openFile(path);
    try {
      if (isSound(found.db, path) && found.isInPlace()) return found;
      replaceFile(path, found, makeNew);
    } catch (error) {
      if (found.db.isOpen) found.db.close();
      throw error;
    }
  }
  throw new HostConfigurationNeededError(
    `the search index at ${path} was damaged and is again after being replaced; look at the disk, or give another folder`,
  );
}

function openFile(path: string): SearchFile {
  // Asked before it is opened: what takes its place in between is then taken for another one, and not the other way round.
  const isInPlace = inPlace(path);
  return { db: new DatabaseSync(path, { timeout: busyMs }), isInPlace };
}

function makeNew(path: string): void {
  makePrivateFile(path);
  const { db } = openFile(path);
  try {
    isSound(db, path);
  } finally {
    db.close();
  }
}

function requireUsable(path: string): void {
  refuseLinkedDatabase(path, "Or give another folder: an index holds nothing that cannot be made again");
  const found = inspectDatabaseFile(path, applicationIds.search);
  if (found === "absent") makePrivateFile(path);
  if (["absent", "empty", "blank", "ours"].includes(found)) return;
  const what = found === "emptied" ? "is empty or gone while its log is there" : "is no search index of ours";
  throw new HostConfigurationNeededError(
    `${path} ${what}, and was left as it is; give another folder, or move it away with its -wal and -shm, and the index begins anew`,
    { details: { reason: "foreign_index" } },
  );
}

/** Makes the tables where there are none yet. */
function isSound(db: DatabaseSync, path: string): boolean {
  try {
    requireKnownVersion(db, version, path);
    mark(db, applicationIds.search);
    // A power cut may lose the last changes, never the file. What a rebuild leaves behind is overwritten, not only freed.
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON");
    createIfNew(db);
    return versionOf(db) === version && pragma(db, "quick_check(1)") === "ok";
  } catch (error) {
    if (isDamage(error)) return false;
    throw error;
  }
}

function createIfNew(db: DatabaseSync): void {
  const isNew = db.prepare("SELECT count(*) AS tables FROM sqlite_schema");
  if (isNew.get()?.tables !== 0) return;
  inTransaction(db, () => {
    // Somebody else may have created them while this one waited for the file.
    if (isNew.get()?.tables !== 0) return;
    db.exec("CREATE TABLE state (generation INTEGER NOT NULL, whole INTEGER NOT NULL)");
    db.exec("INSERT INTO state VALUES (1, 0)");
    createTables(db, 1);
    db.exec(`PRAGMA user_version = ${version}`);
  });
}

function isDamage(error: unknown): boolean {
  const code = resultCodeOf(error);
  return code === resultCodes.corrupt || code === resultCodes.notADatabase;
}
