import { eraseCall, type ErasedCall } from "@spfunctions/agent";
import { loadInstallation } from "@spfunctions/host/installation";
import { openBesideIfThere } from "../chat/open-beside.ts";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { whole } from "../io/printer.ts";
import { requireConfirmed } from "../io/require-confirmed.ts";
import { callerOf } from "../seat/caller.ts";
import { requireApart } from "../seat/data-folder.ts";
import { held } from "../seat/held.ts";
import { openStore, patienceOf } from "../seat/open-store.ts";
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
  const erased = await held(async (undo, close) => {
    const { installation, path } = loadInstallation({ env: io.env });
    if (place.type === "folder") requireApart(place.folder, path);
    const opened = await openStore(place, patienceOf(wait, context));
    undo.push(() => opened.close());
    const beside = place.type === "folder" ? await openBesideIfThere(place.folder, undo) : {};
    const principal = callerOf(accountId);
    const done = await eraseCall({ principal, store: opened, installation, ...beside }, callId);
    await close();
    return done;
  });
  if (json === true) print.json({ ok: true, accountId, where: place.called, ...erased }, 2);
  else printErased(print, erased);
}

function printErased(print: CommandContext["print"], erased: ErasedCall): void {
  const { callId, payloads, revisions, memories, runs, calls, wishes, logs, unknown } = erased;
  print.out(
    `${callId}: ${payloads} ${payloads === 1 ? "payload is" : "payloads are"} erased, by your word; its records stay`,
  );
  const lists = [
    ["revisions of long-lived agents", revisions.map((one) => `${one.sessionId}/${one.revision}`)],
    ["memories", memories],
    ["what models have said since, in", runs],
    ["other calls with its words", calls],
    ["reasons of questions for capabilities", wishes],
    ["logs of turns", logs],
  ] as const;
  for (const [name, ids] of lists)
    if (ids.length > 0) print.out(whole(`  ${name} (${ids.length}): ${ids.join(", ")}`));
  for (const one of unknown) print.out({ text: `  note: ${one}`, style: "dim" });
}
