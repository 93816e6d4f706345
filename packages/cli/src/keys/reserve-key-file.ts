// S1: a secret that can be kept nowhere is not asked for. So a file is made first, in the very folder, and what is kept is a new
// file for its owner alone: none is ever written over, and none lies in a data folder.
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { configFolderOf, dataFolderOf, makeKeyFile, platformFolderOf } from "@spfunctions/host/installation";
import { randomUUID } from "node:crypto";
import { existsSync, lstatSync, realpathSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CliIo } from "../io/cli-io.ts";
import { errorOf } from "../io/report-error.ts";
import { requireApart } from "../seat/data-folder.ts";

/** A place for one secret. */
export type Reserved = {
  /** Keeps it, and says where. */
  readonly keep: (keyId: string, secret: string) => string;
  /** Takes away what held the place. */
  readonly release: () => void;
};

/** In the file that was named, or else in one of the configuration folder that is named after the key. */
export function reserveKeyFile(out: string | undefined, io: CliIo): Reserved {
  if (out === "") throw badUsage("--output needs the name of a file");
  const named = out === undefined ? undefined : resolve(io.cwd, out);
  const folder = named === undefined ? join(configFolderOf(io.env), "keys") : dirname(named);
  if (named !== undefined) requireNew(named, folder);
  const holder = join(folder, `.${randomUUID()}.key`);
  requireOutsideData(named ?? join(folder, "new.key"), named, io);
  hold(holder, named === undefined);
  return {
    keep: (keyId, secret) => {
      for (const path of named === undefined ? namesFor(folder, keyId) : [named])
        if (makeKeyFile(path, secret)) return path;
      throw new HostConfigurationNeededError(
        `${named ?? folder} has been taken meanwhile by something else; try again`,
      );
    },
    release: () => rmSync(holder, { force: true }),
  };
}

function hold(path: string, isOwnFolder: boolean): void {
  try {
    makeKeyFile(path, "");
  } catch (cause) {
    const { message } = errorOf(cause);
    const todo = isOwnFolder
      ? "name a writable folder in XDG_CONFIG_HOME, or a file with --output"
      : "name another file";
    throw new HostConfigurationNeededError(
      `no key file can be made in ${dirname(path)} (${/\((\w+)\)/.exec(message)?.[1] ?? message}), so no key was asked for; ${todo}`,
      { details: { reason: "bad_key_file" }, cause },
    );
  }
}

function requireNew(path: string, folder: string): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined)
    throw badUsage(`${path} is there already, and a key file is never written over; name another`);
  if (!existsSync(folder)) throw badUsage(`there is no folder ${folder} for the key file; make it first`);
}

/** A key that was rotated has a file for each of its secrets. */
const mostFiles = 1000;

function namesFor(folder: string, keyId: string): string[] {
  return Array.from({ length: mostFiles }, (_, at) =>
    join(folder, at === 0 ? `${keyId}.key` : `${keyId}.${at + 1}.key`),
  );
}

/** Neither in one that this command line could use, nor in any other. */
function requireOutsideData(file: string, named: string | undefined, io: CliIo): void {
  const used = [dataFolderOf(undefined, io), platformFolderOf(io)];
  const others = foldersAbove(file).filter((folder) => existsSync(join(folder, "simplefunctions.db")));
  for (const folder of [...used, ...others]) {
    try {
      requireApart(folder, file, "the key file");
    } catch (error) {
      throw named === undefined
        ? error
        : badUsage(
            `${named} lies in the data folder ${folder}, where no secret is kept; name a file elsewhere`,
          );
    }
  }
}

function foldersAbove(file: string): string[] {
  const folders: string[] = [];
  let at = existsSync(dirname(file)) ? realpathSync(dirname(file)) : dirname(file);
  for (; dirname(at) !== at; at = dirname(at)) folders.push(at);
  return folders;
}
