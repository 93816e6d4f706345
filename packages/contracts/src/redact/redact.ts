import { splitJsonPointer } from "../json/json-pointer.ts";
import { type JsonValue, maxJsonDepth, maxJsonValues } from "../json/json-value.ts";
import { setMember } from "../json/set-member.ts";
import { FoundSecrets } from "./found-secrets.ts";
import { freeName } from "./free-name.ts";
import { beginsWithToken } from "./find-heads.ts";
import { SecretRegistry } from "./held-secrets.ts";
import { hideFound, hideHeld, isHeldNumber } from "./hide-held.ts";
import { isAboutPassword } from "./is-about-password.ts";
import { isEntryName, isPublicId, isMasked, isVariableAlone } from "./is-reference.ts";
import { looksRandom } from "./looks-random.ts";
import { isPublicKey } from "./public-keys.ts";
import { isPlaceholder, placeholderFor, placeholderForNumber } from "./placeholder.ts";
import {
  hasSecretShape,
  redactHeld,
  redactOnce,
  type RedactOptions,
  redactPublicText,
} from "./redact-text.ts";
import { coin } from "./secret-value.ts";
import {
  isBareSignature,
  isDescribing,
  isProviderState,
  type NameStrength,
  secretNameStrength,
} from "./secret-names.ts";

export type RedactValueOptions = RedactOptions & {
  /**
   * JSON pointers to opaque handles that are not secrets (`x-sf-public` in a tool's schema); `*` stands for any one
   * segment, `**` for any number of them. There a name or a random look proves nothing; known formats and held secrets still do.
   */
  readonly publicPaths?: readonly string[];
  /** JSON pointers, in the same form, to what is always hidden: `x-sf-secret` in a tool's schema. Secret wins over public. */
  readonly secretPaths?: readonly string[];
  /** Longer texts are left out, unread. */
  readonly maxTextChars?: number | undefined;
  /** For plain data that was redacted before: only held secrets, and those in `alsoSecrets`, are looked for. */
  readonly onlyHeld?: boolean;
  /** For plain data alone: where it holds no secret it comes back as it is, instead of as a copy; so do parts of it. */
  readonly mayShare?: boolean;
};

/**
 * A copy without secrets: found by the names they stand under, by their shape, and exactly where this process holds
 * them. What is found in one place is hidden in every other place, too. Objects, arrays, Maps, Sets, Dates, built-in
 * Errors, URLs and Headers keep their kind, an instance of any other class becomes plain data; ordinary text is not
 * touched. It never throws: what cannot be read is marked.
 */
export function redact(value: JsonValue, options?: RedactValueOptions): JsonValue;
export function redact(value: unknown, options?: RedactValueOptions): unknown;
export function redact(value: unknown, options: RedactValueOptions = {}): unknown {
  if (options.onlyHeld === true) return hideHeld(value as JsonValue, options);
  const found = new FoundSecrets(options.found);
  const copy = new Redactor(options, found).copy(value, 0, null);
  return found.isEmpty ? copy : hideFound(copy, found.registry, options.keyedHash);
}

/** What the names say that a value stands under. `secrets`: as `secret`, and so is whatever is in it. */
type Announced = NameStrength | "secrets" | null;

/** What a name says about the value under it. */
type Named = Announced | "proof";

const none: readonly never[] = [];
const kindOf = (strength: Named) => (strength === "password" ? "password" : "secret");

/** A signature, or what a provider encrypted for itself: 64 bytes or more in base64. */
const proof = /^[A-Za-z0-9_+/-]{86,}={0,2}$/;

class Redactor {
  readonly #options: RedactOptions;
  readonly #publicPaths: readonly (readonly string[])[];
  readonly #secretPaths: readonly (readonly string[])[];
  readonly #mayShare: boolean;
  readonly #maxText: number;
  readonly #found: FoundSecrets;
  readonly #path: string[] = [];
  readonly #open = new Set<object>();
  /** How many more values are copied: one that holds another many times over grows without end. */
  #left = maxJsonValues;

  constructor(options: RedactValueOptions, found: FoundSecrets) {
    this.#options = options;
    this.#found = found;
    this.#mayShare = options.mayShare === true;
    this.#maxText = options.maxTextChars ?? Number.POSITIVE_INFINITY;
    this.#publicPaths = options.publicPaths?.map(splitJsonPointer) ?? none;
    this.#secretPaths = options.secretPaths?.map(splitJsonPointer) ?? none;
  }

