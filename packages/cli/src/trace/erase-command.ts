import { badUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { closeEffects } from "../effects/open-effects.ts";
import { requireConfirmed } from "../io/require-confirmed.ts";
import { callerOf } from "../seat/caller.ts";
import { openLive } from "../seat/open-governed.ts";
import { patienceOf } from "../seat/open-store.ts";
import { findSegment, isJournalId } from "./find-segment.ts";
import { withJournals } from "./open-journals.ts";

/** As they were given. */
export type TraceEraseOptions = {
  readonly data?: string;
  readonly store?: string;
  readonly account?: string;
  readonly wait: number;
  readonly yes?: true;
  readonly json?: true;
};

/** Erases what was kept of a call's payloads, wherever it is journaled here. */
export async function erase(
  callId: string,
  { data, store, account, wait, yes, json }: TraceEraseOptions,
  context: CommandContext,
): Promise<void> {
  const { io, print } = context;
  if (!callId.startsWith("call_") || !isJournalId(callId)) throw badUsage("that is no id of a call (call_…)");
  const scope = { ...(data && { data }), ...(store && { store }), ...(account && { account }) };
  const { place, accountId } = await withJournals(scope, context, (journals) =>
    findSegment(callId, journals, scope, io),
  );
  if (yes !== true)
    await requireConfirmed(
      `what went into ${callId} and came out of it is erased for good, in ${place.called}; go on?`,
      context,
    );
  // What a crash has left is settled by whoever has its tools.
  const law = { tools: [], policy: {}, principal: callerOf(accountId) };
  const open = await openLive(law, { place, io, patience: patienceOf(wait, context) });
  try {
    const payloads = await open.governed.erase(callId);
    if (json === true) print.json({ ok: true, callId, accountId, where: place.called, payloads }, 2);
    else
      print.out(
        `${callId}: ${payloads} ${payloads === 1 ? "payload is" : "payloads are"} erased, by your word; its records stay`,
      );
  } finally {
    await closeEffects(open);
  }
}
