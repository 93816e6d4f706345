import { snapshotJson } from "@spfunctions/contracts";
import { armed } from "../src/intents/arm-intent.ts";
import { type ArmedCall, type Intent, type IntentFacts, newIntent } from "../src/intents/intent.ts";
import { type IntentStore, saveIntent, unkept } from "../src/intents/intent-documents.ts";
import { day, opening } from "./quiet-markets.ts";

type Whose = { readonly intentId?: string; readonly accountId?: string; readonly keyId?: string };

/** An intent as a call of `execution.place` has armed it. */
export function armedIntent(
  facts: IntentFacts,
  now: number,
  { intentId = "int_00000001", keyId = "key_1" }: Whose = {},
): Intent {
  const { limitCents, expiresAt, ...same } = facts;
  const wanted = {
    ...same,
    ...(limitCents !== undefined && { limitPriceCents: limitCents }),
    ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    autoExecute: true,
    dryRun: false,
  };
  const input = snapshotJson(wanted) as ArmedCall["input"];
  const call = { callId: "call_00000001", input };
  return armed(newIntent(intentId, facts, now), opening + day, { keyId, now, call });
}

export async function keepArmed(
  kept: IntentStore,
  facts: IntentFacts,
  now: number,
  whose: Whose = {},
): Promise<void> {
  const intent = armedIntent(facts, now, whose);
  await saveIntent(kept, unkept(whose.accountId ?? "ann", intent), intent, now);
}
