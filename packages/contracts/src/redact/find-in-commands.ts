// Secrets on a command line, where a single letter announces them.
import { type Finder, type Findings, matchAt } from "./finder.ts";
import { isDottedPassword, isReference } from "./is-reference.ts";
import { looksRandom } from "./looks-random.ts";
import { isLikelyPassword } from "./secret-value.ts";

/** `curl -u user:password`, and a key in the user's place. */
const userFlag =
  /\s(?:-u|-a|--user|--auth|--proxy-user)[ =]{0,2}\\?["']?((?:\[redacted[a-z0-9_:]{0,60}\]|[^\s:"'[\]]){0,256}):["']?([^\s"']{0,256})/dy;

/** The short flag for a password, in the commands that have it. */
const passwordFlag = /\s-[pPwat][ =]{0,2}\\?["']?([^\s"']{6,256})/dy;
const withPasswordFlag =
  /\b(?:login|mysql|mysqldump|mongo|mongosh|mongodump|sshpass|redis-cli|ldapsearch|ldapmodify|cqlsh|sqlcmd|snowsql|psql|altool|vsce|codecov|az|docker|podman|psexec|lftp|zip|unzip|7z|nuget|doctl)\b[^\n|;]*$/;
const commandReach = 200;

const identifiedBy =
  /(?:identified (?:with \S{1,64} )?(?:by|as)|set password for \S{1,64} =|ConvertTo-SecureString(?: -String)?)\s{1,4}\\?["']([^"'\n]{3,256})["']/diy;

/** `wandb login 1f02…`: the key itself is the argument. */
const loginWith = /\s(?:login|auth|unseal|attach)\s([A-Za-z0-9+/=_-]{20,256})(?=[\s"'\\]|$)/dy;

/** `vault login …`: after these whatever is no option and no word is the key. */
const loginWithAny =
  /\s(?:login|auth|unseal|unlock)\s(?:token=)?\\?["']?([^\s"'\\=-][^\s"'\\=]{7,511})(?=[\s"'\\;|&)]|$)/dy;
const loginCommand =
  /\b(?:vault|vault operator|cargo|snyk|wandb|bw|hf|huggingface-cli|modal|railway|replicate|apify|supabase|sentry-cli|ngrok|heroku|fly(?:ctl)?)$/;

/** Flags that only ever carry a password, by the commands that have them. */
const surePasswordFlag = /\s(-{1,2}[A-Za-z]{1,2})[ =:]?\\?["']?([^\s"'\\-][^\s"'\\]{3,255})/dy;
const sureFlag = /^\s-(?:[pPkNw]|pw)(?![a-z]{3})/;
const sureFlags: readonly (readonly [command: RegExp, flags: RegExp])[] = [
  [
    /\b(?:sshpass|twine|evil-winrm|nxc|netexec|crackmapexec|hydra|winrs|ncftp|ncftpput|ncftpget|rdesktop|unrar|rar|7z|7za)\b/,
    /^-p$/,
  ],
  [/\b(?:mosquitto_pub|mosquitto_sub|bcp|osql|isql|sqlcmd|zip|unzip)\b/, /^-P$/],
  [/\b(?:plink|pscp|psftp)\b/, /^-pw$/],
  [/\bopenssl (?:enc|aes[\w-]{1,16}|des3?)\b/, /^-k$/],
  [/\bssh-keygen\b/, /^-[NP]$/],
  [
    /\bsecurity (?:unlock-keychain|import|add-\w{1,16}-password|create-keychain|set-keychain-password)\b/,
    /^-[pPwk]$/,
  ],
];

/** `ab -A user:password`. */
const benchUser = /\s-A ["']?[\w.@-]{1,64}:([^\s"']{3,128})/dy;
const benchCommand = /\b(?:ab|siege|wrk)\b[^\n|;]*$/;

/** "creds: bob:…", "Log in as admin / …". */
const userThenPassword =
  /(?:log(?:ged)? ?in (?:as|with)|creds?|credentials|logins?|zugangsdaten|anmeldedaten|identifiants|credenciales|credenciais|credenziali)(?: (?:for|of|für|pour|para|per) \S{1,32})?\s?:?\s{1,2}["'`]?[\w.@+-]{1,64}["'`]?\s{0,2}[:/|]\s{0,2}["'`]?([^\s"'`,]{6,128})/diy;

const wirelessKey =
  /(?:wi-?fi|wlan|ssid)[^\n]{0,48}?(?:key|code|schlüssel|clave|clé)\s?[:=]\s?["'`]?([^\s"'`,]{6,63})/diy;

/** Commands that take a password in their own ways, by the word that they are found by. Of `?` only what is made up like one is taken. */
const ownWays: readonly (readonly [word: string, pattern: RegExp, sure?: "?"])[] = [
  [
    "poetry config ",
    /poetry config (?:--\S{1,16} )?(?:pypi-token\.\S{1,64} |http-basic\.\S{1,64} \S{1,64} )["']?([^\s"']{6,512})/dy,
  ],
  [
    "composer config ",
    /composer config (?:--?[\w-]{1,16} ){0,3}(?:http-basic\.\S{1,128} \S{1,64} |(?:github-oauth|gitlab-token|gitlab-oauth|bearer)\.\S{1,128} )["']?([^\s"']{6,512})/dy,
  ],
  [
    "rabbitmqctl ",
    /rabbitmqctl (?:-\S{1,16} ){0,3}(?:add_user|change_password|authenticate_user) \S{1,64} ["']?([^\s"']{4,128})/dy,
  ],
  [
    "wpa_passphrase ",
    /wpa_passphrase (?:"[^"\n]{1,64}"|'[^'\n]{1,64}'|[^\s"']{1,64}) ["']?([^\s"']{8,63})/dy,
  ],
  [
    "-setairportnetwork ",
    /-setairportnetwork \w{1,16} (?:"[^"\n]{1,64}"|'[^'\n]{1,64}'|[^\s"']{1,64}) ["']?([^\s"']{8,63})/dy,
  ],
  ["lftp ", /lftp (?:-\S{1,16} ){0,2}-u ["']?[\w.@-]{1,64},([^\s"',]{3,128})/dy],
  ["net user ", /net user \S{1,64} ["']?([^\s"'/][^\s"']{3,127})/dy, "?"],
  ["openssl passwd ", /openssl passwd (?:-\w{1,16} ){0,4}["']?([^\s"')-][^\s"')]{3,127})/dy, "?"],
  ["service install ", /(?<=cloudflared )service install ([^\s"'-][^\s"']{7,511})/dy, "?"],
  [".py ", /\.py (?:-\S{1,32} ){0,4}["']?[\w.-]{1,64}\/[\w.$-]{1,64}:([^\s@"']{3,128})(?=@)/dy],
  ["rootpw ", /rootpw (?:--plaintext )?["']?([^\s"'-][^\s"']{3,127})/dy, "?"],
  ["SQLConnectInfo ", /SQLConnectInfo \S{1,128} \S{1,64} (\S{3,128})/dy],
  ["]:", /\]:(?:[0-9]{2,5}|submission|smtps?)\s{1,8}[\w.@+-]{1,64}:(\S{3,128})/dy],
  ...["{PLAIN}", "{CLEARTEXT}", "{SSHA", "{SHA", "{CRYPT}", "{MD5"].map(
    (word) => [word, /\{[A-Z0-9-]{2,16}\}([^\s:"',{}]{4,256})/dy] as const,
  ),
  ...["secret 0 ", "secret 5 ", "secret 7 ", "secret 8 ", "secret 9 ", "password 0 ", "password 7 "].map(
    (word) => [word, /(?:secret|password) \d (\S{6,128})/dy, "?"] as const,
  ),
  ["snmp-server community ", /snmp-server community ["']?([^\s"']{3,64})/dy],
  ["AUTH default ", /AUTH default ["']?([^\s"']{6,256})/dy, "?"],
  [" LOGIN ", / LOGIN \\{0,3}["']?[\w.@+-]{1,128}\\{0,3}["']? \\{0,3}["']?([^\s"'\\]{6,128})/dy, "?"],
  ["IDENTIFY ", /IDENTIFY (?:[\w[\]-]{1,32} )?([^\s"'<\\]{6,128})(?=[\s"\\]|$)/dy, "?"],
  ["user ", /(?<=(?:^|\n|\\n)[ \t]{0,4})user [\w.@-]{1,64} ([^\s"']{6,128})(?=\r?\n|\\{1,4}[rn]|$)/dy, "?"],
  [
    "send ",
    /(?<=[Pp]ass(?:word|phrase)[^\n]{0,48}\n?[^\n]{0,16})send (?:--? )?\\?["']([^"'\\\n]{4,128})\\{1,4}[rn]/dy,
  ],
  [
    "chpasswd:",
    /chpasswd:(?:\s|\\[nr]){1,8}(?:expire: \w{1,8}(?:\s|\\[nr]){1,8})?(?:list|users):(?:[\s|>-]|\\[nr]){1,16}[\w.-]{1,32}:([^\s"'\\]{3,128})/dy,
  ],
  ["::add-mask::", /::add-mask::([^\s"']{4,4096})/dy],
  ["SecureString", /SecureString[^\n|;]{0,200}? --value[ =]["']?([^\s"']{4,4096})/dy],
  ["identified by ", /identified by ([^\s"'`;,:\\]{6,128})/diy, "?"],
  ...[
    "log in as ",
    "log in with ",
    "login as ",
    "logged in as ",
    "creds",
    "credentials",
    "login: ",
    "logins: ",
    "zugangsdaten",
    "anmeldedaten",
    "identifiants",
    "credenciales",
    "credenciais",
    "credenziali",
  ].map((word) => [word, userThenPassword, "?"] as const),
  ...["wifi", "wi-fi", "wlan", "ssid"].map((word) => [word, wirelessKey, "?"] as const),
  ["sqlplus ", /sqlplus(?: -\w{1,8}){0,3} [\w$]{1,64}\/([^\s@"'/]{3,128})/dy],
  ["AUTH PLAIN ", /AUTH PLAIN ([A-Za-z0-9+/]{12,1024}={0,2})(?![^\s"'\\&])/dy],
  [
    "htpasswd ",
    /htpasswd -(?=\w{0,8}b)(?:(?=\w{0,8}n)\w{1,8}|\w{1,8} \S{1,128}) \S{1,64} ["']?([^\s"']{3,128})/dy,
  ],
  [
    "chpasswd",
    /(?<=echo (?:-\w )?\\?["']?[\w.-]{1,32}:([^\s"'|\\]{3,128})\\?["']? {0,2}\| {0,2}(?:sudo )?)chpasswd/dy,
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
  ["password password ", /password password ([^\s"']{4,128})/dy],
  ["password-again password ", /password-again password ([^\s"']{4,128})/dy],
  ["PASS ", /(?<=(?:^|\n|\\n|> ?)[ \t]{0,4})PASS ([^\s"'\\]{4,128})(?=\r?\n|\\{1,4}[rn]|$)/dy, "?"],
  ['"md5', /(?<=" \\{0,3})"(md5[0-9a-f]{32})\\{0,3}"/dy],
  ["mc alias set ", /mc alias set \S{1,64} https?:\/\/\S{1,128} \S{1,64} ["']?([^\s"']{6,128})/dy],
  ...["'-p", '"-p'].map(
    (word) => [word, /(?<=["']mysql\w{0,8}["'],[^\n]{0,160})["']-p([^\s"']{4,128})(?=["'])/dy, "?"] as const,
  ),
  ["net use ", /net use (?:\w: )?\\\\\S{1,128} (?:\/user:\S{1,64} )?((?![/*])[^\s"']{4,128})/diy],
];

/** `smbclient -U 'user%password'`, `xfreerdp /p:password`. */
const userWithPassword = / -U ?["']?[\w.\\/-]{1,64}%([^\s"']{3,128})/dy;
const withUserWithPassword = /\b(?:smbclient|smbget|rpcclient|winexe|net)\b[^\n|;]*$/;
const slashFlag = / \/r?p[: ]["']?([^\s"'/][^\s"']{2,127})/dy;
const withSlashFlag = /\b(?:[xw]l?freerdp3?|mstsc|rdesktop|schtasks|signtool|cmdkey)\b[^\n|;]*$/;

/** How far a flag and its value reach. */
const flagStart =
  /^\s(?:-[upPwatNkA]|-pw|--user|--auth|--proxy-user)[ =]|^identified (?:by|with)|^set password|^ConvertTo-Secu|^(?:sqlplus|htpasswd|net user?|bundle config|wpa_passphrase|poetry config|composer config|rabbitmqctl|lftp|openssl passwd|SQLConnectInfo|mc alias set|PASS|password password|password-again password|\.py|rootpw) |^["']-p|^BUNDLE_|^\]:|^SecureString|^chpasswd:|^-setairport|^(?:wi-?fi|wlan|ssid)|^creds|^credentials|^zugangsd|^anmelded|^identifia|^credenzi|^credenci|^logins?: |^log(?:ged)? ?in (?:as|with)/i;
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
    " -N",
    " -k",
    " -A",
    " --proxy-user",
    " unlock ",
    " /p",
    " /rp",
    ...ownWays.map(([word]) => word),
  ],
  find(text, at, found) {
    const code = text.charCodeAt(at);
    if (code !== space && code !== hardSpace) return findOwnWay(text, at, found);
    const next = text.charAt(at + 1);
    if (next === "/") return findIn(slashFlag, withSlashFlag, text, at, found);
    if (next !== "-") {
      const login = matchAt(loginWith, text, at);
      if (login !== null && looksRandom(login[1] ?? "", 20)) return add(login, 1, found);
      const any = matchAt(loginWithAny, text, at);
      const isKnown = any !== null && loginCommand.test(text.slice(Math.max(0, at - 32), at));
      if (isKnown && isLikelyPassword(any[1] ?? "")) return add(any, 1, found);
      return findOwnWay(text, at, found);
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
  for (const [, pattern, sure] of waysBy.get(text.slice(at, at + 2).toLowerCase()) ?? none) {
    const hit = matchAt(pattern, text, at);
    if (hit !== null && (sure === undefined || isLikelyPassword(valueIn(hit[1] ?? ""))))
      return add(hit, 1, found);
  }
  const identified = matchAt(identifiedBy, text, at);
  return identified === null ? at + 1 : add(identified, 1, found);
}

type OwnWay = (typeof ownWays)[number];

const none: readonly OwnWay[] = [];
/** By the two characters that they begin with. */
const waysBy = new Map<string, OwnWay[]>();
for (const way of ownWays) {
  const start = way[0].slice(0, 2).toLowerCase();
  const ways = waysBy.get(start) ?? [];
  if (!ways.some(([, pattern]) => pattern === way[1])) ways.push(way);
  waysBy.set(start, ways);
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
  const sure = sureFlag.test(text.slice(at, at + 6)) ? matchAt(surePasswordFlag, text, at) : null;
  const before = sure === null ? "" : commandBefore(text, at);
  if (sureFlags.some(([command, flags]) => flags.test(sure?.[1] ?? "") && command.test(before)))
    return add(sure as RegExpExecArray, 2, found);
  const bench = matchAt(benchUser, text, at);
  if (bench !== null && benchCommand.test(text.slice(Math.max(0, at - commandReach), at)))
    return add(bench, 1, found);
  const flag = matchAt(passwordFlag, text, at);
  if (flag === null || !isPassword(flag[1] ?? "")) return at + 1;
  return withPasswordFlag.test(text.slice(Math.max(0, at - commandReach), at)) ? add(flag, 1, found) : at + 1;
}

function addUser(hit: RegExpExecArray, found: Findings): number {
  const [, user = "", password = ""] = hit;
  if (looksRandom(user, password === "" ? 10 : 16)) add(hit, 1, found);
  return password.length >= 4 && !/^[a-z_]+$/.test(password) ? add(hit, 2, found) : hit.index + 1;
}

/** What stands before a flag in the same command. */
function commandBefore(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - commandReach), at);
  return before.slice(
    Math.max(before.lastIndexOf("\n"), before.lastIndexOf("|"), before.lastIndexOf(";")) + 1,
  );
}

/** Letters and digits, and no address, path or port mapping. */
function isPassword(value: string): boolean {
  if (looksRandom(value, 8) || isDottedPassword(value)) return true;
  return /[A-Za-z]/.test(value) && /[0-9]/.test(value) && !/[/:=.]/.test(value);
}

function add(hit: RegExpExecArray, group: number, found: Findings): number {
  const place = hit.indices?.[group];
  const value = hit[group] ?? "";
  if (place === undefined || (isReference(value) && !isInBraces(value) && !isDottedPassword(value)))
    return hit.index + 1;
  const end = place[0] + valueIn(value).length;
  found.add(place[0], end, "password");
  return end;
}

/** Without the parameter of an address that follows it. */
function valueIn(value: string): string {
  const next = value.search(/&[\w.-]{1,40}=/);
  return next > 0 ? value.slice(0, next) : value;
}

/** `{Zk8Qv3LmX2pR9t}`: a password may have braces around it, a name in them stands for another value. */
function isInBraces(value: string): boolean {
  return /^\{[^{}]*\}$/.test(value) && looksRandom(value.slice(1, -1), 8);
}