  /** `named`: what the name it stands under says about the value. */
  copy(value: unknown, depth: number, named: Named): unknown {
    this.#left--;
    const strength = this.#isSecret() ? "password" : named;
    switch (typeof value) {
      case "string":
        return this.#text(value, strength);
      case "number":
      case "bigint":
        if (strength !== "password" && !isHeldNumber(value, this.#options)) return value;
        this.#keep(String(value));
        return placeholderForNumber(kindOf(strength), value, this.#options.keyedHash);
      case "function":
      case "symbol":
        return `[${typeof value}]`;
      case "object":
        return value === null ? null : this.#guarded(value, depth, strength === "proof" ? null : strength);
      default:
        return value;
    }
  }

  #text(text: string, strength: Named): string {
    if (text.length > this.#maxText) return `[${text.length} characters]`;
    // In one of a hundred signatures there is something that looks like the beginning of a key.
    if (strength === "proof" && proof.test(text) && !beginsWithToken(text))
      return redactHeld(text, this.#options);
    if (strength === "proof") return redactPublicText(text, this.#options, this.#found);
    if (this.#isPublic() && !this.#isSecret()) {
      this.#found.exclude(text);
      return redactPublicText(text, this.#options, this.#found);
    }
    const isHidden =
      isSecretUnder(strength, text) &&
      !(this.#isNone(text) && !this.#isSecret()) &&
      !(this.#isOfCheck() && isAboutPassword(text)) &&
      !this.#isLabel(text);
    return isHidden ? this.#hide(text, strength) : this.#redactOnce(text);
  }

  /** `{ errors: { password: ["is too short"] } }`: there a name may stand before what a check has to say. */
  #isOfCheck(): boolean {
    return this.#path.some((key) => /^(?:\w+[_-]?)?errors$/i.test(key));
  }

  /** A variable, stars, the name of a secret in a list of them, or cookies of which none opens anything. */
  #isNone(text: string): boolean {
    if (isVariableAlone(text) || isMasked(text)) return true;
    if (this.#path.at(-2) === "secrets" && /^\d{1,3}$/.test(this.#path.at(-1) ?? "") && ownersName.test(text))
      return true;
    return (
      cookieName.test(this.#path.at(-1) ?? "") && cookies.test(text) && !hasSecretShape(`cookie: ${text}`)
    );
  }

  /** `{ translations: { "login.password": "Passwort" } }`: there a name may stand before what a person reads. */
  #isLabel(text: string): boolean {
    return label.test(text) && this.#path.some((key) => labelled.test(key));
  }

  #redactOnce(text: string): string {
    return redactOnce(text, this.#options, this.#found);
  }

  #keep(secret: string): void {
    if (this.#options.found !== undefined && this.#isSecret()) this.#found.addDeclared(secret);
    else this.#found.add(secret);
  }

  #hide(secret: string, strength: Announced): string {
    this.#keep(secret);
    return placeholderFor(kindOf(strength), secret, this.#options.keyedHash);
  }

  #guarded(value: object, depth: number, strength: Announced): unknown {
    if (depth >= maxJsonDepth) return "[nested too deep]";
    if (this.#left <= 0) return "[left out]";
    if (this.#open.has(value)) return "[circular]";
    this.#open.add(value);
    try {
      return this.#object(value, depth + 1, strength);
    } catch {
      return "[unreadable]";
    } finally {
      this.#open.delete(value);
    }
  }

  #object(value: object, depth: number, strength: Announced): unknown {
    if (Object.getPrototypeOf(value) === Object.prototype) return this.#members(value, depth, strength);
    if (Array.isArray(value)) return this.#array(value, depth, strength);
    if (value instanceof Map)
      return new Map(this.#entries(Map.prototype.entries.call(value), depth, strength, new Set()));
    if (value instanceof Set) return new Set(this.#items(Set.prototype.values.call(value), depth, strength));
    if (value instanceof Date) return new Date(value.getTime());
    if (value instanceof Error) return this.#error(value, depth);
    if (value instanceof URL) return new URL(this.#redactOnce(value.href));
    if (value instanceof URLSearchParams) return new URLSearchParams(this.#pairs(value, depth, strength));
    if (value instanceof Headers) return new Headers(this.#pairs(value, depth, strength));
    if (value instanceof String || value instanceof Number || value instanceof Boolean)
      return this.copy(value.valueOf(), depth, strength);
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
    return this.#members(value, depth, strength);
  }

  *#items(items: Iterable<unknown>, depth: number, strength: Announced): Generator {
    for (const item of items) {
      if (this.#left <= 0) return;
      yield this.copy(item, depth, strength);
    }
  }

  /** `taken`: the keys so far, where each may occur once. */
  *#entries(
    entries: Iterable<[unknown, unknown]>,
    depth: number,
    strength: Announced,
    taken?: Set<string>,
  ): Generator<[unknown, unknown]> {
    const counts = new Map<string, number>();
    const isTaken = (name: string) => taken?.has(name) === true;
    for (const [key, member] of entries) {
      if (this.#left <= 0) return;
      if (typeof key === "string") {
        const name = this.#redactOnce(key);
        const free = isTaken(name) ? freeName(name, isTaken, counts) : name;
        taken?.add(free);
        const facts = keyFacts(key);
        yield [free, this.#member(key, member, depth, facts.strength ?? inherited(facts, strength, false))];
      } else yield [this.copy(key, depth, null), this.copy(member, depth, strength)];
    }
  }

  #pairs(entries: Iterable<[string, string]>, depth: number, strength: Announced): [string, string][] {
    return [...this.#entries(entries, depth, strength)] as [string, string][];
  }

  #array(items: readonly unknown[], depth: number, strength: Announced): readonly unknown[] {
    const copies: unknown[] = [];
    const { length } = items;
    const arePairs = strength === null && length > 0 && length < maxPairs && items.every(isPair);
    let before: unknown;
    for (let index = 0; index < length && this.#left > 0; index++) {
      const item = read(items, index);
      const named = strength ?? (index % 2 === 1 ? strengthBefore(before, item) : null);
      copies.push(
        arePairs ? this.#pair(item, index, depth) : this.#member(String(index), item, depth, named),
      );
      before = item;
    }
    if (strength === null && length > 1 && length < maxArguments && isCommandLine(items))
      this.#hideArguments(items, copies);
    if (copies.length < length) copies.push(`[${length - copies.length} left out]`);
    else if (this.#mayShare && copies.every((copy, index) => copy === items[index])) return items;
    return copies;
  }

  /** `["docker", "login", "-p", "…"]`: what a shell would read as one line. */
  #hideArguments(items: readonly unknown[], copies: unknown[]): void {
    for (let index = 1; index < items.length; index++) {
      const item = items[index] as string;
      if (copies[index] !== item || item === "" || item.startsWith("-")) continue;
      const line = ` ${items.slice(Math.max(0, index - argumentsBefore), index + 1).join(" ")}`;
      const safe = redactOnce(line, { secrets: noSecrets }, new FoundSecrets());
      if (!safe.endsWith(item)) copies[index] = this.#hide(item, "password");
    }
  }

  /** `["password", "…"]` among others of its kind: a member, as `Object.entries` writes it. */
  #pair(pair: unknown, index: number, depth: number): unknown {
    const [key, member] = pair as [string, unknown];
    this.#path.push(String(index));
    const safe = this.#member("1", member, depth + 1, secretNameStrength(key));
    this.#path.pop();
    return [this.#redactOnce(key), safe];
  }

  #members(value: object, depth: number, strength: Announced): object {
    const beside = strength === null ? nameBeside(value) : null;
    const isDescription = strength !== null && descriptive.some((key) => Object.hasOwn(value, key));
    const isEntry = besideKey.some((key) => Object.hasOwn(value, key));
    const keys = Object.keys(value);
    /** Made where it is wanted, or with the first member that differs. */
    let copy = this.#mayShare ? undefined : emptyLike(value);
    let counts: Map<string, number> | undefined;
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as string;
      if (this.#left <= 0) return copy ?? membersOf(value, keys.slice(0, index));
      const member = read(value, key);
      const facts = keyFacts(key);
      const isOfKey = (facts.isKeyPart || facts.isPublicPart) && Object.hasOwn(value, "kty");
      const isPart = isOfKey && facts.isKeyPart;
      const isId = facts.isCredentialId && read(value, "type") === "public-key";
      const isPublic =
        (isOfKey || isId) &&
        (facts.isPublicPart || isId) &&
        strength !== "password" &&
        strength !== "secrets";
      const named = isPart ? "secret" : namesEntry(facts, member, isEntry) ? null : facts.strength;
      const above = isPublic ? null : inherited(facts, strength, isDescription);
      const isState = facts.isState && typeof member === "string" && proof.test(member);
      const isProof = (facts.isProof || isState) && above === null;
      const said = isProof ? "proof" : (named ?? above ?? (facts.isValue ? beside : null));
      const safe = this.#member(key, member, depth, said);
      let name = facts.isPlain ? redactHeld(key, this.#options) : this.#redactOnce(key);
      if (copy === undefined) {
        if (safe === member && name === key) continue;
        copy = membersOf(value, keys.slice(0, index));
      }
      if (Object.hasOwn(copy, name)) {
        const taken = copy;
        counts ??= new Map();
        name = freeName(name, (free) => Object.hasOwn(taken, free), counts);
      }
      setMember(copy, name, safe);
    }
    return copy ?? value;
  }

  #member(key: string, member: unknown, depth: number, strength: Named): unknown {
    this.#path.push(key);
    const safe = this.copy(member, depth, strength);
    this.#path.pop();
    return safe;
  }

  #error(error: Error, depth: number): Error {
    const copy = errorLike(error, this.#text(textOf(error, "message"), null));
    define(copy, "name", this.#text(textOf(error, "name"), null), false);
    define(copy, "stack", this.#text(textOf(error, "stack"), null), false);
    for (const key of new Set(["cause", "errors", ...Object.keys(error)])) {
      if (!Object.hasOwn(error, key) || ["name", "message", "stack"].includes(key)) continue;
      const safe = this.#member(key, read(error, key), depth, secretNameStrength(key));
      define(copy, this.#redactOnce(key), safe, Object.prototype.propertyIsEnumerable.call(error, key));
    }
    return copy;
  }

  #isPublic(): boolean {
    if (this.#publicPaths.length === 0) return false;
    return this.#publicPaths.some((pattern) => this.#matches(pattern, 0, 0, true));
  }

  /** What is declared secret is so with everything in it. */
  #isSecret(): boolean {
    if (this.#secretPaths.length === 0) return false;
    return this.#secretPaths.some((pattern) => this.#matches(pattern, 0, 0, false));
  }

  /** Whether the path here is one of the pattern's, or, unless it is to be `whole`, lies under one. */
  #matches(pattern: readonly string[], at: number, depth: number, whole: boolean): boolean {
    const segment = pattern[at];
    if (segment === undefined) return !whole || depth === this.#path.length;
    if (segment === "**" && this.#matches(pattern, at + 1, depth, whole)) return true;
    if (depth >= this.#path.length) return false;
    if (segment === "**") return this.#matches(pattern, at, depth + 1, whole);
    return (
      (segment === "*" || segment === this.#path[depth]) && this.#matches(pattern, at + 1, depth + 1, whole)
    );
  }
}

/** What a key alone says. The same few keys come again and again, so that it is found out once. */
type KeyFacts = {
  readonly strength: Announced;
  readonly holdsValue: boolean;
  /** Only describes what it stands in. */
  readonly describes: boolean;
  readonly isValue: boolean;
  /** What stands there proves something and opens nothing, however random it looks. */
  readonly isProof: boolean;
  /** What stands there in base64 is a provider's own. */
  readonly isState: boolean;
  /** Has no shape of a secret itself. */
  readonly isPlain: boolean;
  /** Named like a private member of a JSON Web Key. */
  readonly isKeyPart: boolean;
  /** Named like one of its public members. */
  readonly isPublicPart: boolean;
  /** The id of a passkey. */
  readonly isCredentialId: boolean;
  /** AWS calls the name of a secret so; Vault, half of one. */
  readonly isSecretId: boolean;
  /** `projectKey`, `userKey`: a secret, or a word that names a project or a user. */
  readonly namesOwner: boolean;
  /** `ClientToken`: a secret, or what makes a request idempotent. */
  readonly isClientToken: boolean;
  /** Just `key`: a secret, or where an entry is found in a store. */
  readonly isBareKey: boolean;
  readonly isKey: boolean;
  readonly isToken: boolean;
};

const knownKeys = new Map<string, KeyFacts>();
const maxKnownKeys = 4096;

function keyFacts(key: string): KeyFacts {
  const known = knownKeys.get(key);
  if (known !== undefined) return known;
  const strength = secretNameStrength(key);
  const facts: KeyFacts = {
    strength: strength === "secret" && /secrets?$/i.test(key) ? "secrets" : strength,
    describes: isDescribing(key),
    isProof: isBareSignature(key),
    isState: isProviderState(key),
    holdsValue: valueNames.test(key),
    isValue: /^(?:parameter)?values?$/i.test(key),
    isPlain: !hasSecretShape(key),
    isKeyPart: /^(?:d|p|q|dp|dq|qi|k|oth)$/.test(key),
    isPublicPart: /^(?:kty|use|key_ops|alg|kid|crv|n|e|x|y|x5c|x5t|x5t#S256|x5u)$/.test(key),
    isCredentialId: /^(?:id|rawId)$/.test(key),
    isSecretId: /^secret_?id$/i.test(key),
    namesOwner: ownersKey.test(key),
    isClientToken: /client[_-]?token$/i.test(key),
    isBareKey: /^keys?$/i.test(key),
    isKey: /keys?$/i.test(key),
    isToken: /token(?:_?(?:in|out))?$/i.test(key),
  };
  if (knownKeys.size >= maxKnownKeys) knownKeys.clear();
  if (key.length <= 64) knownKeys.set(key, facts);
  return facts;
}

/** Members that hold the value of what they stand in: `secret: { value: … }`. */
const valueNames =
  /^(?:value|values|data|raw|text|plain|plaintext|current|previous|old|new|default|content|string)$/i;

/** Members of a JSON Schema, and of a form's field: what stands beside them describes a password and is none. */
const descriptive =
  "type $ref anyOf oneOf allOf properties additionalProperties items description title label".split(" ");

/** What stands beside a `key` that says where an entry is: in a map, a bucket, a table, a cache. */
const besideKey =
  "value val values Value Bucket bucket bucket_name bucketName TableName table namespace container collection op ttl doc_count docCount count items".split(
    " ",
  );

/** Members in which a store says what a key holds: `{ key: { value: … } }` holds one, `{ Key: { pk: … } }` is where to look. */
const ofKey = "value values data raw secret token current default".split(" ");
/** Keys of things that people give names to, and such names. */
const ownersKey =
  /(?:project|user|app|root|record|account|service|client|storage|write|read|server|rest|sdk|merchant|registration|subscription|integration|consumer|deploy|license)[_-]?keys?$/i;
const ownersName = /^(?:[a-z]{2,16}(?:[-_.:][a-z]{2,16}){0,3}[0-9]?|[A-Z]{2,10}[0-9]?)$/;
const secretsPath =
  /^(?:arn:aws:secretsmanager:[\w:/.+=@-]{8,512}|[A-Za-z][\w.-]{0,63}(?:\/[\w.-]{1,64}){0,6})$/;
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether what a name usually announces stands here for an entry of a store, or a token for a coin. */
function namesEntry(facts: KeyFacts, member: unknown, isEntry: boolean): boolean {
  if (facts.isToken)
    return typeof member === "string" && (coin.test(member) || (facts.isClientToken && uuid.test(member)));
  if (facts.isSecretId && typeof member === "string")
    return secretsPath.test(member) && !member.split("/").some((part) => looksRandom(part, 16));
  if (facts.namesOwner && typeof member === "string" && ownersName.test(member)) return true;
  if (!facts.isKey || facts.strength !== "hint") return false;
  if (typeof member === "string") return (isEntry && facts.isBareKey) || isEntryName(member);
  if (!facts.isBareKey) return false;
  return isPlainObject(member) && !ofKey.some((key) => Object.hasOwn(member, key));
}

function isPlainObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Where people read what stands under a name, and words that are there for them: a password is neither. */
const labelled = /^(?:messages|translations?|i18n|l10n|labels?|strings|locales?|placeholders?|texts)$/i;
const label = /^(?=.*(?:\s|^\p{Lu}|[^\x00-\x7f]))[\p{L}\p{M}\s'’,.:;!?()-]+$/u;

/** What a name says about a member of what stands under it. A token may be a coin, with members of all kinds. */
function inherited(facts: KeyFacts, strength: Announced, isDescription: boolean): Announced {
  if (strength === null || facts.holdsValue) return strength;
  const isSure = strength === "password" || strength === "secrets";
  return isSure && !isDescription && !facts.describes ? strength : "hint";
}

/** What stands where no secret is, and where one is only named. */
const nothing =
  /^(?:none|null|nil|undefined|n\/a|true|false|unset|password|token|secret|key|(?:api|access|secret|private|client|tls)[._-]?(?:key|token|secret)|required|optional|include|omit|same-origin|inherit|basic|bearer|digest|oauth2?|oidc|saml|ldap|jwt|anonymous|(?:proxy-)?authorization|cookie|x(?:-[a-z]{2,16}){1,3})$/i;
const cookieName = /^(?:set-)?cookies?$/i;
const cookies = /^[\w.-]{1,64}=[^;\s]{0,64}(?:; ?[\w.-]{1,64}(?:=[^;]{0,64})?){0,16};?$/;

function isSecretUnder(strength: Announced, text: string): boolean {
  if (strength === null || text === "" || isPlaceholder(text)) return false;
  if (strength === "password") return true;
  if (nothing.test(text) || isPublicKey(text)) return false;
  return !isPublicId(text) && (strength !== "hint" || looksRandom(text, 14));
}

/** Where a name stands beside its value: as archives, forms and templates of clouds write it. */
const besideValue = ["name", "key", "header", "field", "Name", "Key", "ParameterKey", "parameterKey"];

/** The name in `{ name: "Authorization", value: … }`. */
function nameBeside(value: object): NameStrength | null {
  for (const key of besideValue) {
    const name = Object.hasOwn(value, key) ? read(value, key) : undefined;
    const strength = typeof name === "string" ? secretNameStrength(name) : null;
    if (strength !== null) return strength;
  }
  return null;
}

/** Longer lists than this are data. */
const maxPairs = 1000;
const maxArguments = 64;
const maxArgument = 256;
const argumentsBefore = 8;
const noSecrets = new SecretRegistry();

/** Texts without lines, of which one is a flag. */
function isCommandLine(items: readonly unknown[]): boolean {
  return (
    items.every((item) => typeof item === "string" && item.length <= maxArgument && !item.includes("\n")) &&
    items.some((item) => /^--?[A-Za-z]/.test(item as string))
  );
}

function isPair(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && isHeaderName(value[0]);
}

/** Raw headers come flat: the name is the item before. A list of names is none, so a mere word is no value. */
function strengthBefore(name: unknown, value: unknown): NameStrength | null {
  if (!isHeaderName(name) || (typeof value === "string" && /^[A-Za-z_-]*$/.test(value))) return null;
  return secretNameStrength(name);
}

function isHeaderName(value: unknown): value is string {
  return typeof value === "string" && value.length < 64 && /^[A-Za-z][A-Za-z0-9_-]*$/.test(value);
}

const errorKinds = [TypeError, RangeError, SyntaxError, ReferenceError, URIError, EvalError];

function errorLike(error: Error, message: string): Error {
  if (error instanceof AggregateError) return new AggregateError([], message);
  const Kind = errorKinds.find((kind) => error instanceof kind) ?? Error;
  return new Kind(message);
}

function textOf(error: Error, key: string): string {
  const text = read(error, key);
  return typeof text === "string" ? text : "";
}

function read(value: object, key: string | number): unknown {
  try {
    return (value as Record<string | number, unknown>)[key];
  } catch {
    return "[unreadable]";
  }
}

function emptyLike(value: object): Record<string, unknown> {
  return (Object.getPrototypeOf(value) === null ? Object.create(null) : {}) as Record<string, unknown>;
}

/** A copy of some members that were found to need no hiding. */
function membersOf(value: object, keys: readonly string[]): Record<string, unknown> {
  const copy = emptyLike(value);
  for (const key of keys) setMember(copy, key, read(value, key));
  return copy;
}

function define(target: object, key: string, value: unknown, enumerable: boolean): void {
  Object.defineProperty(target, key, { value, enumerable, writable: true, configurable: true });
}
