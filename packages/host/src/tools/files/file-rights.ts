import type { FileHandle } from "node:fs/promises";
import { codeOf } from "./file-fault.ts";

/** Whose a file is, and who may do what with it. */
export type FileRights = { readonly mode: number; readonly uid: number; readonly gid: number };

/**
 * Gives a file the rights of the one that it is to replace. Where this program may not give it to the same group, its own group gets no
 * more than everybody has: what only some could read is shown to no others.
 */
export async function giveRights(file: FileHandle, { mode, uid, gid }: FileRights): Promise<void> {
  const now = await file.stat();
  const isSame = now.uid === uid && now.gid === gid;
  const hasGroup =
    isSame || (await isGiven(file, uid, gid)) || now.gid === gid || (await isGiven(file, -1, gid));
  await file.chmod(hasGroup ? mode : mode & (0o707 | ((mode & 0o007) << 3)));
}

async function isGiven(file: FileHandle, uid: number, gid: number): Promise<boolean> {
  try {
    await file.chown(uid, gid);
    return true;
  } catch (error) {
    // Only the superuser gives files away, and not to those that it has no number for.
    if (["EPERM", "EINVAL", "ENOSYS", "ENOTSUP"].includes(codeOf(error) ?? "")) return false;
    throw error;
  }
}
