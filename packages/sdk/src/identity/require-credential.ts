import { BrowserKeyForbiddenError, MissingApiKeyError } from "@spfunctions/contracts";
import { isBrowser } from "#place";
import type { Credential } from "./credential.ts";

/** Before any request: what needs somebody's name is not sent without one. */
export function requireCredential(credential: Credential | undefined, tool: string): Credential {
  if (credential !== undefined) return credential;
  throw new MissingApiKeyError(
    `${tool} needs an API key and this client has none; pass apiKey: process.env.SF_API_KEY`,
    { details: { tool, reason: "no_key" } },
  );
}

/** A long-lived key in a page belongs to every visitor of it. */
export function refuseKeyInBrowser(credential: Credential | undefined): void {
  if (credential?.isLongLived !== true || !isBrowser()) return;
  throw new BrowserKeyForbiddenError(
    "a long-lived API key must not be used in a browser; let your server make a short-lived token with tokens.create and pass that as apiKey",
    { details: { reason: "long_lived_key_in_browser" } },
  );
}
