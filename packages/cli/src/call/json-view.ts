import { optionsFor } from "../effects/what-to-do.ts";
import { printError } from "../io/report-error.ts";
import type { CallView, EndedCall, Recovery, ViewTerms } from "./call-view.ts";
import { printRecovery } from "./human-view.ts";

/** One object on the standard output, whatever became of the call. */
export function jsonView({ print, env, place, tools }: ViewTerms): CallView {
  let found: Recovery = { settled: [], unknown: [] };
  return {
    begun: () => undefined,
    opened: (_, recovery) => {
      printRecovery(print, recovery, place);
      found = recovery;
    },
    event: () => undefined,
    ended: (call) => {
      print.json({ ...answerOf(call), ...circumstancesOf(call, found) }, 2);
      if (call.outcome.type !== "completed")
        printError(print, call.outcome.error, env, optionsFor(place), tools);
      if (call.trouble !== undefined) printError(print, call.trouble, env);
    },
    left: (trouble) => printError(print, trouble, env),
  };
}

function answerOf({ outcome }: EndedCall): object {
  if (outcome.type === "completed") return { ok: true, ...outcome.result };
  const { error, receipt } = outcome;
  return { ok: false, error: error.toJSON(), ...(receipt && { receipt }) };
}

function circumstancesOf({ outcome, signer, trouble }: EndedCall, recovery: Recovery): object {
  const receipt = outcome.type === "completed" ? outcome.result.receipt : outcome.receipt;
  const { settled, unknown } = recovery;
  return {
    ...(receipt?.signature && signer && { signer: { keyId: signer.keyId, publicKey: signer.publicKey } }),
    ...(settled.length + unknown.length > 0 && { recovery }),
    ...(trouble && { trouble: trouble.toJSON() }),
  };
}
