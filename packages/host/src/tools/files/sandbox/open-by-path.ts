// Where a folder cannot be held, a path is looked at before and after each use. Whoever swaps a folder for a link twice in between is
// not seen: that is what `reduced` says.
import { constants } from "node:fs";
import { lstat, open, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isWithin } from "../../../files/real-path.ts";
import { denied } from "../refusals.ts";
import type { Opened } from "./opened.ts";

/** Windows has neither; there a link is found by looking. */
const readOnly = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export async function openByPath(path: string, root: string, name = "."): Promise<Opened> {
  const stat = await lstat(path, { bigint: true });
  const isSame = (other: { readonly dev: bigint; readonly ino: bigint }) =>
    other.dev === stat.dev && other.ino === stat.ino;
  const confirm = async () => {
    // A link is refused by whoever sees it: where it leads is not asked.
    if (stat.isSymbolicLink()) return;
    const isInside = isWithin(await realpath(path), root);
    if (!isInside || !isSame(await lstat(path, { bigint: true }))) throw changed(name);
  };
  await confirm();
  return {
    way: path,
    stat,
    look: () => Promise.resolve(stat),
    child: async (next) => {
      await confirm();
      return await openByPath(join(path, next), root, next);
    },
    open: async () => {
      const handle = await open(path, readOnly);
      try {
        if (!isSame(await handle.stat({ bigint: true }))) throw changed(name);
        await confirm();
        return handle;
      } catch (error) {
        await handle.close();
        throw error;
      }
    },
    mount: () => `device ${stat.dev}`,
    confirm,
    close: () => {},
  };
}

function changed(name: string): Error {
  return denied(name, "changed", "was changed by somebody while it was looked at; nothing was done");
}
