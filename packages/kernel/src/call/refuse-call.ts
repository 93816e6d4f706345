import type { SimpleFunctionsError, Verdict } from "@spfunctions/contracts";
import { draftContent, draftRecord } from "../journal/record-draft.ts";
import { contentRef } from "../time/ids.ts";
import type { Tool } from "../tool/define-tool.ts";
import type { CallHost, CallOutcome } from "./call-host.ts";
import { type Call, receiptOf } from "./call-in-progress.ts";
import { failureContent } from "./conclude.ts";
import type { Unreadable } from "./payload.ts";
import type { PreparedInput } from "./prepare-input.ts";
import { emitRecord } from "./project-events.ts";
import { safeText } from "./safe-text.ts";

/** What is known of a call that does not run. */
export type Refused = {
  readonly verdict: Verdict;
  readonly error: SimpleFunctionsError;
  readonly tool?: Tool | undefined;
  readonly input?: PreparedInput | Unreadable | undefined;
};

/** Refusals are kept too: silence is never the record of a decision. */
export async function refuseCall(host: CallHost, call: Call, refused: Refused): Promise<CallOutcome> {
  const { verdict, error, tool, input } = refused;
  const { runId, callId, traceId } = call.names;
  const recorded = input?.type === "prepared" ? input.recorded : undefined;
  const content =
    recorded && draftContent(contentRef(call.unique, "input"), host.ids.salt(), recorded.text, recorded.hash);
  const failure = failureContent(host, call.unique, error);
  const { contract } = tool ?? {};
  const opening = {
    runId,
    callId,
    traceId,
    principal: host.principal,
    origin: host.origin,
    verdict,
    packageFingerprint: host.judge.packageFingerprint,
    tool: contract?.name ?? safeText(call.request.tool, 200),
    ...(contract && {
      toolDigest: contract.digest,
      sideEffect: contract.sideEffect,
      costEffect: contract.costEffect,
    }),
    ...(content && { input: content.digest }),
    error: failure.body,
  };
  const rows = content === undefined ? [failure.row] : [content.row, failure.row];
  const draft = draftRecord("call.refused", opening, { content: rows });
  const { records } = await host.journal.append({ durability: "process", records: [draft] }, contract);
  const [record] = records;
  emitRecord(call.watch, record, undefined);
  const receipt = receiptOf(host, call.request, {
    opening,
    inputHash: recorded?.hash,
    spent: {},
    at: record,
  });
  return { type: "refused", error, receipt };
}
