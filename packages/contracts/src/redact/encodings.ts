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

/** As in JSON. Writers agree on no more than that quotes and backslashes are escaped: any character may be. */
export const jsonEscapes: Encoding = {
  marks: ["\\"],
  pattern: /\\(?:u[\dA-Fa-f]{4}|["\\/bfnrt])/g,
  decode: (written) =>
    written.length > 2
      ? String.fromCharCode(Number.parseInt(written.slice(2), 16))
      : (shortEscapes.get(written.charAt(1)) ?? written.charAt(1)),
};

/** The last place up to here that is not between a backslash and what it escapes, which may be another one. */
export function startOfEscape(text: string, at: number): number {
  let start = at;
  while (text.charCodeAt(start - 1) === backslash) start--;
  return at - ((at - start) % 2);
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

/** As in a form, where a space is a plus sign. */
export const formSigns: Encoding = {
  marks: ["+"],
  pattern: new RegExp(`\\+|${percentEncoded}`, "gi"),
  decode: (written) => (written === "+" ? " " : decodeBytes(written)),
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
const longestUnfinished = 64;

/** How many characters at the end of a text may turn out to be none when more comes. */
export function unfinishedIn(text: string): number {
  return /[\\%&\r\n]/.test(text.slice(-longestUnfinished)) ? longestUnfinished : 0;
}

function characterOf(code: number): string | null {
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : null;
}
