import { closeSync, existsSync, lstatSync, openSync, readSync, statSync } from "node:fs";
import { HostConfigurationNeededError } from "@spfunctions/contracts";

/** Written into the header of every database of ours before anything else: "SFN1" for a store, "SFS1" for a search index. */
export const applicationIds = { store: 0x53464e31, search: 0x53465331 } as const;

const signature = "SQLite format 3\u0000";
/** The header of a database, and that of the page on which its schema begins. */
const headerBytes = 108;

/**
 * `empty`: a file without a byte. `blank`: a database that nobody has marked, with nothing in it. `emptied`: it is empty or gone,
 * while the log of what was in it is still there.
 */
type Found = "absent" | "empty" | "blank" | "emptied" | "ours" | "foreign" | "no database";

/** Says whether a file is ours without letting SQLite touch it: opening a stranger's database could already change it. */
export function inspectDatabaseFile(file: string, applicationId: number): Found {
  // Asked first: a new database has its first page before it has a log, so whoever sees the log sees the page too.
  const hasLog = ["-wal", "-shm"].some((suffix) => existsSync(file + suffix));
  const size = sizeOf(file);
  if (!size && hasLog) return "emptied";
  if (size === undefined) return "absent";
  if (size === 0) return "empty";
  const header = readHeader(file);
  if (header.toString("latin1", 0, signature.length) !== signature) return "no database";
  const mark = header.readUInt32BE(68);
  if (mark === applicationId) return "ours";
  return mark === 0 && hasEmptySchema(header) && !hasLog ? "blank" : "foreign";
}

/** Of a store's database, by its header alone; nothing where it is none of ours, or nothing was ever folded into it. */
export function sqliteSchemaVersion(file: string): number | undefined {
  if (inspectDatabaseFile(file, applicationIds.store) !== "ours") return undefined;
  return readHeader(file).readUInt32BE(60) || undefined;
}

function sizeOf(file: string): number | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found?.isFile()) return found.size;
  const itself = found ?? lstatSync(file, { throwIfNoEntry: false });
  if (itself === undefined) return undefined;
  // Somebody has made it meanwhile.
  if (itself.isFile()) return itself.size;
  // As where the disk that it leads to is not mounted.
  const what = itself.isSymbolicLink()
    ? "is a link to nowhere; put back what it leads to, or remove the link"
    : "is not a file; name another data folder";
  throw new HostConfigurationNeededError(`${file} ${what}`, { details: { reason: "not_a_file" } });
}

function readHeader(file: string): Buffer {
  const header = Buffer.alloc(headerBytes);
  const descriptor = openSync(file, "r");
  try {
    readSync(descriptor, header, 0, headerBytes, 0);
  } finally {
    closeSync(descriptor);
  }
  return header;
}

/** A leaf page without cells. */
function hasEmptySchema(header: Buffer): boolean {
  return header[100] === 13 && header.readUInt16BE(103) === 0;
}
