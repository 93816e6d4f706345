import { type Finder, type Findings, matchAt, skip } from "./finder.ts";
import { isWholeReference } from "./is-reference.ts";

const announces =
  /apiVersion["']?\s{0,4}:\s{0,4}["']?v1(?![\w./])|kind["']?\s{0,4}:\s{0,4}["']?Secret(?!\w)/y;
const kind = /kind["']?\s{0,4}:\s{0,4}["']?(\w{1,64})(?=[\s"',}])/;

/** The most that is read of one. */
const reach = 4096;

/** A Secret of Kubernetes: whatever stands in its data is hidden, under any name. */
export const clusterSecretFinder: Finder = {
  words: ["apiVersion", "kind"],
  find(text, at, found) {
    const from = skip(announces, text, at);
    if (from === at) return at + 1;
    const ahead = text.slice(at, at + reach);
    const word = ahead.startsWith("kind") ? "kind" : "apiVersion";
    // It ends where another one begins.
    const ends = [ahead.indexOf("\n---"), ahead.indexOf(word, word.length)].filter((place) => place !== -1);
    const object = ahead.slice(0, Math.min(reach, ...ends));
    const said = kind.exec(object)?.[1];
    if (said !== undefined && said !== "Secret") return from;
    if (ends.length === 0) found.needs(at, at + reach);
    if (said !== undefined) findData(object, at, found);
    return from;
  },
};

const data = /(?:^|[\n{,])([ \t]{0,32})["']?(?:data|stringData)["']?[ \t]{0,4}:[ \t]{0,4}(?:(\{)|\r?(?=\n))/g;
const member = /[\s,]{0,64}["'][\w.-]{1,253}["']\s{0,4}:\s{0,4}["']((?:[^"'\\\n]|\\.){0,4096})["']/dy;

function findData(object: string, at: number, found: Findings): void {
  for (const { 0: opening, 1: indent = "", 2: brace, index } of object.matchAll(data)) {
    const from = index + opening.length;
    if (brace === undefined) findInLines(object, from, indent.length, at, found);
    else findMembers(object, from, at, found);
  }
}

function findMembers(object: string, start: number, at: number, found: Findings): void {
  let from = start;
  for (let match = matchAt(member, object, from); match !== null; match = matchAt(member, object, from)) {
    from += match[0].length;
    const place = match.indices?.[1] ?? [0, 0];
    add(object, place[0], place[1], at, found);
  }
}

const line = /\r?\n([ \t]*)([^\r\n]*)/y;
const entry = /^["']?[\w.-]{1,253}["']?:[ \t]*/;

/** The lines that are indented further: `name: value`, or a block of lines under a name. */
function findInLines(object: string, start: number, indent: number, at: number, found: Findings): void {
  let names = Number.POSITIVE_INFINITY;
  let from = start;
  for (let match = matchAt(line, object, from); match !== null; match = matchAt(line, object, from)) {
    const [whole, { length: depth } = "", content = ""] = match;
    const end = from + whole.length;
    if (content !== "") {
      if (depth <= indent) return;
      names = Math.min(names, depth);
      const name = depth > names ? "" : (entry.exec(content)?.[0] ?? "");
      add(object, end - content.length + name.length, end, at, found);
    }
    from = end;
  }
}

/** Not the quotes around it, nor what says that lines follow. */
function add(object: string, start: number, end: number, at: number, found: Findings): void {
  const value = object.slice(start, end);
  const quote = /^(["']).*\1$/.test(value) ? 1 : 0;
  const inner = value.slice(quote, value.length - quote);
  if (inner === "" || /^[|>][+-]?$/.test(inner) || isWholeReference(inner)) return;
  found.add(at + start + quote, at + end - quote, "secret");
}
