import { secretInId } from "@spfunctions/contracts";
import { userInfo } from "node:os";

/** Whether records can name somebody so: a part of a key id. */
export function isUserName(text: string): boolean {
  return /^[0-9A-Za-z][0-9A-Za-z._@-]{0,63}$/.test(text);
}

/** The user of this process: its name, else its number if that is no name of ours; undefined if the system knows neither. */
export function nameOfUser(): string | undefined {
  const { username, uid } = userOrNone();
  // S1: it is kept and shown as it is.
  if (isUserName(username) && secretInId(username, "user name") === undefined) return username;
  return uid < 0 ? undefined : `uid-${uid}`;
}

/** In a container a user may have a number alone. */
function userOrNone(): { readonly username: string; readonly uid: number } {
  try {
    return userInfo();
  } catch {
    return { username: "", uid: process.getuid?.() ?? -1 };
  }
}
