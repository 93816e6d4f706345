/**
 * A seeded generator for the template language of `token-formats.ts`.
 *
 *   literal            stands for itself; `\` quotes the next character, `\n` is a line end
 *   (a|b|c)            one of the alternatives (each may hold templates)
 *   {alphabet:n}       n random characters of the alphabet
 *   {alphabet:n-m}     between n and m of them
 *   {[A-Z2-7]:n}       the same over a set of characters, ranges allowed
 *   {uuid} {UUID}      a version 4 UUID
 *   {word}             an English word
 *   {password}         a password as people and password managers make them
 *   {pem:n}            n lines of base64 (64 a line, the last one shorter, padded)
 *   {mnemonic:n}       n BIP-39 style words
 *   {jwtHeader} {jwtHeader:n} {jwtClaims} {jwtClaims:n}   base64url of a JSON header or claims, of about n characters
 *   {base64:template}  base64 of what the template in it makes; {base64url:template} likewise
 *
 * The same template and seed always make the same value.
 */
import type { TokenFormat } from "./token-formats.ts";
import { words } from "./words.ts";

const digits = "0123456789";
const lower = "abcdefghijklmnopqrstuvwxyz";
const upper = lower.toUpperCase();
const alnum = lower + upper + digits;

const alphabets = new Map(
  Object.entries({
    hex: `${digits}abcdef`,
    HEX: `${digits}ABCDEF`,
    digits,
    lower,
    upper,
    alpha: lower + upper,
    lowernum: lower + digits,
    uppernum: upper + digits,
    alnum,
    b64: `${alnum}+/`,
    b64url: `${alnum}_-`,
    b32: `${upper}234567`,
    b32lower: `${lower}234567`,
    b58: "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz",
    bech32: "qpzry9x8gf2tvdw0s3jn54khce6mua7l",
    BECH32: "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    crockford: "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
    symbols: `${alnum}!@#%^&*-_=+`,
  }),
);

