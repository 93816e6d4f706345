import { lstatSync, type Stats, statSync } from "node:fs";
import { belongsToAnother } from "@spfunctions/host/installation";
import { type Check, fail, ok, warn } from "./check.ts";

/** How a file with a secret lies there. It is never read. */
export function secretFileCheck(check: string, path: string): Check {
  const about = { check, where: path };
  const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) return fail(about, link ? "is a link to nowhere" : "is gone", "remove the link");
  if (!found.isFile()) return fail(about, "is not a file", "remove what is there");
  if (belongsToAnother(found))
    return fail(
      about,
      `belongs to another user (${found.uid})`,
      "if you put it there yourself, make it yours with chown; otherwise remove it",
    );
  if (process.platform !== "win32" && (found.mode & 0o077) !== 0)
    return fail(
      about,
      `can be reached by others than its owner (mode ${modeOf(found)})`,
      `if nobody has read it, chmod 600 ${path}; otherwise revoke or replace what is in it`,
    );
  if (link)
    return warn(about, "is a link", "put the file itself there: what a link leads to can be exchanged");
  return ok(about, `is for its owner alone (mode ${modeOf(found)})`);
}

export function modeOf({ mode }: Stats): string {
  return (mode & 0o777).toString(8).padStart(4, "0");
}
