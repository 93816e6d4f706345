import { draftContent, draftRecord } from "../journal/record-draft.ts";
import { freeze, recordedForm } from "../call/payload.ts";
import { contentRef } from "../time/ids.ts";
import type { StepId } from "@spfunctions/contracts";
import type { ModelTurn } from "./ask-model.ts";
import type { LiveRun } from "./live-run.ts";

/** Whether what the model would be shown was more than it may be, and is less from here on. That is on record, with what is shown instead. */
export async function condenseRun(live: LiveRun, turn: ModelTurn): Promise<boolean> {
  const { host, journal, conversation, unique, run } = live;
  const { contextTokens: limit } = host;
  const tokens = turn.worst.inputTokens ?? 0;
  if (limit === undefined || tokens <= limit || host.assemble !== undefined) return false;
  // As many bytes as there are for each token that was counted.
  const condensed = conversation.condense(Math.floor((limit * turn.bytes) / Math.max(1, tokens)));
  const said = condensed && freeze(condensed.text);
  if (condensed === undefined || said?.type !== "payload") return false;
  const recorded = recordedForm(said, { publicPaths: [], secretPaths: [] }, host.keyedHash);
  const ref = contentRef(unique, `${turn.step}-condensed${turn.attempt}`);
  const { row, digest } = draftContent(ref, host.ids.salt(), recorded.text, recorded.hash);
  const { messages, answerChars } = condensed;
  const record = draftRecord(
    "context.condensed",
    {
      runId: run.opening.runId,
      stepId: `step_${unique}-${turn.step}` as StepId,
      messages,
      ...(answerChars !== undefined && { answerChars }),
      tokens,
      limit,
      output: digest,
    },
    { content: [row] },
  );
  await journal.append({ durability: "process", records: [record] });
  return true;
}
