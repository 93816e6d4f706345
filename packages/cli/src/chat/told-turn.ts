import type { TurnResult, Wish } from "@spfunctions/agent/spectator";
import { condensedJson } from "./condensed-text.ts";
import type { SandboxTold } from "./sandbox-told.ts";

export type ToldTurnTerms = { readonly sessionId: string; readonly sandbox: SandboxTold };

/** What a turn has come to, for programs. */
export function toldTurn(
  { condensed, ...result }: TurnResult,
  wishes: readonly Wish[],
  { sessionId, sandbox }: ToldTurnTerms,
): object {
  return {
    ok: result.status === "completed",
    sessionId,
    ...result,
    wishes,
    ...(condensed && { condensed: condensedJson(condensed) }),
    sandbox,
  };
}
