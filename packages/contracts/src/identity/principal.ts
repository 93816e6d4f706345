import { z } from "zod";
import type { SideEffect } from "../effect/side-effect.ts";
import { sideEffectsUnder } from "../effect/side-effect.ts";
import { strictObject } from "../schema/strict-object.ts";
import { accountIdSchema, keyIdSchema, runIdSchema } from "./ids.ts";

export const scopes = ["read", "write", "trade", "admin"] as const;
export const scopeSchema = z.enum(scopes);
/** What a key may be used for. */
export type Scope = z.infer<typeof scopeSchema>;

export const principalKindSchema = z.enum(["key", "run", "operator", "token", "anonymous", "local"]);

/** Who calls, as records name them: never the key itself. */
export const principalSchema = strictObject({
  accountId: accountIdSchema,
  keyId: keyIdSchema,
  scopes: z.array(scopeSchema),
  kind: principalKindSchema,
  runId: runIdSchema.optional(),
}).refine(({ kind, runId }) => kind !== "run" || runId !== undefined, {
  path: ["runId"],
  error: "a principal of kind run names its run",
});
export type Principal = z.infer<typeof principalSchema>;

export const originSchema = z.enum(["direct", "model", "subagent", "mcp", "spectator"]);
/** Through which entry point a call came in. Set by the kernel, never by the caller. */
export type Origin = z.infer<typeof originSchema>;

const scopeSideEffects: { readonly [Name in Scope]: readonly SideEffect[] } = {
  read: ["none"],
  write: [...sideEffectsUnder("paper_trade")],
  trade: ["none", "live_trade"],
  admin: ["none", "secret", "runtime"],
};

/** The side-effect classes that a key's scopes stand for: the union of their sets. */
export function sideEffectsOfScopes(held: readonly Scope[]): ReadonlySet<SideEffect> {
  return new Set(held.flatMap((scope) => scopeSideEffects[scope]));
}

/** A long-lived key: `sf_live_` and 32 url-safe characters. */
export function isApiKey(text: string): boolean {
  return /^sf_live_[A-Za-z0-9_-]{32}$/.test(text);
}
