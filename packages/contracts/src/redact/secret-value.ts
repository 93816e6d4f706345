// What stands under a secret's name: is it the secret, or a word, a variable, a type, an id?
import { skip } from "./finder.ts";
import { isAboutPassword } from "./is-about-password.ts";
import { beginsPublicKey } from "./public-keys.ts";
import {
  isDottedPassword,
  isEntryName,
  isPublicId,
  isReference,
  isSecretsName,
  isWholeReference,
} from "./is-reference.ts";
import { looksRandom } from "./looks-random.ts";
import type { NameStrength } from "./secret-names.ts";
import type { Span } from "./span.ts";

/** How much of a value is judged. */
export const judged = 80;

const scheme = /[A-Za-z][A-Za-z0-9-]{1,24} +/y;
const knownScheme =
  /(?:bearer|basic|token|digest|apikey|api-key|negotiate|oauth|sharedkey|hawk|aws4?-?[a-z0-9-]{0,24}) +/iy;
const parameters = /[a-z_]{1,32}=[^\n]{0,1024}/iy;
const credential = /[^\s,;"'`]{8,4096}/y;

/** `Bearer abc`, `Basic dXNlcjpwYXNz`, `Digest username=…`: the scheme stays readable. */
export function secretAfterScheme(
  text: string,
  value: { start: number; end: number; quoted: boolean },
  name: string,
): Span | null {
  const known = skip(knownScheme, text, value.start);
  const isKnown = known > value.start;
  const start = isKnown || !/auth/i.test(name) ? known : skip(scheme, text, value.start);
  if (start === value.start || (value.quoted && start >= value.end)) return null;
  if (!isKnown && looksRandom(text.slice(value.start, start).trimEnd(), 8)) return null;
  const kind = "authorization";
  if (isKnown && skip(parameters, text, start) > start) {
    return { start, end: value.quoted ? value.end : skip(parameters, text, start), kind };
  }
  const end = skip(credential, text, start);
  const token = text.slice(start, Math.min(end, start + judged));
  if (token === "" || isReference(token)) return null;
  const isLikely = looksRandom(token, isKnown ? 8 : 16) || (isKnown && /[0-9=]/.test(token));
  return isLikely ? { start, end, kind } : null;
}

export type Setting = {
  readonly name: string;
  readonly strength: NameStrength;
  /** What assigns the value, if anything does. */
  readonly operator: string | undefined;
  readonly quoted: boolean;
  /** It is a JSON member, name and value in quotes. */
  readonly isMember: boolean;
};

const phrase = /^(?:[A-Za-z0-9]{4} ){3,5}[A-Za-z0-9]{4}$|^(?:[a-z]{3,9} ){11,23}[a-z]{3,9}$/;
const bytes = /^[0-9]{1,3}\s*,/;

export function isSecretValue(
  value: string,
  { name, strength, operator, quoted, isMember }: Setting,
): boolean {
  if (bytes.test(value)) return true;
  if (strength === "password" && noPassword.test(value)) return false;
  if (isPublicId(value) || (strength !== "password" && beginsPublicKey(withoutPercentSigns(value))))
    return false;
  if (strength === "secret" && /^[0-9]{17,}$/.test(value) && /discord/i.test(name)) return true;
  if (strength === "hint")
    return (
      isRandomEnough(value, name, operator) &&
      !isReference(value) &&
      !(/keys?$/i.test(name) && isEntryName(withoutPercentSigns(value)))
    );
  if (strength === "password" && isMember)
    return !isWholeReference(value) && !isSecretsName(value) && !isAboutPassword(value);
  // In quotes it is no variable, however much it sounds like one.
  if (strength === "password" && quoted && operator !== undefined && /^[a-z]{10,}$/.test(value)) return true;
  if (isReference(value) && !(strength === "password" && isDottedPassword(value))) return false;
  if (value.includes(" ")) {
    if (!quoted) return false;
    if (phrase.test(value) || /phrase|mnemonic|seed/i.test(name)) return true;
    if (strength !== "password" || operator === undefined || isAboutPassword(value)) return false;
    return isVariable(name, operator) ? /[0-9]/.test(value) : /[a-z][0-9][a-z]/i.test(value);
  }
  if (operator === undefined) {
    if (isDigest(value)) return isIdentifier(name) || /(?:secret|token|key|password|bearer)$/i.test(name);
    if (looksRandom(value, 10)) return true;
    if (isFlag(name) && strength === "secret") return isLikelyPassword(value);
    if (strength === "secret") return quoted && hasSign(value) && isLikelyPassword(value);
    return strength === "password" && hasDigitsAndLetters(value) && (quoted || isMadeUp(value, name));
  }
  if (looksRandom(value, 8) || uuid.test(value)) return true;
  if (isMember && /tokens?$/i.test(name) && coin.test(value)) return false;
  if (isMember) return value.length > 2 && !name.toLowerCase().endsWith(value.toLowerCase());
  // Arguments, columns and prose: less sure than an assignment.
  if (/^[|,(–—-]|\($|\p{L}[:–—-]?$/u.test(operator) && operator !== "->") {
    if (strength !== "password") return hasSign(value) && isLikelyPassword(value);
    return (quoted && value.length >= 8 && hasDigitsAndLetters(value)) || isLikelyPassword(value);
  }
  if (strength === "password") return isPassword(value, quoted || operator.includes("="));
  if (quoted && value.length >= 8 && /[A-Za-z].*[#!@$%^*].*[A-Za-z]/.test(value)) return true;
  return (
    /^[0-9]{16,}$/.test(value) ||
    isOpaque(value) ||
    isUnspeakable(value) ||
    (operator.includes("=") && isScrambled(value)) ||
    (isVariable(name, operator) && isNoWord(value))
  );
}

/** What a test signs in with that is to fail, and what stands in a sample of settings. */
const noPassword = /^(?:wrong|incorrect|invalid|bad|(?:change|replace)[_-]?(?:me|it))$/i;

/** Under the name of a token it is a coin. */
export const coin = /^[A-Z]{2,6}$/;

/** An entry's name, or a public key, as an address has it. */
function withoutPercentSigns(value: string): string {
  return value
    .replaceAll(/%2f/gi, "/")
    .replaceAll(/%3a/gi, ":")
    .replaceAll("%23", "#")
    .replaceAll(/%2b/gi, "+")
    .replaceAll(/%20|\+(?=AAAA)/g, " ");
}

/** A dozen letters or more that nobody could say, perhaps with a number behind. */
function isUnspeakable(value: string): boolean {
  const [letters = ""] = /^[a-z]{12,}(?=[0-9]{0,4}$)|^[A-Z]{12,}(?=[0-9]{0,4}$)/.exec(value) ?? [];
  return letters !== "" && (letters.match(/[aeiouy]/gi)?.length ?? 0) < letters.length * 0.25;
}

/** `API_SECRET=…`, as the environment is written: sure enough to take words with a number or odd capitals too. */
function isVariable(name: string, operator: string): boolean {
  return operator.includes("=") && /(?:^|\s)[A-Z][A-Z0-9_]*$/.test(name);
}

function isNoWord(value: string): boolean {
  return (
    value.length >= 12 && /[a-z]/.test(value) && /[A-Z0-9]/.test(value) && !/^(?:[A-Z]?[a-z]+)+$/.test(value)
  );
}

/** "password Tr0ub4dor&3", as in `.netrc`: a capital or a sign that no word, path, version or date has. */
function isMadeUp(value: string, name: string): boolean {
  if (isFlag(name) && isDottedPassword(value)) return true;
  return (
    value.length >= (isFlag(name) ? 6 : 8) &&
    (isFlag(name)
      ? /^[^/:.<>{}=]+$/
      : /^[^/:<>{}=]*[!@#$%^&*+~?][^/:<>{}=]*$|[a-z][0-9]+[a-z]+[0-9A-Z]/
    ).test(value)
  );
}

/** Words and numbers that belong together: `Base64-encoded`, `staging-2`, `10.0.0.1`. */
const wordsAndNumbers =
  /^(?:[A-Za-z]+[0-9]{0,4}|[0-9]{1,4})(?:[-_./:,][A-Za-z]+[0-9]{0,4}|[-_./:,][0-9]{1,4})+$/;
/** `OAuth2Client`, `Base64Url`: the same without a sign between them. */
const joinedWords = /^(?=.*[0-9])(?:[A-Z]?[a-z]+|[A-Z]+|(?<![0-9])(?:2|3|64|128|256|512)(?![0-9]))+$/;

function isOfWords(value: string): boolean {
  if (wordsAndNumbers.test(value)) return true;
  return (
    joinedWords.test(value) && value.length / (value.match(/[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g)?.length ?? 1) > 2.4
  );
}

/** Whether a text that stands where a password may stand is made up like one: letters and digits, with a sign or a capital among them. */
export function isLikelyPassword(value: string): boolean {
  if (isDottedPassword(value)) return true;
  if (value.length < 6 || isReference(value) || isPublicId(value)) return false;
  if (looksRandom(value, 8) || isScrambled(value)) return !isOfWords(value);
  if (!hasDigitsAndLetters(value) || /[/\\<>{}()[\]=]/.test(value) || isOfWords(value)) return false;
  if (/^[^@]+@[\w-]+\.\w/.test(value)) return false;
  return (
    /[!@#$%^&*+~?]/.test(value) ||
    /[a-z][0-9]+[a-zA-Z]/.test(value) ||
    /^(?=.*[a-z])(?=.*[A-Z]).{8,}$/.test(value)
  );
}

function hasSign(value: string): boolean {
  return /[!#$%^&*]/.test(value);
}

/** Ten to thirteen letters of both cases that are no words put together. */
function isScrambled(value: string): boolean {
  if (!/^[A-Za-z]{10,13}$/.test(value) || /^(?:[A-Z]?[a-z]+)+$/.test(value)) return false;
  return value.length / (value.match(/[A-Z]?[a-z]+|[A-Z]+/g)?.length ?? 1) < 2.6;
}

/** Last words that are as often about something else, unless they are set with an equals sign. */
const vague =
  /(?:^|[\s./])(?:api|code|account|login|access|hook|session|grant|cert|certificate|sig|signature|salt)$/i;

function isRandomEnough(value: string, name: string, operator: string | undefined): boolean {
  if (operator !== undefined && isOfAllSigns(value)) return true;
  const least = operator === undefined && !isIdentifier(name) ? 20 : 12;
  if (!looksRandom(value, least) && !uuid.test(value)) return false;
  const isSet = operator?.includes("=") === true;
  if (vague.test(name)) return isSet;
  return !isDigest(value) || isSet || (operator !== undefined && isIdentifier(name)) || isFlag(name);
}

/** Half a hundred characters of every kind without a blank, as generators of salts make them. */
function isOfAllSigns(value: string): boolean {
  if (value.length < 48 || !/^[\x21-\x7e]+$/.test(value) || !/[a-z]/.test(value) || !/[A-Z]/.test(value))
    return false;
  const signs = value.match(/[^A-Za-z0-9]/g) ?? [];
  return /[0-9]/.test(value) && signs.length > 8 && new Set(signs).size > 6 && !value.includes("://");
}

function isIdentifier(name: string): boolean {
  return /[A-Za-z0-9][_-][A-Za-z]|[a-z][A-Z]/.test(name) || isFlag(name);
}

function isFlag(name: string): boolean {
  return /(?:^|\s)--?[A-Za-z][\w-]*$/.test(name);
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Fingerprints and ids look random too: hex of a digest's length, UUIDs. They need more than a hint. */
function isDigest(value: string): boolean {
  return /^[A-Za-z]{2,16}[-_][0-9a-f]{6,12}$|(?:^|[A-Za-z]-)(?:[0-9a-f]{40}|[0-9a-f]{64}|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})$/i.test(
    value,
  );
}

/** After a password's name nearly everything is one; a lone lower-case word after a colon may be prose. */
function isPassword(value: string, isExplicit: boolean): boolean {
  if (value.length < 4) return false;
  return isExplicit
    ? value.length >= 5 || /[^a-z]/.test(value)
    : hasDigitsAndLetters(value) || /[^\p{L}\p{M}.-]/u.test(value);
}

/** Letters and digits that are neither words with a number behind them nor names of types, files or hosts. */
function isOpaque(value: string): boolean {
  if (value.length < 8 || !hasDigitsAndLetters(value)) return false;
  return !/^(?:[A-Za-z]*[0-9]{0,4}|(?:[A-Z][a-z]+[0-9]*)+|[a-z]+[0-9]{0,3}(?:[-_./:][A-Za-z0-9]*)*)$/.test(
    value,
  );
}

function hasDigitsAndLetters(value: string): boolean {
  return /[0-9]/.test(value) && /[A-Za-z]/.test(value);
}
