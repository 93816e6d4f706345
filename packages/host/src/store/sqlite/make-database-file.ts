import { randomUUID } from "node:crypto";
import { constants, copyFileSync, linkSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { makePrivateFile } from "../../files/make-private-file.ts";
import { syncFolder } from "../../files/sync-folder.ts";

/**
 * Makes a new database that is marked as ours, for its owner alone. It has its name only once it is whole, so that a file in which
 * nothing is was emptied by somebody; whoever is killed here leaves a draft, which is nobody's. One that is there stays as it is.
 */
export function makeDatabaseFile(file: string, applicationId: number): void {
  const draft = `${file}.${randomUUID()}`;
  try {
    makePrivateFile(draft);
    fill(draft, applicationId);
    giveName(draft, file);
    syncFolder(dirname(file));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function fill(draft: string, applicationId: number): void {
  const database = new DatabaseSync(draft);
  try {
    database.exec(`
      -- A draft that is not finished is not mended either, and needs no second file.
      PRAGMA journal_mode = MEMORY;
      -- Before anything is in it, after that it changes nothing: three records fit a page, where one fills most of a smaller one.
      PRAGMA page_size = 8192;
      PRAGMA application_id = ${applicationId};
    `);
  } finally {
    database.close();
  }
}

/** What a file system without links says. */
const noLinks: ReadonlySet<string> = new Set(["EPERM", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"]);

/** A link is made only where nothing is, and what it shows is whole from its first moment. */
function giveName(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!noLinks.has((error as NodeJS.ErrnoException).code ?? "")) throw error;
    copyFileSync(draft, file, constants.COPYFILE_EXCL);
  }
}
