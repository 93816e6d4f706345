// What JavaScript and re2js spell differently: which characters are spaces and ends of lines, how a character is named by its number, and
// which characters may stand for themselves.

/** Why a pattern cannot be run in time that grows with the text alone. */
export class UnreadablePatternError extends Error {}

/** A pattern of JavaScript's, as re2js reads it. Names of groups are left out: nobody asks for what a group has found. */
export function translatePattern(source: string, flags: string): string {
  if (flags.includes("m")) throw new UnreadablePatternError("the flag m is not supported");
  if (flags.includes("v")) throw new UnreadablePatternError("the flag v is not supported");
  const isUnicode = flags.includes("u");
  const read = new Reader(source, flags.includes("s"), isUnicode).whole();
  const translated = flags.includes("i") && !isUnicode ? withoutFolding(read) : read;
  return flags.includes("y") ? `\\A(?:${translated})` : translated;
}

/**
 * Letters that are another one in any case only with the flag `u` (`ſ` is `s`, the sign of Kelvin is `k`), and what stands for each where
 * that flag is not given: a character beside it that has no other case.
 */
const folding: ReadonlyMap<string, string> = new Map([
  ["\u017f", "\u01bb"],
  ["\u03f4", "\u03f6"],
  ["\u1e9e", "\u1e9f"],
  ["\u2126", "\u2125"],
  ["\u212a", "\u2128"],
  ["\u212b", "\u2128"],
]);
const everyFolding = /[\u017f\u03f4\u1e9e\u2126\u212a\u212b]/g;

/** A text as a pattern without the flag `u` reads it in any case. */
export function replaceFolding(text: string): string {
  return text.replaceAll(everyFolding, (char) => folding.get(char) ?? char);
}

/** A translated pattern in which these letters, also within a range, are what stands for them. */
function withoutFolding(translated: string): string {
  const ranges = /([0-9A-Za-z]|\\x\{[0-9a-f]+\})-([0-9A-Za-z]|\\x\{[0-9a-f]+\})/g;
  return translated
    .replaceAll(ranges, (range, first: string, last: string) =>
      splitRange(range, codeOf(first), codeOf(last)),
    )
    .replaceAll(/\\x\{[0-9a-f]+\}/g, (named) => {
      const other = folding.get(String.fromCodePoint(codeOf(named)));
      return other === undefined ? named : literal(other);
    });
}

function splitRange(range: string, first: number, last: number): string {
  const within = [...folding.keys()].filter((char) => codeOf(char) >= first && codeOf(char) <= last);
  if (within.length === 0) return range;
  let [parts, from] = ["", first];
  for (const code of [...within.map(codeOf), last + 1]) {
    if (code > from) parts += `\\x{${from.toString(16)}}-\\x{${(code - 1).toString(16)}}`;
    from = code + 1;
  }
  return parts + within.map(literal).join("");
}

/** Of a character as it stands in a translated pattern. */
function codeOf(text: string): number {
  return text.startsWith("\\x{") ? Number.parseInt(text.slice(3, -1), 16) : (text.codePointAt(0) ?? 0);
}

const spaces =
  "\\t\\n\\x{b}\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
const noSpaces =
  "\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";
const everything = "\\x{0}-\\x{10ffff}";
const lineEnds = "\\n\\r\\x{2028}\\x{2029}";

const controls: ReadonlyMap<string, string> = new Map([
  ["n", "\\n"],
  ["r", "\\r"],
  ["t", "\\t"],
  ["f", "\\f"],
  ["v", "\\x{b}"],
]);

/** Categories by their short names, scripts by their names: what both engines know. */
const property = /^(?:(?:gc|General_Category)=)?(?<category>[LMNPSZC][a-z]?)$|^(?:sc|Script)=(?<script>\w+)$/;

/** What stands in a class: one character, or several at once. */
type Item = { readonly text: string; readonly isOne: boolean };

class Reader {
  readonly #source: string;
  readonly #any: string;
  readonly #isUnicode: boolean;
  #at = 0;

  constructor(source: string, dotAll: boolean, isUnicode: boolean) {
    this.#source = source;
    this.#isUnicode = isUnicode;
    this.#any = dotAll ? `[${everything}]` : `[^${lineEnds}]`;
  }

  whole(): string {
    let out = "";
    while (this.#at < this.#source.length) out += this.#next();
    return out === "" ? "(?:)" : out;
  }

  #next(): string {
    const quantifier = this.#take(/\{\d+(?:,\d*)?\}|[*+?]/y);
    if (quantifier !== undefined) return quantifier;
    const char = this.#char();
    if (char === ".") return this.#any;
    if (char === "^") return "\\A";
    if (char === "$") return "\\z";
    if (char === "|" || char === ")") return char;
    if (char === "(") return this.#group();
    if (char === "[") return this.#class();
    return char === "\\" ? this.#escape() : literal(char);
  }

