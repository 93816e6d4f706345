// Ways of writing a character that decode to it again. What is chosen for which character is up to whoever encodes.
const hex = (code: number, digits: number) => code.toString(16).padStart(digits, "0");
const bytesOf = (char: string) => [...new TextEncoder().encode(char)];
const short: Readonly<Record<string, string>> = {
  "\b": String.raw`\b`,
  "\f": String.raw`\f`,
  "\n": String.raw`\n`,
  "\r": String.raw`\r`,
  "\t": String.raw`\t`,
  '"': String.raw`\"`,
  "/": String.raw`\/`,
  "\\": "\\\\",
};
const named: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

const percent = (char: string) =>
  bytesOf(char)
    .map((byte) => `%${hex(byte, 2)}`)
    .join("");
const escaped = (char: string) =>
  char
    .split("")
    .map((unit) => `\\u${hex(unit.charCodeAt(0), 4)}`)
    .join("");
const codeOf = (char: string) => char.codePointAt(0) ?? 0;

/** How an encoder can write one character, beside leaving it as it is; `must`: which it cannot leave. */
export type Encoder = {
  readonly must: RegExp;
  readonly ways: readonly ((char: string) => string)[];
};

export const encoders: Readonly<Record<string, Encoder>> = {
  percent: { must: /%/, ways: [percent, (char) => percent(char).toUpperCase()] },
  form: {
    must: /[%+ ]/,
    ways: [(char) => (char === " " ? "+" : percent(char).toUpperCase()), percent],
  },
  JSON: {
    must: /["\\\p{Cc}]/u,
    ways: [
      (char) => short[char] ?? escaped(char),
      escaped,
      (char) => escaped(char).toUpperCase().replaceAll("\\U", "\\u"),
    ],
  },
  entities: {
    must: /&/,
    ways: [
      (char) => named[char] ?? `&#${codeOf(char)};`,
      (char) => `&#${String(codeOf(char)).padStart(3, "0")};`,
      (char) => `&#x${hex(codeOf(char), 2)};`,
      (char) => `&#X${hex(codeOf(char), 4).toUpperCase()};`,
    ],
  },
};

/** As JSON writes what is JSON already: a backslash as two, and nothing that an escape inside may consist of in another way. */
export const aroundJson: Encoder = {
  must: /["\\\p{Cc}]/u,
  ways: [
    (char) => (/\w/.test(char) ? char : (short[char] ?? escaped(char))),
    (char) => (char === "\\" ? "\\\\" : /\w/.test(char) ? char : escaped(char)),
  ],
};

/** The text so encoded: `choices` say by which way each character goes, over and over; 0 leaves it where that is possible. */
export function encodeBy({ must, ways }: Encoder, text: string, choices: readonly number[]): string {
  return Array.from(text, (char, index) => {
    const choice = choices[index % choices.length] ?? 0;
    if (choice === 0 && !must.test(char)) return char;
    return ways[Math.max(0, choice - 1) % ways.length]?.(char) ?? char;
  }).join("");
}

/** Broken into lines of so many characters. */
export function wrapped(text: string, columns: number, lineEnd: string): string {
  return text.replaceAll(new RegExp(`.{${columns}}(?=.)`, "g"), `$&${lineEnd}`);
}
