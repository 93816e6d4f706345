// The file tools on a root of their own, and beside it a folder that they must never see or touch.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isSimpleFunctionsError, type SimpleFunctionsError } from "@spfunctions/contracts";
import { expect, onTestFinished } from "vitest";
import { type FsToolsOptions, openFileSandbox } from "../src/tools/files/fs-tools.ts";
import { listFolder, type ListOutput } from "../src/tools/files/list-folder.ts";
import { readText, type ReadOutput } from "../src/tools/files/read-text.ts";
import type { FileSandbox } from "../src/tools/files/sandbox/file-sandbox.ts";
import type { WriteOutput } from "../src/tools/files/write-target.ts";
import { writeText } from "../src/tools/files/write-text.ts";
import { dataFolder } from "./data-folder.ts";

/** How sure the sandbox is on this machine. */
export const stateHere = process.platform === "linux" ? "full" : "reduced";
/** What stands in every file outside. */
export const canary = "the canary outside the root";
/** A name there that nobody gives. */
export const hiddenName = "a-name-that-nobody-gives";

export type FileDesk = {
  readonly root: string;
  readonly outside: string;
  readonly sandbox: FileSandbox;
  readonly read: (path: string, maxBytes?: number) => Promise<ReadOutput>;
  readonly list: (path?: string, maxEntries?: number) => Promise<ListOutput>;
  readonly write: (path: string, text: string, terms?: WriteTerms) => Promise<WriteOutput>;
  /** The names in a folder below the root. */
  readonly namesIn: (path?: string) => string[];
  readonly textIn: (path: string) => string;
  /** Fails where anything outside is not as it was. */
  readonly requireUntouched: () => void;
};

type WriteTerms = {
  readonly overwrite?: boolean;
  readonly signal?: AbortSignal;
  readonly effectId?: string;
};

type DeskOptions = Partial<FsToolsOptions> & {
  readonly platform?: NodeJS.Platform;
  /** Where thousands of writes need not wait for a disk. */
  readonly isInMemory?: boolean;
};

let effects = 0;

export function openFileDesk({ platform, isInMemory, ...options }: DeskOptions = {}): FileDesk {
  const base = isInMemory === true && existsSync("/dev/shm") ? memoryFolder() : dataFolder();
  const root = options.root ?? join(base, "root");
  const outside = join(base, "outside");
  mkdirSync(root, { recursive: true });
  mkdirSync(join(outside, "inner"), { recursive: true });
  for (const name of ["canary.txt", "inner/canary.txt", hiddenName])
    writeFileSync(join(outside, name), canary);
  const before = pictureOf(outside);
  const sandbox = openFileSandbox({ ...options, root }, platform);
  const { signal } = new AbortController();
  return {
    root,
    outside,
    sandbox,
    read: (path, maxBytes = 20_000) => readText(sandbox, { path, max_bytes: maxBytes }, signal),
    list: (path = ".", maxEntries = 200) => listFolder(sandbox, { path, max_entries: maxEntries }, signal),
    write: (path, text, { overwrite = false, ...terms } = {}) => {
      effects += 1;
      const context = { signal, effectId: `eff_${process.pid}_${effects}`, ...terms };
      return writeText(sandbox, { path, text, overwrite }, context);
    },
    namesIn: (path = ".") => readdirSync(join(root, path)).toSorted(),
    textIn: (path) => readFileSync(join(root, path), "utf8"),
    requireUntouched: () => expect(pictureOf(outside)).toStrictEqual(before),
  };
}

function memoryFolder(): string {
  const folder = mkdtempSync("/dev/shm/sf-files-");
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Every name below a folder, with what would change if somebody touched it. */
function pictureOf(folder: string): unknown {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).toSorted();
  return names.map((name) => {
    const path = join(folder, name);
    const { mode, mtimeMs, ctimeMs, nlink } = statSync(path);
    return [name, mode, mtimeMs, ctimeMs, nlink, statSync(path).isFile() ? readFileSync(path, "utf8") : ""];
  });
}

/** The fault that something ends with, which must be one of ours. */
export async function faultOf(promise: Promise<unknown>): Promise<SimpleFunctionsError> {
  const error = await promise.then(
    (value) => new Error(`it gave ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (!isSimpleFunctionsError(error)) throw error;
  return error;
}

/** Its code and its reason. */
export async function refusalOf(promise: Promise<unknown>): Promise<string> {
  const { code, details } = await faultOf(promise);
  return `${code} ${details?.reason}`;
}
