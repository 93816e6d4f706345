import type { Approval, ApprovalAnswer, Principal, SimpleFunctionsError } from "@spfunctions/contracts";
import { failureContent } from "../call/conclude.ts";
import { safeText } from "../call/safe-text.ts";
import { draftContent, draftRecord, type RecordDraft } from "../journal/record-draft.ts";
import { contentRef, type Ids } from "../time/ids.ts";

export type GivenAnswer = {
  /** As the approval was named: there may be none. */
  readonly id: string;
  readonly answer: ApprovalAnswer;
  readonly by: Principal;
  readonly note: string | undefined;
  /** The approval as it was found. */
  readonly found?: Approval | undefined;
  /** The approval as it is by the answer, or why the answer does not count. */
  readonly decided?: Approval | undefined;
  readonly error?: SimpleFunctionsError | undefined;
};

/** B9, B10: an answer on record, taken or refused, with whose it was. */
export function answerRecord(ids: Ids, given: GivenAnswer): RecordDraft {
  const { id, answer, by, note, found, decided, error } = given;
  const unique = ids.unique();
  const failure = error && failureContent({ ids }, unique, error);
  const words = note === undefined ? undefined : draftContent(contentRef(unique, "note"), ids.salt(), note);
  return draftRecord(
    "approval.answered",
    {
      approvalId: safeText(id, 100),
      ...(found && { of: { runId: found.runId, callId: found.callId, tool: found.tool } }),
      answer,
      by,
      ...(decided && { status: decided.status }),
      ...(decided?.grantId && { grantId: decided.grantId }),
      ...(failure && { error: failure.body }),
      ...(words && { note: words.digest }),
    },
    { content: [...(failure ? [failure.row] : []), ...(words ? [words.row] : [])] },
  );
}
