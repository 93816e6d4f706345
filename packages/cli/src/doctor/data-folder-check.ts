import { accessSync, constants, statfsSync, statSync } from "node:fs";
import { join } from "node:path";
import { belongsToAnother } from "@spfunctions/host/installation";
import { refuseLinkedDatabase, sqliteSchemaVersion } from "@spfunctions/host/store";
import { type Check, fail, failed, ok, warn } from "./check.ts";
import { hindranceTo } from "./hindrance-to.ts";
import { unwritable } from "./unwritable-check.ts";
import { modeOf } from "./secret-file-check.ts";

const mebibyte = 2 ** 20;
const roomToWarn = 1024 * mebibyte;
const roomToFail = 64 * mebibyte;

/** Whether a data folder is there, is this person's alone, and can be written to. */
export function folderCheck(folder: string, users: readonly string[]): Check {
  const about = { check: "data", where: folder };
  const called = users.join(" and ");
  try {
    const found = statSync(folder, { throwIfNoEntry: false });
    const hindrance = found === undefined ? hindranceTo(folder) : undefined;
    if (hindrance !== undefined) return fail(about, hindrance, "mend that, or name another in SF_DATA");
    if (found === undefined) return ok(about, `is not there yet; ${called} makes it`);
    if (!found.isDirectory())
      return fail(about, "is not a folder", "move it away, or name another in SF_DATA");
    if (belongsToAnother(found))
      return fail(
        about,
        `belongs to another user (${found.uid})`,
        "make it yours with chown, or name another in SF_DATA",
      );
    return openOf(folder) ?? roomOf(folder, called);
  } catch (error) {
    return failed(about, error, "make it yours and writable, or name another in SF_DATA");
  }
}

/** Whoever else can read its journal, or this person cannot write. */
function openOf(folder: string): Check | undefined {
  const about = { check: "data", where: folder };
  const file = join(folder, "simplefunctions.db");
  const shut = shutTo(folder, folder, constants.R_OK | constants.W_OK | constants.X_OK);
  if (shut !== undefined) return shut;
  const database = statSync(file, { throwIfNoEntry: false });
  const linked = linkedTo(folder, file);
  if (linked !== undefined) return linked;
  const unusable = database && shutTo(folder, file, constants.R_OK | constants.W_OK);
  if (unusable !== undefined) return unusable;
  if (process.platform === "win32" || database === undefined || (database.mode & 0o077) === 0)
    return undefined;
  return warn(about, `others can reach ${file} (mode ${modeOf(database)})`, `chmod 600 ${file}`);
}

/** A second name of the database, by which another program could write to it unseen. */
function linkedTo(folder: string, file: string): Check | undefined {
  try {
    refuseLinkedDatabase(file);
    return undefined;
  } catch (error) {
    return failed({ check: "data", where: folder }, error);
  }
}

function shutTo(folder: string, path: string, mode: number): Check | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    return unwritable(folder, path, error);
  }
}

function roomOf(folder: string, called: string): Check {
  const { bavail, bsize } = statfsSync(folder);
  const room = bavail * bsize;
  const version = sqliteSchemaVersion(join(folder, "simplefunctions.db"));
  const facts = { roomBytes: room, ...(version !== undefined && { version }) };
  const about = { check: "data", where: folder, facts };
  const said =
    room >= roomToWarn ? `${(room / 1024 / mebibyte).toFixed(1)} GiB` : `${Math.floor(room / mebibyte)} MiB`;
  const todo = "make room: what cannot be recorded is not done";
  if (room < roomToFail) return fail(about, `its disk has ${said} left`, todo);
  if (room < roomToWarn) return warn(about, `its disk has ${said} left`, todo);
  const schema = version === undefined ? "" : ` schema version ${version},`;
  return ok(about, `of ${called}: can be written,${schema} its disk has ${said} left`);
}
