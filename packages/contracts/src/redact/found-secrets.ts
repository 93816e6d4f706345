// S1: a secret that is found in one place of a text or a value is hidden in every other place of it, too.
import { SecretRegistry } from "./held-secrets.ts";
import { looksRandom } from "./looks-random.ts";

const minLength = 4;
/** Numbers of fewer digits are years, ports and counts. */
const minDigits = 6;
/** A longer name is nobody's word; several words of this length are a passphrase. */
const minNameLength = 16;
const minPhraseLength = 12;
/** Searching for more would cost more than a call may. What is not searched for is still hidden where it was found. */
const maxForms = 4096;

const words = /^(?:\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}+)(?:[ _./-](?:\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}+))*$/u;
/** Shorter parts of what was found are searched for only with the rest of it. */
const minPartLength = 16;
const betweenParts = /[\s.,;:=&|@?/"'`]+/;
/** As it is, or in an address. */
const beginsPlaceholder = /(?:\[|%(?:25)?5b)redacted/i;
const trailingMarks = /[.,;:!?"'`)\]}>\\]+$/;

/**
 * Collects what was found. A short value or an ordinary word is left out: it would be hidden wherever somebody writes the same word
 * and means something else.
 */
export class FoundSecrets {
  readonly #registry: SecretRegistry;
  readonly #excluded = new Set<string>();

  constructor(registry: SecretRegistry = new SecretRegistry()) {
    this.#registry = registry;
  }

  get registry(): SecretRegistry {
    for (const text of this.#excluded) this.#registry.remove(text);
    this.#excluded.clear();
    return this.#registry;
  }

  get isEmpty(): boolean {
    return this.registry.size === 0;
  }

  /** What is declared public in one place is not searched for in the others. */
  exclude(text: string): void {
    this.#excluded.add(text);
  }

  /** Adds the value as it was found, without punctuation behind it, decoded, and each part that looks machine-made. */
  add(found: string): void {
    if (this.#registry.size >= maxForms || beginsPlaceholder.test(found)) return;
    for (const form of formsOf(found)) if (isRecognisable(form)) this.#registry.add(form, "secret");
  }

  /** Adds a value that somebody has declared secret: an ordinary word, too. */
  addDeclared(value: string): void {
    this.add(value);
    if (value.length >= minLength && this.#registry.size < maxForms) this.#registry.add(value, "secret");
  }
}

/** Whether a value is so rare that its other mentions mean the same secret. */
export function isRecognisable(value: string): boolean {
  if (value.length < minLength) return false;
  if (/^[\d\s.,:-]+$/.test(value)) return value.replaceAll(/\D/g, "").length >= minDigits;
  return value.length >= (value.includes(" ") ? minPhraseLength : minNameLength) || !words.test(value);
}

function formsOf(found: string): Set<string> {
  const parts = found.split(betweenParts).filter((part) => looksRandom(part, minPartLength));
  const decoded = [
    decodedFrom(found, "\\", (text) => String(JSON.parse(`"${text}"`))),
    decodedFrom(found, "%", decodeURIComponent),
    fromBase64(found),
  ];
  return new Set([found, found.replace(trailingMarks, ""), ...parts, ...decoded.flat()]);
}

const base64 = /^[A-Za-z0-9+/]{12,1024}={0,2}$/;
/** A text that people can type. */
const typed = /^[\x20-\x7e]{8,}$/;

/** What base64 says, as headers, clusters and registries write a password: alone, or behind a user. */
function fromBase64(found: string): string[] {
  if (!base64.test(found) || found.length % 4 !== 0) return [];
  const [text] = decodedFrom(found, "", atob);
  if (text === undefined || !typed.test(text)) return [];
  const user = text.indexOf(":");
  return user === -1 ? [text] : [text, text.slice(user + 1)];
}

function decodedFrom(text: string, mark: string, decode: (text: string) => string): string[] {
  if (!text.includes(mark)) return [];
  try {
    return [decode(text)];
  } catch {
    // It is not so encoded.
    return [];
  }
}
