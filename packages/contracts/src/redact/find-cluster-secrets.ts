import { type Finder, type Findings, matchAt, skip } from "./finder.ts";
import { isWholeReference } from "./is-reference.ts";

/** A quote and a line's end, also as JSON escapes them. */
const quote = String.raw`\\{0,4}["']`;
const lineEnd = String.raw`(?:\r?\n|(?:\\{1,4}r)?\\{1,4}n)`;

const announces = new RegExp(
  String.raw`apiVersion(?:${quote})?\s{0,4}:\s{0,4}(?:${quote})?v1(?![\w./])|kind(?:${quote})?\s{0,4}:\s{0,4}(?:${quote})?Secret(?!\w)`,
  "y",
);
const kind = new RegExp(String.raw`kind(?:${quote})?\s{0,4}:\s{0,4}(?:${quote})?(\w{1,64})(?=[\s"',}\\]|$)`);

/** The most that is read of one, and of what stands behind its data. */
const reach = 4096;
const reachBehind = 1024;

/** A Secret of Kubernetes: whatever stands in its data is hidden, under any name. Its keys may come in any order. */
export const clusterSecretFinder: Finder = {
  words: ["apiVersion", "kind", "data", "stringData"],
  find(text, at, found) {
    const from = skip(announces, text, at);
    if (from === at) return findDataBefore(text, at, found);
    const ahead = text.slice(at, at + reach);
    const word = ahead.startsWith("kind") ? "kind" : "apiVersion";
    // It ends where another one begins.
    const ends = [endOfObject(ahead), ahead.indexOf(word, word.length)].filter((place) => place !== -1);
    const object = ahead.slice(0, Math.min(reach, ...ends));
    const said = kind.exec(object)?.[1];
    if (said !== undefined && said !== "Secret") return from;
    if (ends.length === 0) found.needs(at, at + reach);
    if (said !== undefined) findData(object, at, found);
    return from;
  },
};

function endOfObject(text: string): number {
  return text.search(nextObject);
}
const nextObject = new RegExp(`${lineEnd}---`);

type Value = { readonly start: number; readonly end: number };
/** The values of an object's data, and where they end. */
type Data = { readonly values: readonly Value[]; readonly end: number };

const opens = String.raw`(?:data|stringData)(?:${quote})?[ \t]{0,4}:[ \t]{0,4}(?:(\{)|(?=${lineEnd}))`;
const data = new RegExp(String.raw`(?:^|${lineEnd}|[{,])([ \t]{0,32})(?:${quote})?${opens}`, "g");
const dataHere = new RegExp(opens, "y");
const lineBefore = new RegExp(`(?:^|${lineEnd})([ \\t]{0,32})(?:- )?$`);

/** Data that stands before what says that it is a Secret's. */
function findDataBefore(text: string, at: number, found: Findings): number {
  const opening = matchAt(dataHere, text, at);
  if (opening === null) return at + 1;
  const object = text.slice(at, at + reach);
  const from = opening[0].length;
  const indent = lineBefore.exec(text.slice(Math.max(0, at - 48), at))?.[1] ?? "";
  const read = opening[1] === undefined ? inLines(object, from, indent.length) : inMembers(object, from);
  if (read.values.length === 0 || isOtherKind(text, at, opening[1] !== undefined)) return at + from;
  const behind = text.slice(at + read.end, at + read.end + reachBehind);
  const stop = endOfObject(behind);
  const rest = stop === -1 ? behind : behind.slice(0, stop);
  const said = kind.exec(rest)?.[1];
  if (stop === -1) found.needs(at, at + read.end + reachBehind);
  if (said === "Secret") for (const { start, end } of read.values) add(object, start, end, at, found);
  return at + from;
}

/** Whether what stands before the data of the same object says that it is something else. */
function isOtherKind(text: string, at: number, isJson: boolean): boolean {
  const before = text.slice(Math.max(0, at - reachBefore), at);
  const start = isJson ? before.lastIndexOf("}") : before.lastIndexOf("---");
  const said = Array.from(before.slice(start + 1).matchAll(everyKind), (match) => match[1]).at(-1);
  return said !== undefined && said !== "Secret";
}

/** As much as a stream keeps of what it has said. */
const reachBefore = 384;
const everyKind = new RegExp(kind, "g");

function findData(object: string, at: number, found: Findings): void {
  for (const { 0: opening, 1: indent = "", 2: brace, index } of object.matchAll(data)) {
    const from = index + opening.length;
    const { values } = brace === undefined ? inLines(object, from, indent.length) : inMembers(object, from);
    for (const { start, end } of values) add(object, start, end, at, found);
  }
}

const member = new RegExp(
  String.raw`(?:[\s,]|${lineEnd}){0,64}${quote}[\w.-]{1,253}${quote}\s{0,4}:\s{0,4}${quote}((?:[^"'\\\n]|\\{1,4}[^"'\\\n]){0,4096})${quote}`,
  "dy",
);

function inMembers(object: string, start: number): Data {
  const values: Value[] = [];
  let from = start;
  for (let match = matchAt(member, object, from); match !== null; match = matchAt(member, object, from)) {
    from += match[0].length;
    const place = match.indices?.[1] ?? [0, 0];
    values.push({ start: place[0], end: place[1] });
  }
  return { values, end: from };
}

const line = new RegExp(String.raw`${lineEnd}([ \t]*)((?:(?!${lineEnd})[^\r\n])*)`, "y");
const entry = new RegExp(String.raw`^(?:${quote})?[\w.-]{1,253}(?:${quote})?:[ \t]*`);

/** The lines that are indented further: `name: value`, or a block of lines under a name. */
function inLines(object: string, start: number, indent: number): Data {
  const values: Value[] = [];
  let names = Number.POSITIVE_INFINITY;
  let from = start;
  for (let match = matchAt(line, object, from); match !== null; match = matchAt(line, object, from)) {
    const [whole, { length: depth } = "", content = ""] = match;
    const end = from + whole.length;
    if (content !== "") {
      if (depth <= indent) break;
      names = Math.min(names, depth);
      const name = depth > names ? "" : (entry.exec(content)?.[0] ?? "");
      values.push({ start: end - content.length + name.length, end });
    }
    from = end;
  }
  return { values, end: from };
}

/** Not the quotes around it, nor what says that lines follow. */
function add(object: string, start: number, end: number, at: number, found: Findings): void {
  const value = object.slice(start, end);
  const quotes = /^(\\{0,4}["']).*\1$/.exec(value)?.[1]?.length ?? 0;
  const inner = value.slice(quotes, value.length - quotes);
  if (inner === "" || /^[|>][+-]?$/.test(inner) || isWholeReference(inner)) return;
  found.add(at + start + quotes, at + end - quotes, "secret");
}
