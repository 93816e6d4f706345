// A column of a table may have a secret's name: in CSV, in Markdown, in the columns of an INSERT.
import { type Finder, type Findings, matchAt, skip } from "./finder.ts";
import { isLikelyPassword } from "./secret-value.ts";
import { looksRandom } from "./looks-random.ts";
import { type NameStrength, secretNameStrength } from "./secret-names.ts";

/** The most that is read of one table. */
const reach = 8192;
/** As much as a stream keeps of what it has said. */
const reachBefore = 320;

/** A line's end, also as JSON escapes it. */
const lineEnd = String.raw`(?:\r?\n|(?:\\{1,4}r)?\\{1,4}n)`;
const line = new RegExp(`((?:(?!${lineEnd})[^\\r\\n]){1,1024})(${lineEnd}|$)`, "dy");
const ruler = /^[\s|:+-]+$/;
const values = /VALUES?\s{0,4}(?=\()/iy;
const columnsBefore = /\(([^()]{1,256})\)\s{0,8}$/;
const column = /^[A-Za-z_][\w.-]{0,40}(?: [\w.-]{1,20}){0,2}$/;
const longestLine = 1024;
/** How a line begins that is no head of a table: a cell is too long, or has a sign in it that no name has. */
const noHead = /(?:[\w .\t,;|"'`:-]{0,1024}[^\w .\t,;|"'`:\r\n\\-]|[^,;\t|\r\n\\]{65})/y;

/** `name,username,password` and the lines below it; `(email, password) VALUES ('…', '…')`. */
export const tableFinder: Finder = {
  words: [
    ",pass",
    ", pass",
    "\tpass",
    "|pass",
    "| pass",
    "pass",
    "|pw",
    ",pw",
    ",secret",
    ",token",
    "secret",
    "token",
    "api_key",
    "apikey",
    "VALUES",
  ],
  find(text, at, found) {
    const from = skip(values, text, at);
    if (from > at) return findInserted(text, at, from, found);
    return findColumn(text, at, found);
  },
};

/** Where the line begins that this place is in; -1 if that is too far before. */
function startOfLine(text: string, at: number): number {
  const before = text.slice(Math.max(0, at - reachBefore), at);
  const end = Math.max(before.lastIndexOf("\n") + 1, before.lastIndexOf("\\n") + 2);
  return end > 1 || before.length === at
    ? at - before.length + (end > 1 || before.startsWith("\n") ? end : 0)
    : -1;
}

/** The same, or where a value begins in that line whose first line is a head: `"users": "name,password\\n…`. -1 if there is none. */
function startOfHead(text: string, at: number): number {
  const start = startOfLine(text, at);
  if (start !== -1 && skip(noHead, text, start) === start && !said.test(text.slice(start, start + 80)))
    return start;
  const before = text.slice(Math.max(start, at - reachOfHead, 0), at);
  const value = startOfValue.exec(before);
  const from = value === null ? -1 : at - before.length + value[0].length;
  return from === -1 || skip(noHead, text, from) > from ? -1 : from;
}
/** Something is said before the first cell: `failed: name,password`. */
const said = /^[^,;\t|\r\n]{0,72}[:=]/;
const reachOfHead = 160;
const startOfValue = /^[^]*(?:[:=[(]\s?\\{0,7}["'`]|[=:]\s?)/;

/** Where rows begin that are inserted, if that is before `end`. */
function upToValues(text: string, at: number, end: number): number {
  const rows = text.slice(at + 1, end).search(valuesAhead);
  return rows === -1 ? end : at + 1 + rows;
}
const valuesAhead = /VALUES?\s{0,4}\(/i;

/** As much of a line as can be passed over: a line of more than that has no other beginning in it. */
function endOfLine(text: string, at: number): number {
  const rest = text.slice(at, at + longestLine);
  const ends = [rest.indexOf("\n"), rest.indexOf("\\n")].filter((end) => end !== -1);
  return at + Math.min(rest.length, ...ends);
}

type Column = { readonly index: number; readonly strength: NameStrength };

function secretColumns(cells: readonly string[]): Column[] {
  return cells.flatMap((cell, index) => {
    const strength = column.test(cell) ? secretNameStrength(cell) : null;
    return strength === null || strength === "hint" ? [] : [{ index, strength }];
  });
}

function isSecret(value: string, strength: NameStrength): boolean {
  return strength === "password" ? isLikelyPassword(value) : looksRandom(value, 16);
}

/** What stands behind a table that is itself a value. */
const endsValue = /\\{0,7}["'`]|&[\w.-]{1,40}=|\s/;
const unquoted = /^\s*\\{0,3}["'`]?|\\{0,3}["'`]?\s*$/g;

/** The line that a name stands in, if it is the head of a table, and the lines below. */
function findColumn(text: string, at: number, found: Findings): number {
  const start = startOfHead(text, at);
  if (start === -1) return Math.max(at + 1, upToValues(text, at, endOfLine(text, at)));
  const head = matchAt(line, text, start);
  const end = start + (head?.[0].length ?? longestLine);
  found.needs(at, end + 1);
  const sign = /[,;\t|]/.exec(head?.[1] ?? "")?.[0];
  if (head === null || sign === undefined)
    return Math.max(at + 1, upToValues(text, at, Math.min(end, text.length)));
  const cells = split(head[1] ?? "", sign);
  const columns = cells.every((cell) => cell === "" || column.test(cell)) ? secretColumns(cells) : [];
  if (columns.length === 0) return Math.max(at + 1, upToValues(text, at, end));
  // Behind a table that is a value itself its text goes on.
  const goesOn = start !== startOfLine(text, at);
  const isRow = (count: number) => count === cells.length || (goesOn && count > cells.length);
  let from = end;
  while (from < start + reach) {
    const row = matchAt(line, text, from);
    found.needs(at, row === null ? from + 1 : from + row[0].length + 1);
    const written = row?.[1] ?? "";
    if (row === null || written === "" || (!ruler.test(written) && !isRow(split(written, sign).length)))
      break;
    addCells(written, from, sign, columns, found);
    from += row[0].length;
  }
  return Math.max(at + 1, from);
}

function addCells(
  written: string,
  at: number,
  sign: string,
  columns: readonly Column[],
  found: Findings,
): void {
  let start = 0;
  for (const [index, cell] of written.split(sign).entries()) {
    const strength = columns.find((one) => one.index === index)?.strength;
    const [value = ""] = cell.replaceAll(unquoted, "").split(endsValue, 1);
    if (strength !== undefined && value !== "" && isSecret(value, strength)) {
      const from = at + start + cell.indexOf(value);
      found.add(from, from + value.length, strength === "password" ? "password" : "secret");
    }
    start += cell.length + 1;
  }
}

function split(written: string, sign: string): string[] {
  return written.split(sign).map((cell) => cell.replaceAll(unquoted, ""));
}

const cell =
  /\s{0,8}(?:N?\\{0,3}'((?:[^'\\\n]|''){0,1024})\\{0,3}'|N?\\{0,3}"([^"\\\n]{0,1024})\\{0,3}"|[\w.$:?()*-]{1,128})\s{0,8}([,)])/dy;

const nextRow = /\s{0,8},\s{0,8}/y;
const cellReach = 1100;

/** The values of rows that are inserted, by the columns that are named before. */
function findInserted(text: string, at: number, from: number, found: Findings): number {
  const names = columnsBefore.exec(text.slice(Math.max(0, at - reachBefore), at))?.[1] ?? "";
  const columns = secretColumns(
    names.split(",").map((name) => name.replaceAll(/^[\s"'`[\\]+|[\s"'`\]\\]+$/g, "")),
  );
  if (columns.length === 0) return from;
  let next = from;
  while (text.charAt(next) === "(" && next < from + reach) {
    let index = 0;
    next++;
    for (let match = matchAt(cell, text, next); match !== null; match = matchAt(cell, text, next)) {
      const place = match.indices?.[1] ?? match.indices?.[2];
      const strength = columns.find((one) => one.index === index)?.strength;
      const value = match[1] ?? match[2] ?? "";
      if (place !== undefined && strength !== undefined && isSecret(value, strength))
        found.add(place[0], place[1], strength === "password" ? "password" : "secret");
      next += match[0].length;
      index++;
      if (match[3] === ")") break;
    }
    next = skip(nextRow, text, next);
  }
  found.needs(at, next + cellReach);
  return Math.max(from, next);
}
