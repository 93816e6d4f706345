import { listedRun, type Settled } from "@spfunctions/kernel";
import { masterOf } from "../children/whose-run.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { isNobodys } from "../runs/is-nobodys.ts";
import { howToResume } from "../runs/what-it-needs.ts";
import { openToRead } from "../seat/open-store.ts";
import { storePlaceOf } from "../seat/store-place.ts";
import { unendedInRuns } from "../trace/unended-calls.ts";
import { type EffectsOptions, effectsPlaceOf } from "./open-effects.ts";
import { optionsFor } from "./what-to-do.ts";

/** An effect of a run that nobody drives: it has an end once that goes on. */
export type LeftInRun = Settled & { readonly runId: string; readonly reason: string };

export async function leftInRuns(options: EffectsOptions, context: CommandContext): Promise<LeftInRun[]> {
  const { io } = context;
  const { account: accountId } = options;
  const place = storePlaceOf(options, io);
  const store = await openToRead(place);
  const found: LeftInRun[] = [];
  try {
    for await (const { stream: runId, callId, effectId, tool } of unendedInRuns({ store, accountId, io })) {
      const master = await masterOf(store, accountId, runId);
      if (!(await isNobodys({ place, store }, accountId, master))) continue;
      const { document } = await listedRun(store, accountId, master);
      const resume = howToResume(document, optionsFor(effectsPlaceOf(options, context)));
      const reason = `it is of ${runId}, which nobody drives: ${resume}`;
      found.push({ callId, effectId, tool, outcome: "left", by: "nobody", runId, reason });
    }
    return found;
  } finally {
    await store.close();
  }
}
