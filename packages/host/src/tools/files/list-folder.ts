import { isUtf8 } from "node:buffer";
import { inWords } from "./file-fault.ts";
import { pathText, readPath } from "./sandbox-path.ts";
import type { FileSandbox } from "./sandbox/file-sandbox.ts";
import { entriesOf, type FolderEntry, lookAt } from "./sandbox/in-folder.ts";
import type { Opened, SandboxState } from "./sandbox/opened.ts";
import { requireFolder, walk } from "./sandbox/walk.ts";

export type ListInput = { readonly path: string; readonly max_entries: number };

type ListedEntry = {
  readonly name: string;
  readonly type: "file" | "folder" | "link" | "other";
  readonly bytes?: number;
  /** The name is no UTF-8: what is no character of it was replaced, and it cannot be opened by it. */
  readonly lossy?: true;
};

export type ListOutput = {
  readonly path: string;
  readonly entries: readonly ListedEntry[];
  readonly truncated: boolean;
  /** Of the whole folder, where the list was cut and all of it was looked at. */
  readonly totalEntries?: number;
  /** How many names were looked at, where there are more: the entries are the first of these. */
  readonly scannedEntries?: number;
  readonly sandbox: SandboxState;
};

export async function listFolder(
  sandbox: FileSandbox,
  { path: given, max_entries: most }: ListInput,
  signal: AbortSignal,
): Promise<ListOutput> {
  const path = readPath(given, sandbox.root.path, sandbox.platform);
  return await inWords(given, () =>
    walk(sandbox, { path, signal }, async (folder, state) => {
      requireFolder(folder, given);
      const { first, scanned, isWhole } = await scan(folder, most, sandbox.limits.scannedNames, signal);
      const listed = await Promise.all(first.map((entry) => describe(folder, entry)));
      await folder.confirm();
      const truncated = !isWhole || scanned > most;
      return {
        path: pathText(path),
        entries: listed.filter((entry) => entry !== undefined),
        truncated,
        ...(truncated && (isWhole ? { totalEntries: scanned } : { scannedEntries: scanned })),
        sandbox: state,
      };
    }),
  );
}

type Scan = {
  readonly first: readonly FolderEntry[];
  readonly scanned: number;
  /** Whether there was nothing more to look at. */
  readonly isWhole: boolean;
};

/** The first names of a folder by their bytes. No more than twice as many as are wanted are ever kept. */
async function scan(folder: Opened, most: number, limit: number, signal: AbortSignal): Promise<Scan> {
  let first: FolderEntry[] = [];
  let scanned = 0;
  const sorted = () => first.toSorted((one, other) => Buffer.compare(one.name, other.name)).slice(0, most);
  for await (const entry of entriesOf(folder)) {
    signal.throwIfAborted();
    if (scanned === limit) return { first: sorted(), scanned, isWhole: false };
    scanned += 1;
    first.push(entry);
    if (first.length >= 2 * most) first = sorted();
  }
  return { first: sorted(), scanned, isWhole: true };
}

/**
 * Nothing where it has gone meanwhile. Whoever may list a folder need not be allowed to look at what is in it. It never throws: the
 * others would go on by a descriptor that is closed, and may be something else by then.
 */
async function describe(folder: Opened, entry: FolderEntry): Promise<ListedEntry | undefined> {
  const stat = await lookAt(folder, entry.name).catch(() => "hidden" as const);
  if (stat === undefined) return undefined;
  return {
    name: entry.name.toString("utf8"),
    type: typeOf(stat === "hidden" ? entry : stat),
    ...(stat !== "hidden" && stat.isFile() && { bytes: Number(stat.size) }),
    ...(!isUtf8(entry.name) && { lossy: true }),
  };
}

type Kind = Pick<FolderEntry, "isFile" | "isDirectory" | "isSymbolicLink">;

function typeOf(kind: Kind): ListedEntry["type"] {
  if (kind.isFile()) return "file";
  if (kind.isDirectory()) return "folder";
  return kind.isSymbolicLink() ? "link" : "other";
}
