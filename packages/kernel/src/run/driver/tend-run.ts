// J3: what others want of a run they leave in its inbox; the process that drives it takes it from there, as long as it has the run.
import type { RunErrand } from "@spfunctions/contracts";
import { inboxLooksOf } from "../../approval/inbox-looks.ts";
import { passed } from "../../time/passed.ts";
import { isUnwritten } from "../../store/is-outage.ts";
import type { DocumentWrite } from "../../store/store.ts";
import type { LiveRun } from "./live-run.ts";
import { resolveInRun } from "./resolve-in-run.ts";
import { runErrandWake } from "../journal/run-document.ts";
import { errandsOf, type LeftErrand } from "../journal/run-inbox.ts";

/** Between two attempts at a store that does not answer. */
const pauseMs = 1000;

/** Takes what is left for a run, until it is left itself. It never throws. */
export async function tendRun(live: LiveRun, left: AbortSignal): Promise<void> {
  const { store, waits, proves, clock } = live.host;
  const { runId, accountId } = live.run.opening;
  const look = async () => {
    const errands = await errandsOf(store, accountId, runId, proves);
    return errands.length > 0 ? errands : undefined;
  };
  const stopLooking = inboxLooksOf(store, clock).add(() => waits.nudge(runErrandWake(runId)), accountId);
  /* oxlint-disable no-await-in-loop -- one thing after the other, in the order in which they were left */
  while (!left.aborted) {
    try {
      const errands = await waits.until(runErrandWake(runId), look, { signals: [left] });
      for (const errand of errands ?? []) await takeLeft(live, errand);
    } catch {
      await passed(clock, pauseMs, [left]);
    }
  }
  /* oxlint-enable no-await-in-loop */
  stopLooking();
}

/** Does what somebody wants of a run. Whether there was something to do, and `documents` are written. */
export async function takeErrand(
  live: LiveRun,
  errand: RunErrand,
  documents: readonly DocumentWrite[] = [],
): Promise<boolean> {
  if (errand.type === "cancel") return await live.cancel(errand.by, documents);
  await resolveInRun(live, errand, documents);
  return true;
}

/** What cannot be done is cleared away too: whoever left it sees by the run that nothing came of it. */
async function takeLeft(live: LiveRun, { errand, taken }: LeftErrand): Promise<void> {
  const isDone =
    errand !== undefined &&
    (await takeErrand(live, errand, [taken]).catch((error: unknown) => {
      if (isUnwritten(error)) throw error;
      return false;
    }));
  if (isDone) return;
  const { store, clock } = live.host;
  await store.commit({ durability: "process", now: clock.now(), documents: [taken] });
}
