import { failureContent } from "../../call/conclude.ts";
import { freeze, recordedForm } from "../../call/payload.ts";
import { draftContent, draftRecord } from "../../journal/record-draft.ts";
import { contentRef } from "../../time/ids.ts";
import type { End } from "../state/decide-run.ts";
import { endByHooks, tellEnd } from "./hooks-of-run.ts";
import type { Run } from "../state/fold-run.ts";
import type { LiveRun } from "./live-run.ts";
import { hasAttached } from "../state/run-shape.ts";

/**
 * The last word about a run; whoever waits for it hears of it by the same commit. `decided`: the run that this was decided on. Where it
 * was told something since, was told to stop, or has a child, it does not end as it would have: that is decided anew.
 */
export async function endRun(live: LiveRun, given: End, decided: Run): Promise<void> {
  const end = await endByHooks(live, given);
  if (end === undefined) return;
  const { status, output, error } = end;
  const { host, journal, unique, run } = live;
  const failure = error && failureContent(host, `${unique}-end`, error);
  const said = output === undefined ? undefined : freeze(output);
  const recorded =
    said?.type === "payload"
      ? recordedForm(said, { publicPaths: [], secretPaths: [] }, host.keyedHash)
      : undefined;
  const content =
    recorded && draftContent(contentRef(unique, "end"), host.ids.salt(), recorded.text, recorded.hash);
  const record = draftRecord(
    "run.ended",
    {
      runId: run.opening.runId,
      status,
      ...(content && { output: content.digest }),
      ...(failure && { error: failure.body }),
      spent: { ...run.spending.total, wallMs: live.activeMs },
      spentOn: run.spending.on,
    },
    { content: [...(content ? [content.row] : []), ...(failure ? [failure.row] : [])] },
  );
  const isStill = () => {
    const { notes, shape } = live.run;
    const isTold = notes.length > decided.notes.length;
    return !isTold && !hasAttached(shape) && shape.isCancelling === (status === "cancelled");
  };
  if (await journal.appendIf(isStill, { durability: "power", records: [record] })) await tellEnd(live, end);
}
