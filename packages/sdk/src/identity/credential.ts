// S1: the text of a key is read in one place, to write one header; nothing that can be printed, stored or thrown holds it.
import {
  hashText,
  InvalidApiKeyError,
  isApiKey,
  redact,
  redactText,
  SecretRegistry,
} from "@spfunctions/contracts";

/** Three base64url parts, of which the first begins a JSON object. */
const token = /^eyJ[A-Za-z0-9_-]*\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;
const longestToken = 8192;

/** Whether a text has the looks of a short-lived token. */
export function isToken(text: string): boolean {
  return token.test(text) && text.length <= longestToken;
}

/** Who the client says it is: a long-lived key or a short-lived token. */
export class Credential {
  readonly #text: string;
  /** A long-lived key must not be where visitors can read it; a token may. */
  readonly isLongLived: boolean;

  constructor(text: string) {
    if (typeof text !== "string") throw invalid("apiKey is no text");
    this.isLongLived = isApiKey(text);
    if (!this.isLongLived && !isToken(text)) throw invalid(reasonFor(text));
    this.#text = text;
  }

  /** What tells it from another one, and tells nobody what it is. */
  get id(): string {
    return `key_${hashText(this.#text).slice("sha256:".length, "sha256:".length + 16)}`;
  }

  authorize(headers: Headers): void {
    headers.set("authorization", `Bearer ${this.#text}`);
  }

  /** A copy of what came from outside in which this credential is in no form. */
  hideIn(value: unknown): unknown {
    return redact(value, { alsoSecrets: this.#registry() });
  }

  hideInText(text: string): string {
    return redactText(text, { alsoSecrets: this.#registry() });
  }

  /** Made when something went wrong, and not kept: a process may have one client for each of its users. */
  #registry(): SecretRegistry {
    const secrets = new SecretRegistry();
    secrets.add(this.#text, "api_key");
    return secrets;
  }
}

function reasonFor(text: string): string {
  if (text === "") return "apiKey is empty";
  if (text !== text.trim()) return "apiKey has spaces or line ends around it";
  return "apiKey is neither a key (sf_live_ and 32 characters) nor a short-lived token";
}

function invalid(problem: string): InvalidApiKeyError {
  return new InvalidApiKeyError(`${problem}; pass apiKey: process.env.SF_API_KEY, or leave it out`, {
    details: { reason: "malformed" },
  });
}
