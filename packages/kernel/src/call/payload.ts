// One recorded form: the executor and the gates that look at values read the live one; everything else reads this.
import {
  canonicalJson,
  type Digest,
  hashText,
  isSimpleFunctionsError,
  type JsonValue,
  type KeyedHash,
  readCanonicalJson,
  redact,
  SecretRegistry,
  toJsonPointer,
} from "@spfunctions/contracts";
import { maxPayloadChars } from "../journal/read-payload.ts";
import type { SchemaProblem } from "../tool/schema-check.ts";
import type { Marks } from "../tool/tool-checks.ts";

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
};

/** `also`: what was hidden in the payload before. */
export function recordedForm(
  { text, value }: Payload,
  marks: Marks,
  keyedHash: KeyedHash,
  also?: SecretRegistry,
): Recorded {
  let hidden: SecretRegistry | undefined;
  const keep: KeyedHash = (secret) => {
    hidden ??= new SecretRegistry();
    if (secret.length >= shortestKept && hidden.size < mostForms) hidden.add(secret, "secret");
    return keyedHash(secret);
  };
  const first = redact(value, { keyedHash: keep, alsoSecrets: also, ...marks, mayShare: true });
  if (first === value) return { text, hash: hashText(text), redacted: [] };
  // What was hidden in one place is hidden in the others, too.
  const safe =
    hidden === undefined ? first : redact(first, { keyedHash, alsoSecrets: hidden, mayShare: true });
  const safeText = canonicalJson(safe);
  const redacted = differences(value, safe, []);
  return { text: safeText, hash: hashText(safeText), redacted, ...(hidden && { hidden }) };
}

/** A shorter secret would be found in any text. */
const shortestKept = 4;
/** Looking for more would cost more than a call may. */
const mostForms = 4096;

function differences(live: JsonValue, safe: JsonValue, path: readonly PropertyKey[]): string[] {
  if (live === safe) return [];
  const bothObjects = typeof live === "object" && typeof safe === "object" && live !== null && safe !== null;
  // A key can be hidden too: then the object itself is where they differ.
  if (!bothObjects || Object.keys(live).some((key) => !Object.hasOwn(safe, key)))
    return [toJsonPointer(path)];
  return Object.entries(live).flatMap(([key, member]: [string, JsonValue]) =>
    differences(member, (safe as Record<string, JsonValue>)[key] as JsonValue, [...path, key]),
  );
}
