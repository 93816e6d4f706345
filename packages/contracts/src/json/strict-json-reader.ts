// Builds the value itself: V8's JSON.parse (Node 24 and 26, nodejs/node#63785) gives an escaped key the name of another
// key, depending on what the process has parsed before. No message ever quotes a value of the text.
import { InvalidInputError } from "../error/error-classes.ts";
import type { JsonValue } from "./json-value.ts";
import { pathForMessage } from "./path-for-message.ts";
import { setMember } from "./set-member.ts";

const space = /[ \t\n\r]*/y;
const plainString = /[^"\\\u0000-\u001f]*/y;
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const number = /(-?(?:0|[1-9][0-9]*))(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const word = /true|false|null/y;
const words: Readonly<Record<string, JsonValue>> = { true: true, false: false, null: null };

/** A container that is open, and the member it stands at: null until the key of the next one has been read. */
type ArrayFrame = { readonly close: "]"; readonly value: JsonValue[]; at: number };
type ObjectFrame = { readonly close: "}"; readonly value: Record<string, JsonValue>; at: string | null };
type Frame = ArrayFrame | ObjectFrame;

/** One pass over a text: grammar, limits, keys, value. What it refuses is written at `parseJsonStrict`. */
export class StrictJsonReader {
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #keepsOdd: boolean;
  /** Nesting is held here, not on the stack. */
  readonly #frames: Frame[] = [];
  #index = 0;
  #root: JsonValue = null;

  constructor(text: string, maxDepth: number, keepsOdd = false) {
    this.#text = text;
    this.#maxDepth = maxDepth;
    this.#keepsOdd = keepsOdd;
  }

  document(): JsonValue {
    this.#skip(space);
    do this.#value();
    while (this.#next());
    if (this.#index < this.#text.length) this.#fail("trailing_text", "text after the end of the value");
    return this.#root;
  }

  /** Opens containers until a scalar has been read, or the container just opened is empty. */
  #value(): void {
    for (;;) {
      const mark = this.#peek();
      if (mark === "{") {
        const frame: ObjectFrame = { close: "}", value: {}, at: null };
        this.#open(frame);
        if (this.#peek() === "}") return;
        this.#key(frame);
      } else if (mark === "[") {
        this.#open({ close: "]", value: [], at: 0 });
        if (this.#peek() === "]") return;
      } else {
        return this.#put(mark === '"' ? this.#string() : this.#wordOrNumber());
      }
    }
  }

  /** After a value: closes what ends here; true when another value follows. */
  #next(): boolean {
    for (;;) {
      this.#skip(space);
      const frame = this.#frames.at(-1);
      if (frame === undefined) return false;
      const mark = this.#peek();
      if (mark !== "," && mark !== frame.close) this.#fail("syntax", `expected ',' or '${frame.close}'`);
      this.#index++;
      if (mark === frame.close) {
        this.#frames.pop();
        this.#put(frame.value);
        continue;
      }
      this.#skip(space);
      if (frame.close === "]") frame.at++;
      else this.#key(frame);
      return true;
    }
  }

  #open(frame: Frame): void {
    if (this.#frames.length >= this.#maxDepth) this.#fail("too_deep", `nested deeper than ${this.#maxDepth}`);
    this.#frames.push(frame);
    this.#index++;
    this.#skip(space);
  }

  #put(value: JsonValue): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) this.#root = value;
    else if (frame.close === "]") frame.value.push(value);
    else setMember(frame.value, frame.at as string, value);
  }

  #key(frame: ObjectFrame): void {
    frame.at = null;
    if (this.#peek() !== '"') this.#fail("syntax", "expected a quoted key");
    const key = this.#string();
    frame.at = key;
    if (Object.hasOwn(frame.value, key)) this.#fail("duplicate_key", "the same key twice in one object");
    this.#skip(space);
    if (this.#peek() !== ":") this.#fail("syntax", "expected ':' after a key");
    this.#index++;
    this.#skip(space);
  }

  #string(): string {
    const start = this.#index++;
    for (;;) {
      this.#skip(plainString);
      const mark = this.#peek();
      if (mark === '"') break;
      if (mark !== "\\")
        this.#fail("syntax", mark === "" ? "a string has no end" : "a raw control character in a string");
      if (!this.#skip(escape)) this.#fail("syntax", "an escape that JSON does not know");
    }
    this.#index++;
    // Not a slice, which would keep the whole text in memory.
    const value = JSON.parse(this.#text.slice(start, this.#index)) as string;
    if (!this.#keepsOdd && !value.isWellFormed())
      this.#fail("lone_surrogate", "a string has a lone surrogate");
    return value;
  }

  #wordOrNumber(): JsonValue {
    const start = this.#index;
    return this.#skip(word) ? (words[this.#text.slice(start, this.#index)] as JsonValue) : this.#number();
  }

  #number(): number | string {
    number.lastIndex = this.#index;
    const match = number.exec(this.#text);
    if (match === null) {
      this.#fail("syntax", this.#index >= this.#text.length ? "the text ends too early" : "expected a value");
    }
    const [literal] = match;
    const value = Number(literal);
    const isTooLarge = !Number.isFinite(value);
    if (isTooLarge && !this.#keepsOdd) this.#fail("number_overflow", "a number too large to hold");
    const isOther = !isTooLarge && isAltered(literal, value);
    if (isOther && !this.#keepsOdd)
      this.#fail("inexact_integer", "an integer that cannot be held exactly; send it as a string");
    this.#index += literal.length;
    return isTooLarge || isOther ? literal : value;
  }

  #peek(): string {
    return this.#text.charAt(this.#index);
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#index;
    if (!pattern.test(this.#text)) return false;
    this.#index = pattern.lastIndex;
    return true;
  }

  #fail(reason: string, what: string): never {
    const path = pathForMessage(this.#frames.flatMap((frame) => frame.at ?? []));
    const before = this.#text.slice(0, this.#index);
    const line = before.split("\n").length;
    const column = this.#index - before.lastIndexOf("\n");
    const place = `line ${line}, column ${column}${path === "" ? "" : `, at ${path}`}`;
    throw new InvalidInputError(`invalid JSON at ${place}: ${what}`, {
      details: { path, reason, line, column },
    });
  }
}

/** 9007199254740993 would be held as ...992: another account, another order. So would 9.007199254740993e15. */
function isAltered(literal: string, held: number): boolean {
  // Nearer to zero every integer is held as it is.
  if (Math.abs(held) <= Number.MAX_SAFE_INTEGER) return false;
  const said = integerIn(literal);
  return said !== null && said !== BigInt(Math.abs(held)) && said !== integerIn(String(held));
}

/** What a finite number's digits say without its sign, if that is an integer: it has no more than some three hundred of them. */
function integerIn(literal: string): bigint | null {
  number.lastIndex = 0;
  const [, integer = "", fraction = "", exponent = ""] = number.exec(literal) ?? [];
  const digits = `${integer.replace("-", "")}${fraction.slice(1)}`;
  let end = digits.length;
  while (digits.charAt(end - 1) === "0") end--;
  const zeros = Number(exponent.slice(1)) - Math.max(0, fraction.length - 1) + digits.length - end;
  return zeros < 0 ? null : BigInt(digits.slice(0, end) + "0".repeat(zeros));
}
