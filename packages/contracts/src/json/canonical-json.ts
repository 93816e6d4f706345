// The canonical text is what is hashed, stored, and parsed afresh for each consumer (G4): every property is
// read exactly once, so whatever a getter or proxy would answer the second time is never seen.
import { InvalidInputError } from "../error/error-classes.ts";
import { hasEscapedKey } from "./has-escaped-key.ts";
import { type JsonValue, maxJsonDepth, maxJsonValues } from "./json-value.ts";
import { pathForMessage } from "./path-for-message.ts";
import { StrictJsonReader } from "./strict-json-reader.ts";

/** Where the writer stands: the first `depth` keys and objects on the way down. Only a refusal looks at them. */
type Position = {
  depth: number;
  values: number;
  readonly keys: PropertyKey[];
  readonly objects: object[];
  /** Whether what JSON leaves out is refused. */
  readonly isWhole: boolean;
  /** Our own refusal, to tell it from whatever a getter throws. */
  refusal?: InvalidInputError;
};

const needsEscape = /["\\\u0000-\u001f\ud800-\udfff]/;

/**
 * RFC 8785 text of a JSON value. `undefined` members are left out, a `Date` becomes its ISO string; whatever JSON
 * cannot say (functions, symbols, bigint, NaN, cycles, class instances, lone surrogates) is `invalid_input`
 * with its path.
 */
export function canonicalJson(value: unknown): string {
  if (typeof value === "string" && !needsEscape.test(value)) return `"${value}"`;
  return written(value, false);
}

function written(value: unknown, isWhole: boolean): string {
  const at: Position = { depth: 0, values: 0, keys: [], objects: [], isWhole };
  try {
    return write(value, at);
  } catch (error) {
    if (at.refusal !== undefined) throw at.refusal;
    // A getter or a proxy trap: code of others that may throw anything.
    return refuse(at, "reading it threw", error);
  }
}

/** A deep copy that owes nothing to its source: read once, plain data only. */
export function snapshotJson(value: unknown): JsonValue {
  return readCanonicalJson(canonicalJson(value));
}

/** The same, and nothing of it is left out: a member that is not enumerable or named by a symbol, or beside a list's items, is refused. */
export function snapshotWholeJson(value: unknown): JsonValue {
  return readCanonicalJson(written(value, true));
}

/** The value of a text that {@link canonicalJson} wrote. Text from anywhere else is read by `parseJsonStrict`. */
export function readCanonicalJson(text: string): JsonValue {
  // JSON.parse may misread an escaped key; see the reader.
  if (hasEscapedKey(text)) return new StrictJsonReader(text, maxJsonDepth).document();
  return JSON.parse(text) as JsonValue;
}

function write(value: unknown, at: Position): string {
  if (++at.values > maxJsonValues) return refuse(at, `more than ${maxJsonValues} values`);
  switch (typeof value) {
    case "string":
      return quote(value, at);
    case "number":
      return Number.isFinite(value) ? `${value}` : refuse(at, `${value} is not a JSON number`);
    case "boolean":
      return value ? "true" : "false";
    case "object":
      return value === null ? "null" : writeObject(value, at);
    default:
      return refuse(at, `${typeof value} is not a JSON value`);
  }
}

function quote(text: string, at: Position): string {
  if (!needsEscape.test(text)) return `"${text}"`;
  return text.isWellFormed() ? JSON.stringify(text) : refuse(at, "a string has a lone surrogate");
}

function writeObject(value: object, at: Position): string {
  const { depth } = at;
  if (depth >= maxJsonDepth) return refuseDepth(value, at);
  at.objects[depth] = value;
  const text = Array.isArray(value) ? writeItems(value, at) : writePlain(value, at);
  at.depth = depth;
  return text;
}

function writeItems(value: readonly unknown[], at: Position): string {
  const { length } = value;
  if (at.isWhole) requireWhole(value, at);
  const depth = at.depth++;
  let text = "";
  for (let index = 0; index < length; index++) {
    at.keys[depth] = index;
    text += (index === 0 ? "" : ",") + write(value[index], at);
  }
  return `[${text}]`;
}

function writePlain(value: object, at: Position): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null && !isForeignPlain(prototype)) {
    return writeInstance(value, at);
  }
  if (at.isWhole) requireWhole(value, at);
  const keys = sorted(Object.keys(value));
  const depth = at.depth++;
  let text = "";
  for (const key of keys) {
    at.keys[depth] = key;
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined)
      text += (text === "" ? nameOf(key, at) : `,${nameOf(key, at)}`) + write(member, at);
  }
  return `{${text}}`;
}

