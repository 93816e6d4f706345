/** One way of writing characters as other ones. */
export type Encoding = {
  /** A text without any of these holds nothing that is so written. */
  readonly marks: readonly string[];
  /** One encoded character. What it matches is bounded, and does not depend on where the search began. */
  readonly pattern: RegExp;
  /** The character, or null where there is no such one. */
  readonly decode: (written: string) => string | null;
};

export const shortEscapes = new Map([
  ["b", "\b"],
  ["f", "\f"],
  ["n", "\n"],
  ["r", "\r"],
  ["t", "\t"],
]);

/** What a backslash may stand before, if not before another one, also in a literal of code. A quote may be an entity: so JSON is written into HTML. */
const escaped = String.raw`u[\dA-Fa-f]{4}|["'/bfnrt]|&(?:quot|#0{0,6}34|#[xX]0{0,6}22);`;
const wholeEscaped = new RegExp(`^(?:${escaped})$`);

/** How often JSON is read that is a string of JSON; each time a backslash is two. */
const jsonDepths = [1, 2, 3];
const backslashesOfOne = 2 ** jsonDepths.length;

/** As in JSON, once and more often. Writers agree on no more than that quotes and backslashes are escaped: any character may be. */
export const jsonEscapes: readonly Encoding[] = jsonDepths.map((depth) => {
  const ofOne = 2 ** depth;
  return {
    marks: ["\\".repeat(ofOne / 2)],
    pattern: new RegExp(String.raw`\\{1,${ofOne - 1}}(?:${escaped})|\\{2,${ofOne}}`, "g"),
    decode: (written) => unescaped(written, depth),
  };
});

function unescaped(written: string, depth: number): string {
  let backslashes = written.lastIndexOf("\\") + 1;
  let rest = written.slice(backslashes);
  for (let left = depth; left > 0 && backslashes > 0; left--) {
    const isEscape = backslashes % 2 === 1 && wholeEscaped.test(rest);
    if (isEscape) rest = readEscape(rest);
    // One that escapes nothing stays.
    backslashes = isEscape ? (backslashes - 1) / 2 : Math.ceil(backslashes / 2);
  }
  return "\\".repeat(backslashes) + rest;
}

function readEscape(rest: string): string {
  if (rest.endsWith(";")) return '"';
  return rest.length > 1
    ? String.fromCharCode(Number.parseInt(rest.slice(1), 16))
    : (shortEscapes.get(rest) ?? rest);
}

/**
 * The last place up to here that is not between a backslash and what it escapes, which may be another one, at any depth. A run of
 * them that goes on before `least` is followed no further than that, and the answer then lies before it too.
 */
export function startOfEscape(text: string, at: number, least = 0): number {
  let start = at;
  while (start >= least && text.charCodeAt(start - 1) === backslash) start--;
  return start < least ? start : at - ((at - start) % backslashesOfOne);
}

const backslash = 92;

const next = "%[89ab][\\da-f]";
const percentEncoded = `%[0-7][\\da-f]|%[cd][\\da-f]${next}|%e[\\da-f](?:${next}){2}|%f[0-4](?:${next}){3}`;

/** As in an address: any character may be written as its bytes. */
export const percentSigns: Encoding = {
  marks: ["%"],
  pattern: new RegExp(percentEncoded, "gi"),
  decode: decodeBytes,
};

/** The same once more, as in an address within an address. */
export const percentSignsTwice: Encoding = {
  marks: ["%25"],
  pattern: new RegExp(`${percentEncoded.replaceAll("%", "%25")}|${percentEncoded}`, "gi"),
  decode: (written) => decodeBytes(written === "%25" ? written : written.replaceAll("%25", "%")),
};

function decodeBytes(written: string): string | null {
  const lead = Number.parseInt(written.slice(1, 3), 16);
  if (written.length === 3) return String.fromCharCode(lead);
  let code = lead & (0xff >> (written.length / 3 + 1));
  for (let at = 4; at < written.length; at += 3)
    code = (code << 6) | (Number.parseInt(written.slice(at, at + 2), 16) & 0x3f);
  return characterOf(code);
}

export const namedEntities = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** As in HTML and XML: by number, or by one of the names that both have. */
export const entities: Encoding = {
  marks: ["&"],
  pattern: /&(?:amp|lt|gt|quot|apos|#\d{1,8}|#x[\da-f]{1,8});/gi,
  decode(written) {
    const name = written.slice(1, -1).toLowerCase();
    if (!name.startsWith("#")) return namedEntities.get(name) ?? null;
    return characterOf(name.startsWith("#x") ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1)));
  },
};

/** The end of a line inside base64 or hex, and the indentation of the next. So long a run stands at the end of few other lines. */
export const brokenLines: Encoding = {
  marks: ["\n", "\r"],
  pattern: /(?:\r\n?|\n)[ \t]{0,40}(?=[\w+/-])(?<=[\w+/-]{16}(?:\r\n?|\n)[ \t]{0,40})/g,
  decode: () => "",
};

/** The most that the beginnings of an escape, of another encoded character and of a line can take together. */
const longestUnfinished = 96;

/** How many characters at the end of a text may turn out to be none when more comes. */
export function unfinishedIn(text: string): number {
  return /[\\%&\r\n]/.test(text.slice(-longestUnfinished)) ? longestUnfinished : 0;
}

function characterOf(code: number): string | null {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : null;
}
