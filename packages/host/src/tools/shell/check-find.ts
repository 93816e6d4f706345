// find has no options but an expression, and each of its words takes a fixed number of words. Only what looks and prints is listed.
import { refusal, shown } from "./refusal.ts";

const alone = new Set(
  `! ( ) , -a -and -o -or -not -daystart -depth -empty -executable -false -ignore_readdir_race -ls -mount -nogroup -noignore_readdir_race
  -noleaf -nouser -nowarn -print -print0 -prune -quit -readable -true -warn -writable -xdev`.split(/\s+/),
);

const withOne = new Set(
  `-amin -anewer -atime -cmin -cnewer -ctime -gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -maxdepth -mindepth
  -mmin -mtime -name -newer -path -perm -printf -regex -regextype -samefile -size -type -uid -used -user -wholename -xtype`.split(
    /\s+/,
  ),
);

const runs = "it runs another program";
const writes = "it writes";
const never: Readonly<Record<string, string>> = {
  "-exec": runs,
  "-execdir": runs,
  "-ok": runs,
  "-okdir": runs,
  "-delete": "it removes files",
  "-fprint": writes,
  "-fprint0": writes,
  "-fprintf": writes,
  "-fls": writes,
  "-files0-from": "it takes the names of files from elsewhere; name the files",
};

export function checkFind(words: readonly string[]): void {
  if (words.length === 1 && (words[0] === "--help" || words[0] === "--version")) return;
  let at = 0;
  while (["-H", "-L", "-P"].includes(words[at] ?? "")) at += 1;
  while (at < words.length && !beginsExpression(words[at] ?? "")) at += 1;
  for (; at < words.length; at += 1) {
    const word = words[at] ?? "";
    if (withOne.has(word) || /^-newer[aBcm][aBcmt]$/.test(word)) at += 1;
    else if (!alone.has(word)) throw refused(word);
  }
}

function beginsExpression(word: string): boolean {
  return word === "(" || word === "!" || (word.startsWith("-") && word !== "-");
}

function refused(word: string) {
  const unlisted = word.startsWith("-")
    ? "it is not on the list of what find may be asked"
    : "folders come first, and then the expression";
  const why = Object.hasOwn(never, word) ? never[word] : unlisted;
  const allowed = [...alone, ...withOne, "-newerXY"].join(" ");
  return refusal("argument_not_allowed", `find: ${shown(word)} is refused: ${why}; allowed are ${allowed}`);
}
