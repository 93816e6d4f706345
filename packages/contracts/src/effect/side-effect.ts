import { z } from "zod";
import { rankIn } from "./rank-in.ts";

/** Side-effect classes, weakest first: the position is the rank. */
export const sideEffects = [
  /** It changes nothing: a read. */
  "none",
  /** It leaves that somebody was here: when a key was last used. */
  "auth_telemetry_write",
  /** It changes the caller's own data. */
  "user_write",
  /** It makes, shows or ends a credential. Allowed by name under a higher ceiling. */
  "secret",
  /** It starts, stops or steers something that goes on, or runs a command. Allowed by name under a higher ceiling. */
  "runtime",
  /** It trades with money that is none. */
  "paper_trade",
  /** It trades with money: only directly, and only within guardrails at every level. */
  "live_trade",
] as const;

export const sideEffectSchema = z.enum(sideEffects, {
  error: `expected a sideEffect: one of ${sideEffects.join(", ")}`,
});
/** What a tool does to the world, as its product meaning. Cost is never a side effect. */
export type SideEffect = z.infer<typeof sideEffectSchema>;

/** The rank of a class. An unknown one has none: it would pass under a ceiling or lift it (G1). */
export function sideEffectRank(effect: SideEffect): number {
  return rankIn(sideEffects, effect);
}

/** Classes that a ceiling above them does not bring along: they are allowed by name. */
export const sideEffectsAllowedByName: ReadonlySet<SideEffect> = new Set<SideEffect>(["secret", "runtime"]);

/** The classes that a ceiling stands for: its rank and below, without `secret` and `runtime`, plus itself. */
export function sideEffectsUnder(ceiling: SideEffect): ReadonlySet<SideEffect> {
  return new Set(
    sideEffects.filter(
      (effect) =>
        effect === ceiling ||
        (sideEffectRank(effect) < sideEffectRank(ceiling) && !sideEffectsAllowedByName.has(effect)),
    ),
  );
}
