// A file is whole or not there: the text goes into a file of its own, is synced, and takes the name only then. Whatever ends it
// before, what was there stays as it was.
import { RecoveryNeededError } from "@spfunctions/contracts";
import type { FileHandle } from "node:fs/promises";
import { alreadyThere, codeOf, inWords } from "./file-fault.ts";
import { type FileRights, giveRights } from "./file-rights.ts";
import { onceMade } from "./once-made.ts";
import { malformed, shown } from "./refusals.ts";
import { requireFile, requireOneName } from "./require-file.ts";
import { pathText } from "./sandbox-path.ts";
import type { FileSandbox } from "./sandbox/file-sandbox.ts";
import {
  addName,
  childOf,
  createFile,
  removeFile,
  replaceBy,
  requireChangeable,
  syncNames,
} from "./sandbox/in-folder.ts";
import type { Opened } from "./sandbox/opened.ts";
import { walk } from "./sandbox/walk.ts";
import {
  bytesOf,
  readTarget,
  temporaryName,
  type WriteContext,
  type WriteInput,
  type WriteOutput,
} from "./write-target.ts";

export async function writeText(
  sandbox: FileSandbox,
  { path: given, text, overwrite }: WriteInput,
  { signal, effectId }: WriteContext,
): Promise<WriteOutput> {
  const bytes = bytesOf(text, sandbox.limits.writeBytes);
  const { path, folder, name } = readTarget(sandbox, given);
  const once = () =>
    walk(sandbox, { path: folder, signal, makes: true }, async (held, state) => {
      const rights = await rightsToKeep(held, name, { given, overwrite });
      const temporary = temporaryName(effectId);
      const file = await createTemporary(held, temporary, rights === undefined ? 0o644 : 0o600);
      try {
        await fill(file, bytes, rights);
        signal.throwIfAborted();
        await takeName(held, { temporary, name, given, overwrite });
      } catch (error) {
        await removeFile(held, temporary).catch(() => undefined);
        throw error;
      }
      await settle(held, temporary, given);
      return { path: pathText(path), bytes: bytes.length, sandbox: state };
    });
  return await inWords(given, () => onceMade(once));
}

type Target = { readonly given: string; readonly overwrite: boolean };

/** The rights of the file that is there, if there is one: whoever could read it still can. No program becomes somebody else. */
async function rightsToKeep(
  folder: Opened,
  name: string,
  { given, overwrite }: Target,
): Promise<FileRights | undefined> {
  const old = await childOf(folder, name);
  if (old === undefined) return undefined;
  try {
    requireFile(old, given);
    if (!overwrite) throw alreadyThere(given);
    requireOneName(old, given, "under the others it would stay as it is; write to another path");
    await requireChangeable(old);
    const { mode, uid, gid } = old.stat;
    return { mode: Number(mode) & 0o777, uid: Number(uid), gid: Number(gid) };
  } finally {
    old.close();
  }
}

/** What an earlier attempt at the same effect left is its own, and goes. */
async function createTemporary(folder: Opened, temporary: string, mode: number): Promise<FileHandle> {
  await removeFile(folder, temporary);
  return await createFile(folder, temporary, mode);
}

async function fill(file: FileHandle, bytes: Buffer, rights: FileRights | undefined): Promise<void> {
  try {
    await file.writeFile(bytes);
    if (rights !== undefined) await giveRights(file, rights);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function takeName(
  folder: Opened,
  { temporary, name, given, overwrite }: Target & { readonly temporary: string; readonly name: string },
): Promise<void> {
  if (overwrite) {
    await replaceBy(folder, temporary, name);
    return;
  }
  try {
    await addName(folder, temporary, name);
  } catch (error) {
    const hasNoSecondNames = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS"].includes(codeOf(error) ?? "");
    if (!hasNoSecondNames) throw error;
    throw malformed(
      given,
      "unsupported",
      "lies on a file system that cannot make a file only where there is none; pass overwrite: true",
    );
  }
}

/** The text is there: whatever goes wrong from here on, nobody is told that nothing has happened. */
async function settle(folder: Opened, temporary: string, given: string): Promise<void> {
  try {
    await removeFile(folder, temporary);
    await syncNames(folder);
  } catch {
    throw new RecoveryNeededError(
      `${shown(given)} is written, and the disk does not say that it will stay; look whether it is there`,
      { details: { path: "/path", reason: "not_synced" } },
    );
  }
}
