// Who drives a data folder is written in its database. It is read there without taking part: nothing is written, no log is
// folded in, and none is left behind.
import { parseJsonStrict } from "@spfunctions/contracts";
import { existsSync, readlinkSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

export type Driver = {
  readonly pid: number;
  /** Whether it still is: it has given a sign, and is there as far as anybody can tell. */
  readonly isDriving: boolean;
  /** Whether it is in another container, where nobody here can see it. */
  readonly isElsewhere: boolean;
};

export type Watched = {
  readonly driver: Driver | undefined;
  readonly close: () => void;
};

/**
 * While it is open no other connection of this process is the last one, so that closing those leaves the log as it is. Where
 * there is no log, nobody has the database open, and opening it for reading would make one.
 */
export function watchDriver(file: string): Watched {
  if (!existsSync(`${file}-wal`)) return { driver: undefined, close: () => undefined };
  const database = new DatabaseSync(file, { readOnly: true, timeout: 1000 });
  try {
    return { driver: driverIn(database), close: () => database.close() };
  } catch (error) {
    database.close();
    throw error;
  }
}

function driverIn(database: DatabaseSync): Driver | undefined {
  const row = database.prepare("SELECT holder, expires_at FROM driver WHERE id = 1").get();
  if (typeof row?.holder !== "string") return undefined;
  const { pid, pidNamespace } = parseJsonStrict(row.holder) as { pid: number; pidNamespace?: string };
  const hasSigned = Number(row.expires_at) > Date.now();
  const isAway = isElsewhere(pidNamespace);
  return { pid, isDriving: hasSigned && (isAway || isThere(pid)), isElsewhere: isAway };
}

/** Of a process in another container nothing can be said. */
function isElsewhere(pidNamespace: string | undefined): boolean {
  try {
    return pidNamespace !== readlinkSync("/proc/self/ns/pid");
  } catch {
    return false;
  }
}

/** Whether there is a process of this number here. */
function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
