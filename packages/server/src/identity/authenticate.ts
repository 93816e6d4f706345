// Who sends a request. Whatever is wrong with a key, the answer is the same: nobody learns whether it ever was one.
import {
  BrowserKeyForbiddenError,
  type ContractManifest,
  ForbiddenError,
  InvalidApiKeyError,
  isApiKey,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import type { Clock, Installation } from "@spfunctions/kernel";
import type { OriginAnswer } from "../door/check-origin.ts";
import type { FoundKey, KeyRing } from "../keys/key-ring.ts";
import { browserTokens } from "../tokens/browser-tokens.ts";
import { runCredentials } from "../tokens/run-credentials.ts";
import { looksLikeToken, readToken } from "../tokens/signed-token.ts";
import { anonymousCaller, type Caller, callerOfKey, callerOfRun, callerOfToken } from "./caller.ts";

export type Authenticated =
  | { readonly type: "caller"; readonly caller: Caller }
  | { readonly type: "refused"; readonly error: SimpleFunctionsError };

export type IdentityHost = {
  readonly keys: KeyRing;
  readonly installation: Installation;
  readonly clock: Clock;
  readonly manifest: ContractManifest;
};

export class Identities {
  readonly #host: IdentityHost;
  readonly #callers = new WeakMap<FoundKey, Caller>();

  constructor(host: IdentityHost) {
    this.#host = host;
  }

  /** `page`: the browser's page that the request comes from, where it does. */
  async of(authorization: string | null, page: OriginAnswer): Promise<Authenticated> {
    if (authorization === null) return { type: "caller", caller: anonymousCaller };
    if (isApiKey(authorization) || looksLikeToken(authorization)) return refused(noScheme);
    const shown = /^Bearer ([\x21-\x7e]+)$/i.exec(authorization)?.[1] ?? "";
    if (isApiKey(shown)) return await this.#byKey(shown, page);
    return looksLikeToken(shown) ? await this.#byToken(shown, page) : refused(invalidKey);
  }

  async #byKey(secret: string, page: OriginAnswer): Promise<Authenticated> {
    // Before it is looked up: a page does not learn either whether it has a good one.
    if (page.type !== "none") return refused(keyInPage);
    const found = await this.#host.keys.find(secret);
    if (found === undefined) return refused(invalidKey);
    const caller = this.#callers.get(found) ?? callerOfKey(found, this.#host.manifest);
    this.#callers.set(found, caller);
    return { type: "caller", caller };
  }

  async #byToken(token: string, page: OriginAnswer): Promise<Authenticated> {
    const { keys, manifest } = this.#host;
    const run = await readToken(this.#host, runCredentials, token);
    const claims = run ?? (await readToken(this.#host, browserTokens, token));
    const found = claims && (await keys.byId(claims.account, claims.sub));
    if (claims === undefined || found === undefined) return refused(invalidKey);
    if ("runId" in claims)
      return page.type === "none"
        ? { type: "caller", caller: callerOfRun(found, claims, manifest) }
        : refused(runInPage);
    const origin = page.type === "same" || page.type === "allowed" ? page.origin : undefined;
    if (origin !== claims.origin) return refused(page.type === "none" ? noOrigin : otherOrigin);
    return { type: "caller", caller: callerOfToken(found, claims, manifest) };
  }
}

function refused(error: SimpleFunctionsError): Authenticated {
  return { type: "refused", error };
}

// Made once: making an error costs more than looking for a key.
const invalidKey: SimpleFunctionsError = new InvalidApiKeyError(
  "this is not a good key or token: it may be mistyped, revoked, expired or never have been one; ask whoever gave it to you for another",
);
/** Said of whatever looks like one: it is not looked up, so that nobody learns whether it is good. */
const noScheme: SimpleFunctionsError = new InvalidApiKeyError(
  "a key or token is sent after the word Bearer; send Authorization: Bearer <key>",
  { details: { reason: "no_scheme" } },
);
const keyInPage: SimpleFunctionsError = new BrowserKeyForbiddenError(
  "a long-lived key does not belong into a page: everybody who opens the page can read it. Revoke it, and give the page a short-lived token (tokens.create)",
);
const runInPage: SimpleFunctionsError = new ForbiddenError(
  "a run's credential is for what drives the run, and not for a page; give the page a token of its own (tokens.create)",
);
const otherOrigin: SimpleFunctionsError = new ForbiddenError(
  "this token was made for a page of another origin; make one for this page (tokens.create)",
);
const noOrigin: SimpleFunctionsError = new ForbiddenError(
  "this token is for a page, and the request names none (Origin); send it from the page, or call with a key",
);
