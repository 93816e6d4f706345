// A trace in a file that grows line by line. Whenever it is looked at, what lies there is a whole trace as far as it goes.
import { randomUUID } from "node:crypto";
import { type FileHandle, open, readdir, readFile, rename, rm } from "node:fs/promises";
import { dirname, join, parse, resolve } from "node:path";
import { HostConfigurationNeededError, isSimpleFunctionsError } from "@spfunctions/contracts";
import type { TraceStore } from "@spfunctions/kernel";
import { syncFolder } from "../../files/sync-folder.ts";

export type FileTraceOptions = {
  /** Whether every call is on the disk before its answer is given, also after a power cut. Otherwise the end is. */
  readonly fsync?: boolean;
  /**
   * What becomes of a name that is taken: `next` takes the next free one beside it (`trace.2.jsonl`), so that a program can be started
   * again; `refuse` throws. `next` unless given.
   */
  readonly ifTaken?: "next" | "refuse";
};

/** A trace in a file. */
export type FileTrace = TraceStore & {
  /** The file that it is written to: another one than was named if that name was taken. */
  readonly path: string;
};

/**
 * Makes the file, for its owner alone, before anything is called: what cannot be recorded is not begun. A trace is never overwritten.
 * Where nothing was ever called there is no trace, and the file goes.
 */
export async function openFileTrace(
  path: string,
  { fsync = false, ifTaken = "next" }: FileTraceOptions = {},
): Promise<FileTrace> {
  const { file, handle: made } = await makeFree(resolve(path), path, ifTaken);
  let handle = made;
  let bytes = 0;
  let isWritten = false;
  let ending: Promise<void> | undefined;
  const write = async (text: string) => {
    try {
      await handle.appendFile(text);
      if (fsync) await handle.sync();
      bytes += Buffer.byteLength(text);
    } catch (error) {
      // Half a line would spoil all that stands before it.
      await handle.truncate(bytes).catch(() => undefined);
      throw error;
    }
  };
  return {
    path: file,
    replace: async (lines) => {
      ({ handle, bytes } = await replaced(file, handle, lines));
      isWritten = true;
      if (fsync) syncFolder(dirname(file));
    },
    append: async (lines) => await write(lines.map((line) => `${line}\n`).join("")),
    end: () => {
      ending ??= (async () => {
        try {
          if (isWritten) await handle.sync();
        } finally {
          await handle.close();
        }
        if (isWritten) syncFolder(dirname(file));
        else await rm(file, { force: true });
      })();
      return ending;
    },
    text: async () => (isWritten ? await readFile(file, "utf8") : ""),
  };
}

type Made = { readonly file: string; readonly handle: FileHandle };

/** The file, or the next one by that name. Of programs that start at the same time each gets one of its own. */
async function makeFree(named: string, name: string, ifTaken: "next" | "refuse"): Promise<Made> {
  for (let file = named; ; ) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- again only where the name is taken
      return { file, handle: await makeNew(file, name) };
    } catch (error) {
      if (ifTaken === "refuse" || !isTaken(error)) throw error;
      // oxlint-disable-next-line no-await-in-loop -- see above
      file = await nextName(named);
    }
  }
}

function isTaken(error: unknown): boolean {
  return isSimpleFunctionsError(error) && error.details?.["reason"] === "trace_exists";
}

/** Behind all that are there, so that they lie in the order in which they were begun. */
async function nextName(named: string): Promise<string> {
  const { dir, name, ext } = parse(named);
  const numbers = (await readdir(dir)).map((other) => {
    const isOne = other.startsWith(`${name}.`) && other.endsWith(ext);
    const number = isOne ? other.slice(name.length + 1, other.length - ext.length) : "";
    return /^[1-9]\d{0,8}$/.test(number) ? Number(number) : 1;
  });
  return join(dir, `${name}.${numbers.reduce((most, one) => Math.max(most, one), 1) + 1}${ext}`);
}

async function makeNew(file: string, name: string): Promise<FileHandle> {
  try {
    return await open(file, "ax", 0o600);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const message =
      code === "EEXIST"
        ? `${name} is already there, and a trace is never overwritten; name another file, or move that one away`
        : `${name} cannot be made (${code}); name a file in a folder that can be written to`;
    throw new HostConfigurationNeededError(message, {
      details: { reason: code === "EEXIST" ? "trace_exists" : "not_writable" },
      cause,
    });
  }
}

/** Other lines in place of those there were: whoever reads meanwhile gets the one or the other whole. */
async function replaced(
  file: string,
  old: FileHandle,
  lines: readonly string[],
): Promise<{ readonly handle: FileHandle; readonly bytes: number }> {
  const text = Buffer.from(lines.map((line) => `${line}\n`).join(""));
  const draft = `${file}.${randomUUID()}`;
  try {
    const handle = await open(draft, "ax", 0o600);
    try {
      await handle.appendFile(text);
      await handle.sync();
      await rename(draft, file);
    } catch (error) {
      await handle.close();
      throw error;
    }
    // What it had to write it has written, and the file it is of is gone.
    await old.close().catch(() => undefined);
    return { handle, bytes: text.length };
  } finally {
    await rm(draft, { force: true });
  }
}
