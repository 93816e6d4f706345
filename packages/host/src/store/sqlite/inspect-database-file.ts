import { closeSync, openSync, readSync, statSync } from "node:fs";
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { corruptFault } from "./sqlite-faults.ts";

/** "SFN1": written into the header of every database of ours before anything else. */
export const applicationId = 0x53464e31;

const signature = "SQLite format 3\u0000";
/** The header of a database, and that of the page on which its schema begins. */
const headerBytes = 108;

/**
 * Says whether a file is ours without letting SQLite touch it: opening a stranger's database could already change it.
 * `empty`: there is a file, and nothing is in it.
 */
export function inspectDatabaseFile(file: string): "absent" | "empty" | "ours" {
  const size = sizeOf(file);
  if (size === undefined) return "absent";
  if (size === 0) return "empty";
  const header = readHeader(file);
  if (header.toString("latin1", 0, signature.length) !== signature)
    throw corruptFault(file, "it does not begin as a SQLite database does");
  if (header.readUInt32BE(68) === applicationId) return "ours";
  if (header.readUInt32BE(68) === 0 && hasEmptySchema(header) && !sizeOf(`${file}-wal`)) return "empty";
  throw new HostConfigurationNeededError(
    `${file} is a database of another program and was left as it is; name another data folder`,
    { details: { reason: "foreign_database" } },
  );
}

function sizeOf(file: string): number | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile())
    throw new HostConfigurationNeededError(`${file} is not a file; name another data folder`, {
      details: { reason: "not_a_file" },
    });
  return found?.size;
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
