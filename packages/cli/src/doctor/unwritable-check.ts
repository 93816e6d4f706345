import { type Check, fail } from "./check.ts";

/** What to do about a folder, or what is in it, that cannot be written. No mode helps where nothing at all can be written. */
export function unwritable(folder: string, path: string, error: unknown): Check {
  const about = { check: "data", where: folder };
  if ((error as NodeJS.ErrnoException).code === "EROFS")
    return fail(
      { ...about, facts: { isReadOnly: true } },
      "its file system is mounted read-only (EROFS): it can be looked at, and nothing can go on there",
      "mount it writable, copy it to where it can be written, or name another folder in SF_DATA",
    );
  return fail(about, `${path} cannot be written`, `chmod u+rw ${path}, or name another folder in SF_DATA`);
}

/** Whether what is in a folder can be looked at all the same. */
export function canBeLookedAt({ status, facts }: Check): boolean {
  return status !== "fail" || facts?.isReadOnly === true;
}
