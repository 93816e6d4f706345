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
  /\b(?:login|mysql|mysqldump|mongo|mongosh|mongodump|sshpass|redis-cli|ldapsearch|ldapmodify|cqlsh|sqlcmd|snowsql|psql|altool|vsce|codecov|az|docker|podman|psexec|lftp|zip|unzip|7z|nuget|doctl)\b[^\n|;]*$/;
const commandReach = 200;

const identifiedBy =
  /(?:identified (?:with \S{1,64} )?(?:by|as)|set password for \S{1,64} =|ConvertTo-SecureString)\s{1,4}\\?["']([^"'\n]{3,256})["']/diy;

/** `wandb login 1f02…`: the key itself is the argument. */
const loginWith = /\s(?:login|auth|unseal|attach)\s([A-Za-z0-9+/=_-]{20,256})(?=[\s"'\\]|$)/dy;

/** Commands that take a password in their own ways, by the word that they are found by. */
const ownWays: readonly (readonly [word: string, pattern: RegExp])[] = [
  ["sqlplus ", /sqlplus(?: -\w{1,8}){0,3} [\w$]{1,64}\/([^\s@"'/]{3,128})/dy],
  ["AUTH PLAIN ", /AUTH PLAIN ([A-Za-z0-9+/]{12,1024}={0,2})(?!\S)/dy],
  [
    "htpasswd ",
    /htpasswd -(?=\w{0,8}b)(?:(?=\w{0,8}n)\w{1,8}|\w{1,8} \S{1,128}) \S{1,64} ["']?([^\s"']{3,128})/dy,
  ],
  [
    "chpasswd",
    /(?<=echo (?:-\w )?["']?[\w.-]{1,32}:([^\s"'|]{3,128})["']? {0,2}\| {0,2}(?:sudo )?)chpasswd/dy,
  ],
  [
    "bundle config ",
    /bundle config (?:set )?(?:--(?:global|local) )?(?:https?:\/\/)?[\w.-]{1,128}\/? ["']?[\w.-]{1,64}:([^\s"':/]{3,256})/dy,
  ],
  [
    "BUNDLE_",
    /BUNDLE_\w{1,64}__\w{1,64}(?:["'\\]{0,4} ?[:=] ?| )["'\\]{0,4}[\w.-]{1,64}:([^\s"':/\\]{3,256})/dy,
  ],
  [
    "-oauth",
    /-oauth(?:\\{0,3}["'])?\s{0,4}:\s{0,4}\{\s{0,24}\\{0,3}["'][\w.-]{1,128}\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["']([^\s"'\\]{8,256})/dy,
  ],
  [
    '"bearer',
    /"bearer\\{0,3}["']\s{0,4}:\s{0,4}\{\s{0,24}\\{0,3}["'][\w.-]{1,128}\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["']([^\s"'\\]{8,256})/dy,
  ],
  ["net use ", /net use (?:\w: )?\\\\\S{1,128} (?:\/user:\S{1,64} )?((?![/*])[^\s"']{4,128})/diy],
];

/** `smbclient -U 'user%password'`, `xfreerdp /p:password`. */
const userWithPassword = / -U ?["']?[\w.\\/-]{1,64}%([^\s"']{3,128})/dy;
const withUserWithPassword = /\b(?:smbclient|smbget|rpcclient|winexe|net)\b[^\n|;]*$/;
const slashFlag = / \/p:["']?([^\s"']{3,128})/dy;
const withSlashFlag = /\b(?:[xw]l?freerdp3?|mstsc|rdesktop)\b[^\n|;]*$/;

/** How far a flag and its value reach. */
const flagStart =
  /^\s(?:-[upPwat]|--user|--auth)[ =]|^identified (?:by|with)|^set password|^ConvertTo-Secu|^(?:sqlplus|htpasswd|net use|bundle config) |^BUNDLE_/i;
const flagReach = 360;

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
    "identified with ",
    "set password for ",
    "ConvertTo-SecureString",
    " /p:",
    ...ownWays.map(([word]) => word),
  ],
  find(text, at, found) {
    const code = text.charCodeAt(at);
    if (code !== space && code !== hardSpace) return findOwnWay(text, at, found);
    const next = text.charAt(at + 1);
    if (next === "/") return findIn(slashFlag, withSlashFlag, text, at, found);
    if (next !== "-") {
      const login = matchAt(loginWith, text, at);
      return login !== null && looksRandom(login[1] ?? "", 20) ? add(login, 1, found) : at + 1;
    }
    needsMore(text, at, found);
    return findFlag(text, at, found);
  },
};

const space = 32;
const hardSpace = 0xa0;

function needsMore(text: string, at: number, found: Findings): void {
  if (flagStart.test(text.slice(at, at + 16))) found.needs(at, at + flagReach);
}

function findOwnWay(text: string, at: number, found: Findings): number {
  needsMore(text, at, found);
  for (const [word, pattern] of ownWays) {
    const hit = text.startsWith(word, at) ? matchAt(pattern, text, at) : null;
    if (hit !== null) return add(hit, 1, found);
  }
  const identified = matchAt(identifiedBy, text, at);
  return identified === null ? at + 1 : add(identified, 1, found);
}

/** A flag and its value, where one of the commands stands before that have it. */
function findIn(flag: RegExp, commands: RegExp, text: string, at: number, found: Findings): number {
  const hit = matchAt(flag, text, at);
  const isThere = hit !== null && commands.test(text.slice(Math.max(0, at - commandReach), at));
  return isThere ? add(hit, 1, found) : at + 1;
}

function findFlag(text: string, at: number, found: Findings): number {
  if (text.charAt(at + 2) === "U") return findIn(userWithPassword, withUserWithPassword, text, at, found);
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
  const value = hit[group] ?? "";
  if (place === undefined || (isReference(value) && !isInBraces(value))) return hit.index + 1;
  found.add(place[0], place[1], "password");
  return place[1];
}

/** `{Zk8Qv3LmX2pR9t}`: a password may have braces around it, a name in them stands for another value. */
function isInBraces(value: string): boolean {
  return /^\{[^{}]*\}$/.test(value) && looksRandom(value.slice(1, -1), 8);
}