/** mulberry32 over a hash of the text and the seed. */
function random(text: string, seed: number): () => number {
  let state = 2166136261 ^ seed;
  for (let index = 0; index < text.length; index++)
    state = Math.imul(state ^ text.charCodeAt(index), 16777619);
  state = (state ^ Math.imul(seed + 1, 0x9e3779b1)) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function expandSet(set: string): string {
  let result = "";
  for (let index = 0; index < set.length; index++) {
    const escaped = set[index] === "\\" && index + 1 < set.length;
    if (escaped) result += set.charAt(++index);
    else if (set[index + 1] === "-" && index + 2 < set.length) {
      for (let code = set.charCodeAt(index); code <= set.charCodeAt(index + 2); code++)
        result += String.fromCodePoint(code);
      index += 2;
    } else result += set.charAt(index);
  }
  return result;
}

class Maker {
  #at = 0;
  readonly #text: string;
  readonly #next: () => number;

  constructor(text: string, next: () => number) {
    this.#text = text;
    this.#next = next;
  }

  make(): string {
    const made = this.#sequence("");
    if (this.#at < this.#text.length) throw this.#wrong(`unexpected "${this.#text.charAt(this.#at)}"`);
    return made;
  }

  #sequence(stops: string): string {
    let made = "";
    while (this.#at < this.#text.length) {
      const char = this.#text.charAt(this.#at);
      if (stops.includes(char)) break;
      this.#at++;
      if (char === "\\") made += this.#quoted();
      else if (char === "(") made += this.#choice();
      else if (char === "{") made += this.#field();
      else if (char === ")" || char === "}") throw this.#wrong(`stray "${char}"`);
      else made += char;
    }
    return made;
  }

  #quoted(): string {
    if (this.#at >= this.#text.length) throw this.#wrong("a backslash at the end");
    const char = this.#text.charAt(this.#at++);
    return char === "n" ? "\n" : char;
  }

  #choice(): string {
    const options: string[] = [];
    for (;;) {
      options.push(this.#sequence("|)"));
      const char = this.#text.charAt(this.#at++);
      if (char === ")") return this.#oneOf(options);
      if (char !== "|") throw this.#wrong('"(" is not closed');
    }
  }

  #field(): string {
    const encoding = /^base64(?:url)?(?=:)/.exec(this.#text.slice(this.#at, this.#at + 12))?.[0];
    if (encoding === "base64" || encoding === "base64url") return this.#encoded(encoding);
    if (this.#text[this.#at] === "[") return this.#fromSet();
    const [name = "", length] = this.#upTo("}").split(":");
    const set = alphabets.get(name);
    if (set !== undefined) return this.#chars(set, this.#count(length));
    return this.#named(name, length);
  }

  #encoded(encoding: "base64" | "base64url"): string {
    this.#at += encoding.length + 1;
    const inner = this.#sequence("}");
    this.#upTo("}");
    return Buffer.from(inner, "utf8").toString(encoding);
  }

  #fromSet(): string {
    this.#at++;
    const set = expandSet(this.#upTo("]"));
    if (this.#text[this.#at++] !== ":") throw this.#wrong("a set needs a length");
    return this.#chars(set, this.#count(this.#upTo("}")));
  }

  #named(name: string, length: string | undefined): string {
    switch (name) {
      case "uuid":
        return this.#uuid();
      case "UUID":
        return this.#uuid().toUpperCase();
      case "word":
        return this.#oneOf(words);
      case "mnemonic":
        return Array.from({ length: this.#count(length) }, () => this.#oneOf(words)).join(" ");
      case "password":
        return this.#password();
      case "pem":
        return this.#pem(this.#count(length));
      case "jwtHeader":
        return this.#json({ alg: this.#oneOf(["HS256", "RS256", "ES256"]), typ: "JWT" }, "kid", length);
      case "jwtClaims":
        return this.#json(
          {
            sub: this.#chars(digits, 10),
            name: this.#oneOf(words),
            iat: 1760000000 + Math.floor(this.#next() * 9999999),
          },
          "jti",
          length,
        );
      default:
        throw this.#wrong(`unknown field {${name}}`);
    }
  }

  #password(): string {
    const shape = Math.floor(this.#next() * 4);
    if (shape === 0) return this.#chars(alnum, 16 + Math.floor(this.#next() * 9));
    if (shape === 1) {
      const word = this.#oneOf(words).replace(/^./, (first) => first.toUpperCase());
      return word + this.#chars(digits, 4) + this.#chars("!#%*-_", 1);
    }
    if (shape === 2)
      return `${this.#oneOf(words)}-${this.#oneOf(words)}-${this.#chars(digits, 3)}-${this.#oneOf(words)}`;
    const inner = this.#chars(`${alnum}!%*+-_=~^`, 14 + Math.floor(this.#next() * 7));
    return this.#chars(alnum, 1) + inner + this.#chars(alnum, 1);
  }

  #pem(count: number): string {
    const set = `${alnum}+/`;
    const lines = Array.from({ length: count }, (_, index) =>
      index < count - 1 ? this.#chars(set, 64) : `${this.#chars(set, 43)}=`,
    );
    return `MII${lines.join("\n").slice(3)}`;
  }

  /** What stands up to a closing character, which is passed; a backslash quotes. */
  #upTo(close: string): string {
    const from = this.#at;
    while (this.#text[this.#at] !== close) {
      if (this.#text[this.#at] === "\\") this.#at++;
      if (++this.#at >= this.#text.length) throw this.#wrong(`"${close}" is missing`);
    }
    return this.#text.slice(from, this.#at++);
  }

  #count(text: string | undefined): number {
    const [, least, most = least] = /^(\d+)(?:-(\d+))?$/.exec(text ?? "") ?? [];
    if (least === undefined || Number(most) < Number(least)) throw this.#wrong(`not a length: ${text}`);
    return Number(least) + Math.floor(this.#next() * (Number(most) - Number(least) + 1));
  }

  #chars(set: string, count: number): string {
    let made = "";
    for (let index = 0; index < count; index++) made += set.charAt(Math.floor(this.#next() * set.length));
    return made;
  }

  #oneOf(list: readonly string[]): string {
    return list[Math.floor(this.#next() * list.length)] ?? "";
  }

  /** Base64url of JSON, made about as long as asked by a random member. */
  #json(value: Record<string, unknown>, filler: string, length: string | undefined): string {
    const bytes = Math.floor(((length === undefined ? 0 : this.#count(length)) * 3) / 4);
    const missing = bytes - JSON.stringify({ ...value, [filler]: "" }).length;
    const all = missing > 0 ? { ...value, [filler]: this.#chars(alnum, missing) } : value;
    return Buffer.from(JSON.stringify(all), "utf8").toString("base64url");
  }

  #uuid(): string {
    const hex = this.#chars(`${digits}abcdef`, 31);
    const variant = this.#oneOf(["8", "9", "a", "b"]);
    const [a, b, c] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 15)];
    return `${a}-${b}-4${c}-${variant}${hex.slice(15, 18)}-${hex.slice(18, 30)}`;
  }

  #wrong(problem: string): Error {
    return new Error(`${problem} in the template ${this.#text}`);
  }
}

/** The value that a template makes with a seed. */
export function sampleTemplate(template: string, seed: number): string {
  return new Maker(template, random(template, seed)).make();
}

/** A value of a format. */
export function sample({ vendor, name, value }: TokenFormat, seed: number): string {
  return new Maker(value, random(`${vendor}/${name}/${value}`, seed)).make();
}

/** A context with the value for its `$`, the identifier for its `$n`, and a dollar sign for its `$$`. */
export function inContext(context: string, value: string, identifier?: string): string {
  const marks = identifier === undefined ? /\$\$|\$/g : /\$\$|\$n|\$/g;
  return context.replaceAll(marks, (mark) => {
    if (mark === "$$") return "$";
    return mark === "$n" ? (identifier ?? "") : value;
  });
}
