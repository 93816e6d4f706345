// Secrets on a command line, where a single letter announces them.
import { type Finder, type Findings, matchAt } from "./finder.ts";
import { isReference } from "./is-reference.ts";
import { looksRandom } from "./looks-random.ts";

/** `curl -u user:password`, and a key in the user's place. */
const userFlag =
  /\s(?:-u|-a|--user|--auth)[ =]{0,2}\\?["']?((?:\[redacted[a-z0-9_:]{0,60}\]|[^\s:"'[\]]){0,256}):["']?([^\s"']{0,256})/dy;

/** The short flag for a password, in the commands that have it. */
const passwordFlag = /\s-[pPwat][ =]{0,2}\\?["']?([^\s"']{6,256})/dy;
const withPasswordFlag =
  /\b(?:login|mysql|mysqldump|mongo|mongosh|mongodump|sshpass|redis-cli|ldapsearch|ldapmodify|cqlsh|sqlcmd|snowsql|psql|altool|vsce|codecov|az|docker|podman|psexec|lftp|zip|7z)\b[^\n|;]*$/;
const commandReach = 200;

const identifiedBy = /(?:identified by|ConvertTo-SecureString)\s{1,4}\\?["']([^"'\n]{3,256})["']/diy;

/** `wandb login 1f02…`: the key itself is the argument. */
const loginWith = /\s(?:login|auth|unseal|attach)\s([A-Za-z0-9+/=_-]{20,256})(?=\s|$)/dy;

/** How far a flag and its value reach. */
const flagStart = /^\s(?:-[upPwat]|--user|--auth)[ =]|^identified by|^ConvertTo-Secu/i;
const flagReach = 300;

export const commandFinder: Finder = {
  words: [
    " -u",
    " --user",
    " --auth",
    " -p",
    " -w",
    " -a",
    " -t",
    " login ",
    " auth ",
    " unseal ",
    " attach ",
    "identified by",
    "ConvertTo-SecureString",
  ],
  find(text, at, found) {
    const isFlag = text.charAt(at + 1) === "-";
    if (!isFlag && text.charAt(at) === " ") {
      const login = matchAt(loginWith, text, at);
      return login !== null && looksRandom(login[1] ?? "", 20) ? add(login, 1, found) : at + 1;
    }
    if (flagStart.test(text.slice(at, at + 14))) found.needs(at, at + flagReach);
    if (isFlag) return findFlag(text, at, found);
    const identified = matchAt(identifiedBy, text, at);
    return identified === null ? at + 1 : add(identified, 1, found);
  },
};

function findFlag(text: string, at: number, found: Findings): number {
  const user = matchAt(userFlag, text, at);
  if (user !== null) return addUser(user, found);
  const flag = matchAt(passwordFlag, text, at);
  if (flag === null || !isPassword(flag[1] ?? "")) return at + 1;
  return withPasswordFlag.test(text.slice(Math.max(0, at - commandReach), at)) ? add(flag, 1, found) : at + 1;
}

function addUser(hit: RegExpExecArray, found: Findings): number {
  const [, user = "", password = ""] = hit;
  if (looksRandom(user, password === "" ? 10 : 16)) add(hit, 1, found);
  return password.length >= 4 && !/^[a-z_]+$/.test(password) ? add(hit, 2, found) : hit.index + 1;
}

/** Letters and digits, and no address, path or port mapping. */
function isPassword(value: string): boolean {
  return looksRandom(value, 8) || (/[A-Za-z]/.test(value) && /[0-9]/.test(value) && !/[/:=.]/.test(value));
}

function add(hit: RegExpExecArray, group: number, found: Findings): number {
  const place = hit.indices?.[group];
  if (place === undefined || isReference(hit[group] ?? "")) return hit.index + 1;
  found.add(place[0], place[1], "password");
  return place[1];
}