  #group(): string {
    if (this.#take(/\?:/y) !== undefined || this.#take(/\?<[^=!>][^>]*>/y) !== undefined) return "(?:";
    const look = this.#take(/\?(?:<?[=!])/y);
    if (look !== undefined)
      throw new UnreadablePatternError(`it looks ${look.includes("<") ? "behind" : "ahead"}: (${look}`);
    if (this.#source[this.#at] === "?") throw new UnreadablePatternError("it changes its flags in a group");
    return "(?:";
  }

  #escape(): string {
    const boundary = this.#take(/[bB]/y);
    if (boundary !== undefined) return `\\${boundary}`;
    const back = this.#take(/[1-9]\d*|k<[^>]*>/y);
    if (back !== undefined) throw new UnreadablePatternError(`it refers back to a group: \\${back}`);
    const { text, isOne } = this.#item();
    return isOne ? text : `[${text}]`;
  }

  #class(): string {
    const isNegated = this.#take(/\^/y) !== undefined;
    let items = "";
    while (this.#take(/\]/y) === undefined) {
      if (this.#at >= this.#source.length)
        throw new UnreadablePatternError("a class of characters has no end");
      const first = this.#member();
      const isRange = first.isOne && this.#take(/-(?!\])/y) !== undefined;
      if (!isRange) {
        items += first.text;
        continue;
      }
      const last = this.#member();
      items += last.isOne ? `${first.text}-${last.text}` : `${first.text}\\-${last.text}`;
    }
    if (items === "") return isNegated ? `[${everything}]` : `[^${everything}]`;
    return `[${isNegated ? "^" : ""}${items}]`;
  }

  #member(): Item {
    const char = this.#char();
    if (char !== "\\") return one(char);
    return this.#take(/b/y) === undefined ? this.#item() : one("\b");
  }

  /** What follows a backslash, inside a class and outside. */
  #item(): Item {
    const other = this.#isUnicode ? undefined : this.#take(/[pPu](?=\{)/y);
    if (other !== undefined)
      throw new UnreadablePatternError(`it means something else without the flag u: \\${other}{`);
    const number = this.#number();
    if (number !== undefined) return one(number);
    const named = this.#take(/[pP]\{[^}]*\}/y);
    if (named !== undefined) return { text: propertyOf(named), isOne: false };
    const char = this.#char();
    if (char === "s" || char === "S") return { text: char === "s" ? spaces : noSpaces, isOne: false };
    if (/[dDwW]/.test(char)) return { text: `\\${char}`, isOne: false };
    const control = controls.get(char);
    if (control !== undefined) return { text: control, isOne: true };
    if (char === "" || /[A-Za-z0-9]/.test(char))
      throw new UnreadablePatternError(`it has an escape that is not known: \\${char}`);
    return one(char);
  }

  /** A character that is written as its number. */
  #number(): string | undefined {
    const pair = this.#take(/u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/y);
    if (pair !== undefined) {
      const [high = "", low = ""] = pair.split("\\u").map((half) => half.replace("u", ""));
      return String.fromCharCode(Number.parseInt(high, 16), Number.parseInt(low, 16));
    }
    const hex = this.#take(/x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|u\{[0-9a-fA-F]+\}/y);
    if (hex !== undefined)
      return String.fromCodePoint(Number.parseInt(hex.replaceAll(/[^0-9a-fA-F]/g, ""), 16));
    const control = this.#take(/c[A-Za-z]/y);
    if (control !== undefined) return String.fromCharCode(control.charCodeAt(1) % 32);
    return this.#take(/0(?!\d)/y) === undefined ? undefined : "\0";
  }

  #char(): string {
    const char = String.fromCodePoint(this.#source.codePointAt(this.#at) ?? 0);
    if (this.#at >= this.#source.length) return "";
    this.#at += char.length;
    return char;
  }

  #take(what: RegExp): string | undefined {
    what.lastIndex = this.#at;
    const found = what.exec(this.#source)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }
}

function propertyOf(named: string): string {
  const { category, script } = property.exec(named.slice(2, -1))?.groups ?? {};
  const name = category ?? script;
  if (name !== undefined) return `\\${named.slice(0, 1)}{${name}}`;
  throw new UnreadablePatternError(`it has a property that is not supported: \\${named}`);
}

function one(char: string): Item {
  return { text: literal(char), isOne: true };
}

function literal(char: string): string {
  if (/^[A-Za-z0-9]$/.test(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  if (code >= 0xd800 && code <= 0xdfff)
    throw new UnreadablePatternError("it has half of a character, written as a surrogate");
  return `\\x{${code.toString(16)}}`;
}
