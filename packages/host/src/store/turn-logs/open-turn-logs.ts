// The logs of turns, for people: a file a turn, in a folder a session. Nothing is replayed from them, so that the oldest may go.
import { randomUUID } from "node:crypto";
import { open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { HostConfigurationNeededError, InvalidInputError } from "@spfunctions/contracts";
import { makePrivateFolder } from "../../files/make-private-folder.ts";
import { refuseSharedFolder } from "../../files/refuse-shared-folder.ts";
import { folderNameOf } from "./folder-name.ts";

export type TurnLogsOptions = {
  /** Made, for its owner alone, where it is not there. */
  readonly folder: string;
  /** So many of a session are kept, the last by their names; 1000 unless given. */
  readonly mostOfSession?: number | undefined;
};

export type TurnLogs = {
  /** One file, for its owner alone: whoever looks sees all of it or none. */
  readonly write: (sessionId: string, name: string, text: string) => Promise<void>;
  /** Nothing where there is no such log, or no longer. */
  readonly read: (sessionId: string, name: string) => Promise<string | undefined>;
  /** Nothing where there is no such log. */
  readonly remove: (sessionId: string, name: string) => Promise<void>;
  /** By their names, the oldest first. */
  readonly list: (sessionId: string) => Promise<string[]>;
};

/**
 * Logs of turns that are kept of a session.
 * @limit chat.turnLogs | the oldest is removed | `mostOfSession` of `openTurnLogs`
 */
const usualMost = 1000;
const draftMark = ".draft-";
/** What a process has left that was killed while it wrote. */
const abandonedMs = 3_600_000;

export function openTurnLogs({ folder, mostOfSession = usualMost }: TurnLogsOptions): TurnLogs {
  if (!Number.isSafeInteger(mostOfSession) || mostOfSession < 1)
    throw new InvalidInputError("mostOfSession is a whole number of 1 or more", {
      details: { path: "/mostOfSession", reason: "bad_option" },
    });
  refuseSharedFolder(folder);
  const folderOf = (sessionId: string) => join(folder, folderNameOf(sessionId));
  return {
    write: async (sessionId, name, text) => {
      requireName(name);
      const own = folderOf(sessionId);
      try {
        makePrivateFolder(own);
        await writeWhole(own, name, text);
        await keepNewest(own, mostOfSession);
      } catch (cause) {
        const { code = "it failed" } = cause as NodeJS.ErrnoException;
        throw new HostConfigurationNeededError(
          `the log ${name} cannot be written in ${own} (${code}); see that the folder is yours and has room`,
          {
            details: { reason: "not_writable" },
            cause,
          },
        );
      }
    },
    read: async (sessionId, name) => {
      requireName(name);
      return await unlessMissing(() => readFile(join(folderOf(sessionId), name), "utf8"));
    },
    remove: async (sessionId, name) => {
      requireName(name);
      await rm(join(folderOf(sessionId), name), { force: true });
    },
    list: async (sessionId) => logsIn((await unlessMissing(() => readdir(folderOf(sessionId)))) ?? []),
  };
}

/** It comes from a run's id, and leads nowhere else. */
function requireName(name: string): void {
  if (/^[a-z0-9_-][a-z0-9._-]{0,199}$/.test(name) && !name.endsWith(".")) return;
  throw new InvalidInputError(
    "the name of a log is 1 to 200 small letters, digits or . _ -, with no dot at its ends",
    { details: { path: "/name", reason: "bad_name" } },
  );
}

async function writeWhole(folder: string, name: string, text: string): Promise<void> {
  const draft = join(folder, `${draftMark}${randomUUID()}`);
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, join(folder, name));
  } finally {
    await rm(draft, { force: true });
  }
}

async function keepNewest(folder: string, most: number): Promise<void> {
  const names = await readdir(folder);
  const old = logsIn(names).slice(0, -most);
  const drafts = names.filter((name) => name.startsWith(draftMark));
  await Promise.all([
    ...old.map((name) => rm(join(folder, name), { force: true })),
    ...drafts.map((name) => removeAbandoned(join(folder, name))),
  ]);
}

async function removeAbandoned(draft: string): Promise<void> {
  const found = await unlessMissing(() => stat(draft));
  if (found !== undefined && Date.now() - found.mtimeMs > abandonedMs) await rm(draft, { force: true });
}

function logsIn(names: readonly string[]): string[] {
  return names.filter((name) => !name.startsWith(".")).toSorted();
}

async function unlessMissing<Found>(look: () => Promise<Found>): Promise<Found | undefined> {
  try {
    return await look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
