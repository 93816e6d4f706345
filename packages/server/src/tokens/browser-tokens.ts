// Short-lived tokens for pages: bound to the origin of the page, to the key that asked for them, and to a few minutes.
import { ForbiddenError, InvalidInputError, type Scope, strictObject } from "@spfunctions/contracts";
import type { Clock, Ids, Installation } from "@spfunctions/kernel";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import type { ToolContext } from "@spfunctions/kernel";

const audience = "simplefunctions-browser";
const type = "sf-browser+jwt";
const defaultSeconds = 300;
export const mostTokenSeconds = 900;

/** What a page may never have in its hands. */
export const tokenScopes = ["read", "write"] as const satisfies readonly Scope[];

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
export type TokenClaims = z.infer<typeof claimsSchema>;

export type TokenHost = { readonly installation: Installation; readonly clock: Clock; readonly ids: Ids };

export type WantedToken = {
  readonly origin: string;
  readonly scopes?: readonly (typeof tokenScopes)[number][] | undefined;
  readonly ttlSeconds?: number | undefined;
};

export type MintedToken = {
  readonly token: string;
  readonly expiresAt: string;
  readonly origin: string;
  readonly scopes: (typeof tokenScopes)[number][];
};

export async function mintToken(
  { installation, clock, ids }: TokenHost,
  caller: ToolContext["principal"],
  { origin: given, scopes = ["read"], ttlSeconds = defaultSeconds }: WantedToken,
): Promise<MintedToken> {
  if (caller.kind !== "key") throw new ForbiddenError("a token is made with a key, never with another token");
  const missing = scopes.find((scope) => !caller.scopes.includes(scope));
  if (missing !== undefined)
    throw new ForbiddenError(`this key does not have the scope ${missing}, and cannot pass it on`);
  const origin = originOf(given);
  const now = Math.floor(clock.now() / 1000);
  const own = [...new Set(scopes)];
  const token = await new SignJWT({ account: caller.accountId, origin, scopes: own })
    .setProtectedHeader({ alg: "HS256", typ: type })
    .setIssuer(installation.id)
    .setAudience(audience)
    .setSubject(caller.keyId)
    .setIssuedAt(now)
    .setExpirationTime(now + ttlSeconds)
    .setJti(ids.unique())
    .sign(installation.tokens);
  return { token, expiresAt: new Date((now + ttlSeconds) * 1000).toISOString(), origin, scopes: own };
}

/** What a token says, where it is ours, whole and not yet over. */
export async function readToken(
  { installation, clock }: Pick<TokenHost, "installation" | "clock">,
  token: string,
): Promise<TokenClaims | undefined> {
  try {
    const { payload } = await jwtVerify(token, installation.tokens, {
      algorithms: ["HS256"],
      typ: type,
      audience,
      issuer: installation.id,
      currentDate: new Date(clock.now()),
      // Counted from when it was made, which is not in the future: a clock that was once wrong makes no token longer.
      maxTokenAge: mostTokenSeconds,
      requiredClaims: ["exp", "iat", "sub", "jti"],
    });
    const claims = claimsSchema.safeParse(payload);
    const isShort = claims.success && claims.data.exp - claims.data.iat <= mostTokenSeconds;
    return isShort ? claims.data : undefined;
  } catch {
    // Whatever is wrong with it: it is no token of ours.
    return undefined;
  }
}

/** Three parts of base64url: a token, as far as its looks go. */
export function looksLikeToken(text: string): boolean {
  return text.length < 4096 && /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text);
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
