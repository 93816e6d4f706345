// B28: on Linux nothing comes between a check and what it was for. A folder is held by a descriptor, and /proc/self/fd/<n>/<name>
// is that very folder's <name>, wherever the folder has gone since: what openat(2) does, which Node does not have. Names are opened
// one at a time and never followed.
import { constants } from "node:fs";
import { type FileHandle, open, stat } from "node:fs/promises";
import type { Opened } from "./opened.ts";

/**
 * Holds what has a name without opening it: no FIFO waits, no device wakes up, and a folder needs no permission to be read. Node does
 * not name the flag; it is the same on every machine that Node runs on.
 */
const O_PATH = 0o10000000;

export async function openByDescriptor(path: string): Promise<Opened> {
  const handle = await open(path, O_PATH | constants.O_NOFOLLOW);
  try {
    const way = `/proc/self/fd/${handle.fd}`;
    return {
      way,
      stat: await handle.stat({ bigint: true }),
      child: (name) => openByDescriptor(`${way}/${name}`),
      open: () => open(way, constants.O_RDONLY | constants.O_NONBLOCK),
      mount: () => mountOf(handle),
      confirm: () => Promise.resolve(),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Whether the way to what is held leads there: not where /proc is missing, or is something else. */
export async function isReached(held: Opened): Promise<boolean> {
  try {
    const found = await stat(held.way, { bigint: true });
    return found.ino === held.stat.ino && found.dev === held.stat.dev;
  } catch {
    return false;
  }
}

/**
 * By its number, which tells more than a device: a bind mount has the same device, and a subvolume of btrfs or a lower layer of an
 * overlay another one, although nothing is mounted there.
 */
async function mountOf(handle: FileHandle): Promise<string> {
  const about = await open(`/proc/self/fdinfo/${handle.fd}`, constants.O_RDONLY);
  try {
    const { buffer, bytesRead } = await about.read(Buffer.alloc(512), 0, 512, 0);
    const number = /^mnt_id:\s*(\d+)$/m.exec(buffer.toString("latin1", 0, bytesRead))?.[1];
    return number ?? `device ${(await handle.stat({ bigint: true })).dev}`;
  } finally {
    await about.close();
  }
}
