// One recorded form: the executor and the gates that look at values read the live one; everything else reads this.
import {
  canonicalJson,
  type Digest,
  hashText,
  InvalidInputError,
  isSimpleFunctionsError,
  type JsonValue,
  type KeyedHash,
  readCanonicalJson,
  redact,
  SecretRegistry,
  toJsonPointer,
} from "@spfunctions/contracts";
import { maxPayloadChars } from "../journal/read-payload.ts";
import type { IsDeclared } from "../tool/declared-places.ts";
import type { SchemaProblem } from "../tool/schema-check.ts";
import type { Marks } from "../tool/tool-checks.ts";
import { type HiddenParts, hiddenPartsOf, nothingHidden } from "./hidden-parts.ts";

/** A value that was read once and is text from then on; whoever needs it parses it afresh. */
export type Payload = { readonly type: "payload"; readonly text: string; readonly value: JsonValue };
export type Unreadable = { readonly type: "unreadable"; readonly problem: SchemaProblem };

export function freeze(value: unknown): Payload | Unreadable {
  try {
    const text = canonicalJson(value);
    if (text.length > maxPayloadChars)
      return unreadable("", "too_large", `is larger than ${maxPayloadChars} characters`);
    return { type: "payload", text, value: readCanonicalJson(text) };
  } catch (error) {
    if (!isSimpleFunctionsError(error)) throw error;
    const path = typeof error.details?.path === "string" ? error.details.path : "";
    return unreadable(path, "not_json", `is not JSON: ${error.message.replace(/^not JSON at [^:]*: /, "")}`);
  }
}

/** The same of what a host gives: where it cannot be kept, it is told so. `path`: where it was given. */
export function readable(value: unknown, what: string, path: string): Payload {
  const read = freeze(value);
  if (read.type === "payload") return read;
  const { message, reason, path: inside } = read.problem;
  const where = inside === "" ? what : `${what}, at ${inside},`;
  throw new InvalidInputError(`${where} ${message}`, { details: { path: `${path}${inside}`, reason } });
}

function unreadable(path: string, reason: string, message: string): Unreadable {
  return { type: "unreadable", problem: { path, reason, message } };
}

/** What is kept of a payload. */
export type Recorded = {
  readonly text: string;
  readonly hash: Digest;
  /** Where it differs from the live one, as JSON pointers. */
  readonly redacted: readonly string[];
  /** What was hidden, to be hidden wherever it turns up again. */
  readonly hidden?: SecretRegistry;
  /** Which parts were hidden; left out where only this form is left. */
  readonly hiddenParts?: HiddenParts;
};

/** `also`: what was hidden in the payload before. */
export function recordedForm(
  { text, value }: Payload,
  { isDeclared, ...marks }: Marks & { readonly isDeclared?: IsDeclared },
  keyedHash: KeyedHash,
  also?: SecretRegistry,
): Recorded & { readonly value: JsonValue } {
  const once = hashOnce(keyedHash);
  const hidden = new SecretRegistry();
  const safe = redact(value, { keyedHash: once, alsoSecrets: also, found: hidden, ...marks, mayShare: true });
  if (safe === value) return { text, value, hash: hashText(text), redacted: [], hiddenParts: nothingHidden };
  const safeText = canonicalJson(safe);
  const redacted = differences(value, safe);
  const hiddenParts = hiddenPartsOf({ live: value, safe, redacted }, once, isDeclared);
  return {
    text: safeText,
    value: safe,
    hash: hashText(safeText),
    redacted,
    ...(hidden.size > 0 && { hidden }),
    hiddenParts,
  };
}

/** Each secret is hashed once. Very many are hashed under a key that is made of the first, by a hash that costs a fifth. */
function hashOnce(keyedHash: KeyedHash): KeyedHash {
  const hashes = new Map<string, string>();
  let key: string | undefined;
  return (secret) => {
    const known = hashes.get(secret);
    if (known !== undefined) return known;
    if (hashes.size >= mostKeyed) key ??= keyedHash("the key of very many secrets");
    const hash = key === undefined ? keyedHash(secret) : hashText(`${key}${secret}`).slice("sha256:".length);
    hashes.set(secret, hash);
    return hash;
  };
}

const mostKeyed = 4096;
/** Characters of all places where two values differ: deep below long names they would be without end. */
const mostPlaceChars = 256 * 1024;

/** Where two values differ, as JSON pointers; where there is more to say than anybody would read, the whole. */
export function differences(live: JsonValue, safe: JsonValue): readonly string[] {
  const places: string[] = [];
  let left = mostPlaceChars;
  const compare = (one: JsonValue, other: JsonValue, path: PropertyKey[], length: number): void => {
    if (one === other) return;
    const bothObjects =
      typeof one === "object" && typeof other === "object" && one !== null && other !== null;
    // A key can be hidden too: then the object itself is where they differ.
    if (!bothObjects || Object.keys(one).some((key) => !Object.hasOwn(other, key))) {
      left -= length;
      if (left >= 0) places.push(toJsonPointer(path));
      return;
    }
    for (const [key, member] of Object.entries(one)) {
      if (left < 0) return;
      path.push(key);
      compare(member, (other as Record<string, JsonValue>)[key] as JsonValue, path, length + key.length + 1);
      path.pop();
    }
  };
  compare(live, safe, [], 0);
  return left < 0 ? [""] : places;
}