function requireWhole(value: object, at: Position): void {
  const isList = Array.isArray(value);
  const hidden = Reflect.ownKeys(value).find((key) => (isList ? !isOfList(key) : !isShown(value, key)));
  if (hidden === undefined) return;
  at.keys[at.depth++] = hidden;
  refuse(
    at,
    isList
      ? "a list has items, and nothing beside them"
      : "it is not enumerable, or named by a symbol; give it as a plain member",
  );
}

function isOfList(key: PropertyKey): boolean {
  return key === "length" || String(Number(String(key)) >>> 0) === key;
}

function isShown(value: object, key: PropertyKey): boolean {
  return typeof key === "string" && Object.prototype.propertyIsEnumerable.call(value, key);
}

/** The same few keys come again and again; the limits keep a hostile object from filling the memory. */
const knownNames = new Map<string, string>();

function nameOf(key: string, at: Position): string {
  const known = knownNames.get(key);
  if (known !== undefined) return known;
  const name = `${quote(key, at)}:`;
  if (knownNames.size >= 4096) knownNames.clear();
  if (key.length <= 64) knownNames.set(key, name);
  return name;
}

function writeInstance(value: object, at: Position): string {
  if (Object.prototype.toString.call(value) !== "[object Date]") {
    return refuse(at, `${nameOfClass(value)} is not a JSON value; pass plain data`);
  }
  const time = Date.prototype.getTime.call(value);
  return Number.isNaN(time) ? refuse(at, "an invalid Date") : `"${new Date(time).toISOString()}"`;
}

/** By UTF-16 code units, as RFC 8785 says. Insertion: objects are small and their keys mostly come sorted. */
function sorted(keys: string[]): string[] {
  // oxlint-disable-next-line unicorn/no-array-sort -- the array is our own
  if (keys.length > 32) return keys.sort();
  for (let index = 1; index < keys.length; index++) {
    const key = keys[index] as string;
    let place = index;
    for (; place > 0 && (keys[place - 1] as string) > key; place--) keys[place] = keys[place - 1] as string;
    keys[place] = key;
  }
  return keys;
}

/** A plain object of another realm (a vm context, a frame). */
function isForeignPlain(prototype: unknown): boolean {
  return (
    typeof prototype === "object" &&
    prototype !== null &&
    Object.getPrototypeOf(prototype) === null &&
    Object.hasOwn(prototype, "hasOwnProperty")
  );
}

/** The name that the class gives, not the value: a member called `constructor` is input. */
function nameOfClass(value: object): string {
  const tag = Object.prototype.toString.call(value).slice(8, -1);
  const name: unknown = tag === "Object" ? Object.getPrototypeOf(value)?.constructor?.name : tag;
  if (typeof name !== "string" || name === "") return "a class instance";
  // U mostly sounds like you: a Uint8Array, a URL.
  return `${/^[aeio]/i.test(name) ? "an" : "a"} ${name}`;
}

/** A cycle shows as depth without end; its path is where an object first stands inside itself. */
function refuseDepth(value: object, at: Position): never {
  const chain = [...at.objects.slice(0, at.depth), value];
  const closes = chain.findIndex((object, index) => chain.indexOf(object) < index);
  if (closes === -1) return refuse(at, `nested deeper than ${maxJsonDepth}`);
  at.depth = closes;
  return refuse(at, "a cycle");
}

function refuse(at: Position, what: string, cause?: unknown): never {
  const path = pathForMessage(at.keys.slice(0, at.depth));
  at.refusal = new InvalidInputError(`not JSON at ${path === "" ? "the root" : path}: ${what}`, {
    details: { path, reason: "not_json" },
    cause,
  });
  throw at.refusal;
}
