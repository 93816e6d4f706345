import type { ApprovalOfCall, Verdict } from "@spfunctions/contracts";
import { draftRecord, type RecordDraft } from "../journal/record-draft.ts";
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
): RecordDraft {
  const { idempotencyKey, timeoutMs } = call.request;
  // With an input row of its own: what is written once is not written twice.
  const { own, shared, inputRow } = allowCall(host, call, tool, input, verdict);
  const body = {
    ...own,
    approval,
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(input.recorded.redacted.length > 0 && { inputRedacted: true as const }),
  };
  return draftRecord("call.waiting", body, { shared, content: [inputRow] });
}
