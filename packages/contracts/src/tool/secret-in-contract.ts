// S1: a contract is shown to whoever may see the tool, put into prompts and kept with every run, as it is. One that redaction would
// change does not exist.
import { keyForMessage, pathForMessage } from "../json/path-for-message.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../json/json-value.ts";
import { heldSecrets } from "../redact/held-secrets.ts";
import { isReference } from "../redact/is-reference.ts";
import { looksRandom } from "../redact/looks-random.ts";
import { redact } from "../redact/redact.ts";
import { heldKindIn, secretKindIn } from "../redact/secret-kind.ts";
import { secretNameStrength } from "../redact/secret-names.ts";

/** Where a contract holds a secret, as a JSON pointer, and of which kind it is. */
export type SecretPlace = { readonly pointer: string; readonly kind: string };

/** The first place of plain data that is kept and shown as it is where redaction would hide something. */
export function secretPlaceIn(value: JsonValue): SecretPlace | undefined {
  return placeIn(value, [], { kindIn: secretKindIn, readsNames: true });
}

/** The same for the secrets alone that this process holds. */
export function heldPlaceIn(value: JsonValue): SecretPlace | undefined {
  return placeIn(value, [], { kindIn: heldKindIn, readsNames: false });
}

type Search = {
  readonly kindIn: (text: string) => string | undefined;
  /** Whether a name, like `password`, says what a value under it is. */
  readonly readsNames: boolean;
};

function placeIn(value: JsonValue, path: readonly string[], search: Search): SecretPlace | undefined {
  const kind = kindOf(value, search);
  if (kind !== undefined) return { pointer: pathForMessage(path), kind };
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, member] of Object.entries(value)) {
    const inside = [...path, key];
    const keyKind = Array.isArray(value) ? undefined : search.kindIn(key);
    if (keyKind !== undefined) return { pointer: pathForMessage(inside), kind: keyKind };
    const place =
      placeIn(member, inside, search) ?? (search.readsNames ? namedPlace(member, inside) : undefined);
    if (place) return place;
  }
  return undefined;
}

/** Numbers of fewer digits are limits and counts. */
const leastHeldNumber = 100_000;

function kindOf(value: JsonValue, { kindIn }: Search): string | undefined {
  if (typeof value === "string") return kindIn(value);
  if (typeof value !== "number" || Math.abs(value) < leastHeldNumber) return undefined;
  return heldSecrets.hasNumber(value) ? "held" : undefined;
}

/** A value that a schema gives to a member whose name announces a secret: `password: { default: "…" }`. */
function namedPlace(schema: JsonValue, path: readonly string[]): SecretPlace | undefined {
  if (path.at(-2) !== "properties" || !isJsonObject(schema)) return undefined;
  const name = path.at(-1) ?? "";
  const strength = secretNameStrength(name);
  // A `code` or a `session` may be anything.
  if (strength === null || strength === "hint") return undefined;
  for (const keyword of ["default", "const", "examples", "enum"]) {
    const given = schema[keyword];
    const isList = Array.isArray(given) && keyword !== "default" && keyword !== "const";
    for (const [index, value] of (isList ? given : [given]).entries()) {
      if (typeof value !== "string" || !isGivenSecret(name, value, isList)) continue;
      const pointer = pathForMessage([...path, keyword, ...(isList ? [String(index)] : [])]);
      return { pointer, kind: strength };
    }
  }
  return undefined;
}

/** Ordinary words under such a name are what a member may be, and examples are made up, unless they look machine-made. */
function isGivenSecret(name: string, value: string, isOneOfMany: boolean): boolean {
  if ((redact({ [name]: value }) as JsonObject)[name] === value || isReference(value)) return false;
  return looksRandom(value, 14) || (!isOneOfMany && secretNameStrength(name) === "password");
}

export function secretPlaceText({ pointer, kind }: SecretPlace): string {
  const where = pointer === "" ? "it" : pointer;
  return `${where} holds what looks like a secret (${keyForMessage(kind)}); take it out: whoever may see the tool is shown its contract, and a value that nobody is to see belongs into the function, or into what it is given to run with`;
}
