// What is done in a folder that is held, by a name in it. Of the calls below none follows what the name stands for.
import type { BigIntStats, Dirent } from "node:fs";
import { constants } from "node:fs";
import { access, type FileHandle, link, lstat, mkdir, open, opendir, rename, unlink } from "node:fs/promises";
import { cannotBeSynced } from "../../../files/sync-folder.ts";
import { codeOf } from "../file-fault.ts";
import type { Held, Opened } from "./opened.ts";

/** What a folder says about one of its names, which is bytes and need not be text. */
export type FolderEntry = Dirent<Buffer>;

/** Everything in a folder, in no order, a few at a time: however many there are, few are held. */
export async function* entriesOf(folder: Held): AsyncGenerator<FolderEntry> {
  await folder.confirm();
  // Node takes it, and its types do not say so.
  const encoding = "buffer" as BufferEncoding;
  const all: AsyncIterable<unknown> = await opendir(folder.way, { encoding, bufferSize: 256 });
  for await (const entry of all) yield entry as FolderEntry;
  await folder.confirm();
}

/** What a name stands for, or nothing where it has gone. */
export async function lookAt(folder: Held, name: Buffer): Promise<BigIntStats | undefined> {
  return await unlessMissing(lstat(Buffer.concat([Buffer.from(`${folder.way}/`), name]), { bigint: true }));
}

/** What stands there, held; nothing where nothing does. */
export async function childOf(folder: Held, name: string): Promise<Opened | undefined> {
  return await unlessMissing(folder.child(name));
}

/** Throws where this program could not write the file itself: what it replaces it by would need no such right. */
export async function requireChangeable(file: Held): Promise<void> {
  await access(file.way, constants.W_OK);
}

/** A file that was not there before. */
export async function createFile(folder: Held, name: string, mode: number): Promise<FileHandle> {
  await folder.confirm();
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const file = await open(at(folder, name), O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, mode);
  try {
    await folder.confirm();
    return file;
  } catch (error) {
    await file.close();
    await unlink(at(folder, name)).catch(() => undefined);
    throw error;
  }
}

/** Gives a file a second name, unless there is something by it, be it a link that leads nowhere. */
export async function addName(folder: Held, name: string, second: string): Promise<void> {
  await folder.confirm();
  await link(at(folder, name), at(folder, second));
}

/** Puts a file in the place of what has this name. A link there is replaced, and what it leads to stays. */
export async function replaceBy(folder: Held, name: string, replaced: string): Promise<void> {
  await folder.confirm();
  await rename(at(folder, name), at(folder, replaced));
}

/** Whether there was something to remove. */
export async function removeFile(folder: Held, name: string): Promise<boolean> {
  await folder.confirm();
  return (await unlessMissing(unlink(at(folder, name)).then(() => true))) ?? false;
}

/** For everybody to read, as far as the umask lets them. One that is there already will do. */
export async function makeFolder(folder: Held, name: string): Promise<void> {
  await folder.confirm();
  try {
    await mkdir(at(folder, name), 0o755);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return;
    throw error;
  }
  await syncNames(folder);
}

/** Makes sure that the names in a folder are still there after a power cut, where its file system can say so. */
export async function syncNames(folder: Held): Promise<void> {
  if (process.platform === "win32") return;
  try {
    const opened = await folder.open();
    try {
      await opened.sync();
    } finally {
      await opened.close();
    }
  } catch (error) {
    if (!cannotBeSynced.has(codeOf(error) ?? "")) throw error;
  }
}

function at(folder: Held, name: string): string {
  return `${folder.way}/${name}`;
}

async function unlessMissing<Value>(promise: Promise<Value>): Promise<Value | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
