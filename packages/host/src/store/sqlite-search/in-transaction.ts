import type { DatabaseSync } from "node:sqlite";

/** All of the work or nothing of it. Other writers wait from the start. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  return between(db, "BEGIN IMMEDIATE", work);
}

/** Everything is read from one state of the file, whatever others write meanwhile. */
export function inSnapshot<T>(db: DatabaseSync, work: () => T): T {
  return between(db, "BEGIN", work);
}

function between<T>(db: DatabaseSync, begin: string, work: () => T): T {
  db.exec(begin);
  try {
    const result = work();
    db.exec("COMMIT");
    return result;
  } catch (error) {
    // SQLite itself ends a transaction on some faults, such as a full disk.
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}
