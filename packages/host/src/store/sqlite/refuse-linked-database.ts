// SQLite finds a database's log by the database's name. A file with two names (a hard link) has two logs: two programs that open it by
// different names do not see each other's, and what one of them writes is lost when the other folds its log in.
import { existsSync, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { HostConfigurationNeededError } from "@spfunctions/contracts";

/**
 * Throws if a database, or its log, has another name. Called before every opening; a file that is not there passes. `todo`: what to do
 * about it, where it is not a store.
 */
export function refuseLinkedDatabase(file: string, todo = howToCopy(file)): void {
  const linked = linkedFile(file);
  if (linked === undefined) return;
  const { path, names } = linked;
  throw new HostConfigurationNeededError(
    `${path} has ${names} names (hard links), and was not opened: a program that opens it by another name keeps a log of its own, and what one of them writes is lost to the other. Find the names with: find / -samefile ${path}. Stop what uses them, keep the one beside which ${basename(file)}-wal lies, and remove the others. ${todo}`,
    { details: { reason: "linked", path, names } },
  );
}

function howToCopy(file: string): string {
  const folder = dirname(file);
  return `To have a copy that is safe to open, run: sf backup ${folder}-copy --data ${folder}`;
}

/** A database, or its log, that has another name, and how many names it has. */
function linkedFile(file: string): { readonly path: string; readonly names: number } | undefined {
  if (!existsSync(file)) return undefined;
  // Its log lies beside the file itself, not beside a symbolic link to it.
  const itself = realpathSync(file);
  for (const path of [itself, `${itself}-wal`, `${itself}-shm`]) {
    const names = namesOf(path, itself);
    if (names > 1) return { path, names };
  }
  return undefined;
}

/** How many names a file has, without those of drafts. It is looked at again if a draft was removed meanwhile. */
function namesOf(path: string, database: string): number {
  for (;;) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found?.isFile() !== true || found.nlink <= 1) return 1;
    const names = found.nlink - draftsOf(database, found);
    if (statSync(path, { throwIfNoEntry: false })?.nlink === found.nlink) return names;
  }
}

const draftSuffix = /^\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * A new database has the name of its draft, too, for a moment; if its maker was killed in that moment, for good. Nobody opens a
 * database by the name of a draft.
 */
function draftsOf(file: string, { ino, dev }: Stats): number {
  const [folder, name] = [dirname(file), basename(file)];
  return readdirSync(folder).filter((other) => {
    if (!other.startsWith(name) || !draftSuffix.test(other.slice(name.length))) return false;
    const draft = statSync(join(folder, other), { throwIfNoEntry: false });
    return draft?.ino === ino && draft.dev === dev;
  }).length;
}
