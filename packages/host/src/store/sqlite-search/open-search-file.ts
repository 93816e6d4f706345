import { rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { inTransaction } from "./in-transaction.ts";
import { createTables } from "./search-schema.ts";

/** What is in the file and how. A file of another version is started anew. */
const version = 1;
/** SQLite's result codes for a file that is damaged, and for one that is no database. */
const corruptionCodes = new Set([11, 26]);

/**
 * Opens the file of an index. It holds nothing that cannot be made again, so one that is damaged or of another version is
 * deleted, and the index starts empty.
 */
export function openSearchFile(path: string): DatabaseSync {
  try {
    const found = openIfSound(path);
    if (found !== undefined) return found;
    for (const suffix of ["", "-wal", "-shm"]) rmSync(path + suffix, { force: true });
    const fresh = openIfSound(path);
    if (fresh !== undefined) return fresh;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new HostConfigurationNeededError(
      `the search index at ${path} cannot be opened (${why}); give a folder that exists and can be written`,
      { cause },
    );
  }
  throw new HostConfigurationNeededError(
    `the search index at ${path} was damaged and is again after being deleted; look at the disk, or give another folder`,
  );
}

function openIfSound(path: string): DatabaseSync | undefined {
  const db = new DatabaseSync(path, { timeout: 5000 });
  let sound = false;
  try {
    // A power cut may lose the last changes, never the file. What a rebuild leaves behind is overwritten, not only freed.
    db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON");
    createIfNew(db);
    sound = isSound(db);
  } catch (error) {
    if (!isCorruption(error)) throw error;
  } finally {
    if (!sound) db.close();
  }
  return sound ? db : undefined;
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

function isSound(db: DatabaseSync): boolean {
  if (db.prepare("PRAGMA user_version").get()?.user_version !== version) return false;
  return db.prepare("PRAGMA quick_check(1)").get()?.quick_check === "ok";
}

function isCorruption(error: unknown): boolean {
  const code = error instanceof Error && "errcode" in error ? Number(error.errcode) : 0;
  return corruptionCodes.has(code & 0xff);
}
