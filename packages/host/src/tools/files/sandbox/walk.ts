// The one way from the root to anything below it (B28): by names, each opened in the folder before it, no link followed, and every
// descriptor closed again however it ends. Nothing outside this folder opens, makes or removes a path.
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import { codeOf, isLink } from "../file-fault.ts";
import { malformed } from "../refusals.ts";
import type { SandboxPath } from "../sandbox-path.ts";
import type { FileSandbox } from "./file-sandbox.ts";
import { makeFolder } from "./in-folder.ts";
import { holdFolder, isReached } from "./open-by-descriptor.ts";
import { openByPath } from "./open-by-path.ts";
import type { Held, Opened, SandboxState } from "./opened.ts";
import { requireMount } from "./require-mount.ts";

type Walk = {
  readonly path: SandboxPath;
  readonly signal: AbortSignal;
  /** Whether folders that are missing are made on the way. */
  readonly makes?: boolean;
};

/** Does something with what stands at the end of a path, which is no link and lies on the root's mount. */
export async function walk<Value>(
  sandbox: FileSandbox,
  { path, signal, makes = false }: Walk,
  work: (last: Opened, state: SandboxState) => Promise<Value>,
): Promise<Value> {
  sandbox.root.requireApart();
  const { root, state } = await enter(sandbox);
  let here = root;
  let last: Opened | undefined;
  try {
    const home = path.length === 0 ? "" : here.mount();
    for (const [index, name] of path.entries()) {
      signal.throwIfAborted();
      const shown = path.slice(0, index + 1).join("/");
      const make = makes ? () => requireMount(sandbox, home, here, shown) : undefined;
      // oxlint-disable-next-line no-await-in-loop
      const next = await step(here, name, make);
      const before = here;
      here = last = next;
      before.close();
      if (next.stat.isSymbolicLink()) throw isLink(shown);
      if (index < path.length - 1 || makes) requireFolder(next, shown);
    }
    if (path.length > 0) await requireMount(sandbox, home, here, path.join("/"));
    signal.throwIfAborted();
    return await work(last ?? { ...root, stat: await root.look() }, state);
  } finally {
    here.close();
  }
}

export function requireFolder({ stat }: Opened, path: string): void {
  if (!stat.isDirectory()) throw malformed(path, "not_folder", "is not a folder");
}

type Entered = { readonly root: Held; readonly state: SandboxState };

async function enter({ root: { path }, platform }: FileSandbox): Promise<Entered> {
  try {
    const held = platform === "linux" ? await holdFolder(path) : undefined;
    if (held !== undefined && isReached(held)) return { root: held, state: "full" };
    held?.close();
    const root = await openByPath(path, path);
    if (root.stat.isDirectory()) return { root, state: "reduced" };
  } catch (error) {
    const isGone = ["ENOENT", "ENOTDIR"].includes(codeOf(error) ?? "");
    throw isGone ? gone() : error;
  }
  throw gone();
}

function gone(): Error {
  return new HostConfigurationNeededError("the root of the file tools is no folder any more; make it again", {
    details: { reason: "no_root" },
  });
}

async function step(folder: Held, name: string, make: (() => Promise<void>) | undefined): Promise<Opened> {
  try {
    return await folder.child(name);
  } catch (error) {
    if (make === undefined || codeOf(error) !== "ENOENT") throw error;
  }
  await make();
  await makeFolder(folder, name);
  return await folder.child(name);
}
