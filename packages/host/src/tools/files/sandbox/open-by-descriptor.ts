// B28: on Linux nothing comes between a check and what it was for. A folder is held by a descriptor, and /proc/self/fd/<n>/<name>
// is that very folder's <name>, wherever the folder has gone since: what openat(2) does, which Node does not have. Names are opened
// one at a time and never followed.
import {
  type BigIntStats,
  closeSync,
  constants,
  fstat,
  lstatSync,
  open,
  opendirSync,
  openSync,
  readlinkSync,
  readSync,
} from "node:fs";
import { open as openFile } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { promisify } from "node:util";
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { denied } from "../refusals.ts";
import type { Held, Opened } from "./opened.ts";

/**
 * Holds what has a name without opening it: no FIFO waits, no device wakes up, and a folder needs no permission to be read. Node does
 * not name the flag; it is the same on every machine that Node runs on.
 */
const O_PATH = 0o10000000;

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

const hold = promisify(open);
const look = promisify(fstat) as (held: number, options: { readonly bigint: true }) => Promise<BigIntStats>;

/** A folder; what is none is not held. */
export async function holdFolder(path: string): Promise<Held> {
  return heldBy(await hold(path, O_PATH | O_NOFOLLOW | O_DIRECTORY));
}

/** How often a file may lose its name while it is looked at: each time somebody has put another in its place. */
const mostTries = 100;

async function openByDescriptor(path: string): Promise<Opened> {
  for (let tries = 0; tries < mostTries; tries += 1) {
    // oxlint-disable-next-line no-await-in-loop -- the next one is another file
    const opened = await holdNow(path);
    if (!opened.stat.isFile() || hasName(opened, path)) return opened;
    opened.close();
  }
  throw denied(
    basename(path),
    "changed",
    "was changed by somebody all the time while it was looked at; nothing was done",
  );
}

async function holdNow(path: string): Promise<Opened> {
  const held = heldBy(await hold(path, O_PATH | O_NOFOLLOW));
  try {
    return { ...held, stat: await held.look() };
  } catch (error) {
    held.close();
    throw error;
  }
}

function heldBy(descriptor: number): Held {
  const way = `/proc/self/fd/${descriptor}`;
  return {
    way,
    look: () => look(descriptor, { bigint: true }),
    child: (name) => openByDescriptor(`${way}/${name}`),
    open: () => openFile(way, O_RDONLY | O_NONBLOCK),
    mount: () => mountOf(descriptor),
    confirm: () => Promise.resolve(),
    // Nothing was opened, so that nothing is written back and nobody waits.
    close: () => closeSync(descriptor),
  };
}

/**
 * Whether a file still has the name that it was opened by. One that has lost it says how many others it has, and they may all lie
 * outside: that it has one is worth something only with this one. The kernel says it from memory.
 */
function hasName({ way, stat }: Opened, path: string): boolean {
  // A name that is being taken away is counted no more and still there for a moment, in which its folder cannot be listed.
  waitForList(dirname(path));
  try {
    const told = readlinkSync(way);
    return !told.endsWith(" (deleted)") || told.endsWith(`/${basename(path)}`);
  } catch {
    // It lies deeper than the kernel has words for.
    const now = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return now?.ino === stat.ino && now.dev === stat.dev && now.nlink === stat.nlink;
  }
}

/** One that cannot be listed by this program is not waited for. */
function waitForList(folder: string): void {
  try {
    const list = opendirSync(folder, { bufferSize: 1 });
    try {
      list.readSync();
    } finally {
      list.closeSync();
    }
  } catch {}
}

/** Whether the way to what is held leads there: not where /proc is missing. The kernel says it from memory. */
export function isReached({ way }: Held): boolean {
  try {
    return readlinkSync(way).startsWith("/");
  } catch {
    return false;
  }
}

const aboutBytes = Buffer.alloc(512);

/**
 * By its number, which tells more than a device: a bind mount has the same device, and a subvolume of btrfs or a lower layer of an
 * overlay another one, although nothing is mounted there. The kernel says it from memory.
 */
function mountOf(held: number): string {
  const about = openSync(`/proc/self/fdinfo/${held}`, O_RDONLY);
  try {
    const bytesRead = readSync(about, aboutBytes, 0, aboutBytes.length, 0);
    const number = /^mnt_id:\s*(\d+)$/m.exec(aboutBytes.toString("latin1", 0, bytesRead))?.[1];
    if (number !== undefined) return number;
    throw new HostConfigurationNeededError(
      "this system does not say which mount a file lies on (/proc/self/fdinfo); the file tools need a newer one",
      { details: { reason: "no_mount_id" } },
    );
  } finally {
    closeSync(about);
  }
}
