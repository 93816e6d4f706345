// S1: a secret lies in one file that its owner alone can read. It is there whole or not at all, and the first process that
// makes one makes it for all.
import { randomUUID } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { belongsToAnother } from "../files/belongs-to-another.ts";
import { makePrivateFolder } from "../files/make-private-folder.ts";
import { syncFolder } from "../files/sync-folder.ts";

/** More than a secret in any form, with a line's end. */
const mostBytes = 256;

/** What lies in a file, as people call it, and what its faults are known by. */
export type SecretKind = {
  readonly called: string;
  readonly reason: string;
  /** What is true where others have read it. */
  readonly exposed: string;
  /** What to do where it cannot be made. */
  readonly otherwise: string;
};

/** The text of the file, or nothing where there is none. */
export function readSecretFile(path: string, kind: SecretKind): string | undefined {
  let file: number;
  try {
    // Without waiting: a pipe in its place would otherwise keep us for ever.
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw unusable(path, kind, `cannot be read (${codeOf(error)})`, "make it readable for its owner", error);
  }
  try {
    requireOwnersAlone(path, kind, file);
    const bytes = Buffer.alloc(mostBytes);
    return bytes.toString("latin1", 0, readSync(file, bytes)).replace(/\r?\n$/, "");
  } finally {
    closeSync(file);
  }
}

function requireOwnersAlone(path: string, kind: SecretKind, file: number): void {
  const found = fstatSync(file);
  if (!found.isFile()) throw unusable(path, kind, "is not a file", "remove what is there");
  if (belongsToAnother(found))
    throw unusable(
      path,
      kind,
      `belongs to another user (${found.uid})`,
      "if you put it there yourself, make it yours with chown; otherwise remove it, because its owner knows it",
    );
  if (process.platform === "win32" || (found.mode & 0o077) === 0) return;
  const mode = (found.mode & 0o777).toString(8).padStart(4, "0");
  throw unusable(
    path,
    kind,
    `can be reached by others than its owner (mode ${mode})`,
    `if nobody has read it, chmod 600 ${path}; otherwise ${kind.exposed}`,
  );
}

/** Makes the file with this text; false where somebody was first. */
export function makeSecretFile(path: string, text: string, kind: SecretKind): boolean {
  const draft = `${path}.${randomUUID()}`;
  try {
    makePrivateFolder(dirname(path));
    writeDurably(draft, `${text}\n`);
    try {
      // A link is made only where nothing is, and what it shows is complete from its first moment.
      linkSync(draft, path);
      // A store that is tied to a secret which a power cut took back would be lost.
      syncFolder(dirname(path));
      return true;
    } finally {
      unlinkSync(draft);
    }
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    throw unusable(path, kind, `cannot be made (${codeOf(error)})`, kind.otherwise, error);
  }
}

function writeDurably(path: string, text: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "fault";
}

function unusable(
  path: string,
  { called, reason }: SecretKind,
  what: string,
  remedy: string,
  cause?: unknown,
): HostConfigurationNeededError {
  return new HostConfigurationNeededError(`${called} ${path} ${what}; ${remedy}`, {
    details: { reason, where: path },
    cause,
  });
}
