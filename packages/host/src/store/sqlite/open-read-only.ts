import { statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { hindranceTo } from "./hindrance-to.ts";
import { unfoldedFault } from "./sqlite-faults.ts";

/**
 * Opens a database that cannot be written where it lies, as in a mounted snapshot. Nothing is made beside it, so that a log which
 * lies there would not be read: without what is in it the store would look whole, and be of an earlier time.
 */
export function openReadOnly(file: string): DatabaseSync {
  const log = statSync(`${file}-wal`, { throwIfNoEntry: false });
  if (log !== undefined && log.size > 0) throw unfoldedFault(file, hindranceTo(file));
  const url = pathToFileURL(file);
  // SQLite's own word for a file that nobody changes.
  url.searchParams.set("immutable", "1");
  const database = new DatabaseSync(url, { readOnly: true, enableDoubleQuotedStringLiterals: false });
  database.exec("PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY");
  return database;
}
