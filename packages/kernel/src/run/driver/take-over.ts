import { draftRecord, type RecordDraft } from "../../journal/record-draft.ts";
import type { Run } from "../state/fold-run.ts";

/** What a model was asked when its process ended nobody knows: it is settled at what was set aside, and asked anew. */
export function takenOver({ opening, shape, attempt }: Run): RecordDraft[] {
  const { runId } = opening;
  const resumed = draftRecord("run.resumed", { runId });
  if (!shape.isModelling || attempt === undefined) return [resumed];
  const { stepId, reserved } = attempt;
  const unknown = draftRecord("model.settled", {
    runId,
    stepId,
    attempt: attempt.attempt,
    status: "unknown",
    calls: [],
    spent: { ...reserved, steps: 0 },
    durationMs: 0,
  });
  return [resumed, unknown];
}
