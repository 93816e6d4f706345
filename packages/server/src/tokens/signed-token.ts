// What every token of this platform is: signed by its installation, for one use, with a beginning, an end and a name of its own.
import type { Clock, Ids, Installation } from "@spfunctions/kernel";
import { type JWTPayload, jwtVerify, SignJWT } from "jose";
import type { z } from "zod";

/** One sort of token. What is made for one use is worth nothing for another. */
export type TokenSort<Claims extends z.ZodType> = {
  readonly type: string;
  readonly audience: string;
  readonly mostSeconds: number;
  readonly claims: Claims;
};

export type TokenHost = { readonly installation: Installation; readonly clock: Clock; readonly ids: Ids };

export type Signed = { readonly token: string; readonly createdAt: string; readonly expiresAt: string };

export async function signToken(
  { installation, clock, ids }: TokenHost,
  { type, audience }: Pick<TokenSort<z.ZodType>, "type" | "audience">,
  { keyId, seconds, ...claims }: JWTPayload & { readonly keyId: string; readonly seconds: number },
): Promise<Signed> {
  const now = Math.floor(clock.now() / 1000);
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: "HS256", typ: type })
    .setIssuer(installation.id)
    .setAudience(audience)
    .setSubject(keyId)
    .setIssuedAt(now)
    .setExpirationTime(now + seconds)
    .setJti(ids.unique())
    .sign(installation.tokens);
  return { token, createdAt: timestamp(now), expiresAt: timestamp(now + seconds) };
}

/** What a token says, where it is ours, of this sort, whole and not yet over. */
export async function readToken<Claims extends z.ZodType<{ readonly iat: number; readonly exp: number }>>(
  { installation, clock }: Pick<TokenHost, "installation" | "clock">,
  { type, audience, mostSeconds, claims: schema }: TokenSort<Claims>,
  token: string,
): Promise<z.output<Claims> | undefined> {
  try {
    const { payload } = await jwtVerify(token, installation.tokens, {
      algorithms: ["HS256"],
      typ: type,
      audience,
      issuer: installation.id,
      currentDate: new Date(clock.now()),
      // Counted from when it was made, which is not in the future: a clock that was once wrong makes no token longer.
      maxTokenAge: mostSeconds,
      requiredClaims: ["exp", "iat", "sub", "jti"],
    });
    const claims = schema.safeParse(payload);
    const isShort = claims.success && claims.data.exp - claims.data.iat <= mostSeconds;
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

function timestamp(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
