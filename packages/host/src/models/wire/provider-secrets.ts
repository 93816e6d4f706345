// S1: what an adapter proves itself with is read in one place, to write headers; nothing that can be printed, stored or thrown holds it.
import { InvalidApiKeyError, redactText, SecretRegistry } from "@spfunctions/contracts";
import { UnheardError } from "./unheard-error.ts";

export type GivenHeaders = { readonly [name: string]: string };

/** Headers by these names prove something; others, like a title, are settings. */
const secretName = /auth|key|token|secret|cookie|password/i;
/** A shorter key, like the `ollama` of a server that asks for any, is a word that an answer may have. */
const shortestEcho = 16;
const sayable = /^[\x20-\x7e]+$/;

/** The key and the headers that go with every request to a provider. */
export class ProviderSecrets {
  readonly #headers: readonly (readonly [name: string, value: string])[];
  readonly #secrets: readonly string[];

  /** `own`: the header that the key travels in. */
  constructor(key: string | undefined, own: (key: string) => GivenHeaders, given: GivenHeaders = {}) {
    if (key !== undefined && (typeof key !== "string" || !sayable.test(key) || key.trim() !== key))
      throw unusable("the model's key is empty, has spaces around it, or characters that no header takes");
    const headers = Object.entries(given);
    for (const [name, value] of headers)
      if (!/^[\w-]+$/.test(name) || typeof value !== "string" || !/^[\x20-\x7e]*$/.test(value))
        throw unusable("a header of headers has a name or a value that no request can carry");
    this.#headers = key === undefined ? headers : [...headers, ...Object.entries(own(key))];
    // Of `Bearer abc` the secret is `abc`.
    const values = headers.flatMap(([name, value]) =>
      secretName.test(name) && value !== "" ? [value, value.slice(value.lastIndexOf(" ") + 1)] : [],
    );
    this.#secrets = key === undefined ? values : [key, ...values];
  }

  authorize(headers: Headers): void {
    for (const [name, value] of this.#headers) headers.set(name, value);
  }

  /** Whether anything of it is what others must not read. */
  get isSecret(): boolean {
    return this.#secrets.length > 0;
  }

  hideInText(text: string): string {
    // Made when something went wrong, and not kept: a process may have a model for each of its users.
    const alsoSecrets = new SecretRegistry();
    for (const secret of this.#secrets) alsoSecrets.add(secret, "api_key");
    return redactText(text, { alsoSecrets });
  }

  /** An answer, unless it repeats what proves who asks: that would be on record. */
  refuseEcho<Said>(name: string, said: Said): Said {
    const secrets = this.#secrets.filter(({ length }) => length >= shortestEcho);
    if (secrets.length === 0) return said;
    const json = JSON.stringify(said);
    if (!secrets.some((secret) => json.includes(JSON.stringify(secret).slice(1, -1)))) return said;
    throw new UnheardError(`${name} answered with the key that it was asked with; the answer is not taken`);
  }
}

function unusable(problem: string): InvalidApiKeyError {
  return new InvalidApiKeyError(`${problem}; give it as the provider wrote it`, {
    details: { reason: "malformed" },
  });
}
