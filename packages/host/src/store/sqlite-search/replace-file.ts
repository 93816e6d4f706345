import { randomUUID } from "node:crypto";
import { realpathSync, renameSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { makePrivateFile } from "../../files/make-private-file.ts";
import { busyMs } from "../sqlite/when-not-busy.ts";

export type SearchFile = {
  readonly db: DatabaseSync;
  /** False where the file was moved, deleted or replaced since: what is written to it then, nobody finds. */
  readonly isInPlace: () => boolean;
};

/**
 * Closes a database and puts another one, which `make` makes, in its place; its log goes with it. Whoever opens the file
 * meanwhile opens the one or the other, and never half of one. Where somebody else was first, theirs stays.
 */
export function replaceFile(
  path: string,
  { db, isInPlace }: SearchFile,
  make: (draft: string) => void,
): void {
  // The log lies beside the file itself, not beside a link to it.
  const file = realpathSync(path);
  const draft = `${file}.${randomUUID()}`;
  try {
    make(draft);
    oneAtATime(`${file}.lock`, () => {
      // Closing deletes the log by its name, which must not be that of the file which comes next.
      db.close();
      if (!isInPlace()) return;
      for (const suffix of ["-wal", "-shm"]) rmSync(file + suffix, { force: true });
      renameSync(draft, file);
    });
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The lock is SQLite's, on an empty database that stays: it ends with the process that holds it. */
function oneAtATime(lockFile: string, act: () => void): void {
  makePrivateFile(lockFile);
  const lock = new DatabaseSync(lockFile, { timeout: busyMs });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    act();
  } finally {
    lock.close();
  }
}
