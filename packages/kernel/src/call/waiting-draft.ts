import type { ApprovalOfCall, Verdict } from "@spfunctions/contracts";
import { type ContentDraft, draftContent, draftRecord, type RecordDraft } from "../journal/record-draft.ts";
import { contentRef } from "../time/ids.ts";
import type { Tool } from "../tool/define-tool.ts";
import { allowCall } from "./allow-call.ts";
import type { CallHost } from "./call-host.ts";
import type { Call } from "./call-in-progress.ts";
import type { PreparedInput } from "./prepare-input.ts";

type Asked = {
  readonly call: Call;
  readonly tool: Tool;
  readonly input: PreparedInput;
  readonly verdict: Verdict;
};

/** That a call waits for an approval, with all that it goes on by. */
export function waitingDraft(
  host: CallHost,
  { call, tool, input, verdict }: Asked,
  approval: ApprovalOfCall,
  why?: string,
): RecordDraft {
  const { idempotencyKey, timeoutMs } = call.request;
  // With an input row of its own: what is written once is not written twice.
  const { own, shared, inputRow } = allowCall(host, call, tool, input, verdict);
  const note = askedContent(host, call.unique, verdict, why);
  const body = {
    ...own,
    approval,
    ...(note && { note: note.digest }),
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(input.recorded.redacted.length > 0 && { inputRedacted: true as const }),
  };
  return draftRecord("call.waiting", body, { shared, content: note ? [inputRow, note.row] : [inputRow] });
}

/** Why a person is asked, if the verdict does not say it in the same words. */
export function askedContent(
  { ids }: Pick<CallHost, "ids">,
  unique: string,
  verdict: Verdict,
  why: string | undefined,
): ContentDraft | undefined {
  if (why === undefined || why === verdict.reason) return undefined;
  return draftContent(contentRef(unique, "asked"), ids.salt(), why.toWellFormed());
}
