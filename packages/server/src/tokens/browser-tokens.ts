// Short-lived tokens for pages: bound to the origin of the page, to the key that asked for them, and to a few minutes.
import { ForbiddenError, InvalidInputError, type Scope, strictObject } from "@spfunctions/contracts";
import type { ToolContext } from "@spfunctions/kernel";
import { z } from "zod";
import { allowPages } from "../door/check-origin.ts";
import { type Signed, signToken, type TokenHost, type TokenSort } from "./signed-token.ts";

/**
 * How long a page's token is good.
 * @limit key.tokenSeconds | `invalid_api_key`; ask for another | `ttlSeconds` of tokens.create
 */
const defaultSeconds = 300;
/**
 * How long a page's token may be good.
 * @limit key.longestTokenSeconds | `invalid_input` | fixed: it lies in a page
 */
export const mostTokenSeconds = 900;

/** What a page may never have in its hands. */
export const tokenScopes = ["read", "write"] as const satisfies readonly Scope[];

const audience = "simplefunctions-browser";
const claimsSchema = strictObject({
  iss: z.string(),
  aud: z.literal(audience),
  sub: z.string(),
  account: z.string(),
  origin: z.string(),
  scopes: z.array(z.enum(tokenScopes)),
  iat: z.number(),
  exp: z.number(),
  jti: z.string(),
});

export const browserTokens: TokenSort<typeof claimsSchema> = {
  type: "sf-browser+jwt",
  audience,
  mostSeconds: mostTokenSeconds,
  claims: claimsSchema,
};

export type WantedToken = {
  readonly origin: string;
  readonly scopes?: readonly (typeof tokenScopes)[number][] | undefined;
  readonly ttlSeconds?: number | undefined;
};

export type MintedToken = Omit<Signed, "createdAt"> & {
  readonly origin: string;
  readonly scopes: (typeof tokenScopes)[number][];
};

/** Where tokens for pages are made. */
export type PageTokenHost = TokenHost & {
  /** Whether a page of that origin may call at all. */
  readonly takesPagesOf: (origin: string) => boolean;
};

export async function mintToken(
  host: PageTokenHost,
  caller: ToolContext["principal"],
  { origin: given, scopes = ["read"], ttlSeconds = defaultSeconds }: WantedToken,
): Promise<MintedToken> {
  if (caller.kind !== "key") throw new ForbiddenError("a token is made with a key, never with another token");
  const missing = scopes.find((scope) => !caller.scopes.includes(scope));
  if (missing !== undefined)
    throw new ForbiddenError(`this key does not have the scope ${missing}, and cannot pass it on`);
  const origin = originOf(given);
  if (!host.takesPagesOf(origin))
    throw new ForbiddenError(
      `pages of ${origin} may not call here, and no token was made for them; ${allowPages(origin)}`,
      { details: { path: "/origin", reason: "wrong_origin" } },
    );
  const own = [...new Set(scopes)];
  const { token, expiresAt } = await signToken(host, browserTokens, {
    keyId: caller.keyId,
    seconds: ttlSeconds,
    account: caller.accountId,
    origin,
    scopes: own,
  });
  return { token, expiresAt, origin, scopes: own };
}

/** An origin as browsers say it: scheme, host, and the port where it is not the usual one. */
function originOf(given: string): string {
  const url = URL.parse(given);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  if (isOrigin) return url.origin;
  throw new InvalidInputError("origin is not an origin, like https://app.example.com", {
    details: { path: "/origin" },
  });
}
