import { PolicyDeniedError, type SimpleFunctionsError } from "@spfunctions/contracts";
import type { PolicyAnswer } from "../judge/input-gates.ts";
import { draftRecord, type RecordDraft } from "../journal/record-draft.ts";
import type { CallNames } from "../time/ids.ts";
import type { CallHost } from "./call-host.ts";
import { failureContent } from "./conclude.ts";

/** What a host's policy decided about a held output, as a record and as an error. Nobody can be asked here: an ask is a no. */
export function endingOf(
  host: Pick<CallHost, "ids">,
  unique: string,
  { runId, callId }: Pick<CallNames, "runId" | "callId">,
  tool: string,
  answer: PolicyAnswer,
): { readonly ending: RecordDraft; readonly error?: SimpleFunctionsError } {
  if (answer.outcome === "allow") return { ending: draftRecord("call.released", { runId, callId }) };
  const error = new PolicyDeniedError(
    `${tool}: it ran, and the host's policy withholds its output: ${answer.reason ?? "no reason given"}`,
    { details: { tool, stage: "post_tool", effectExecuted: true } },
  );
  const failure = failureContent(host, `${unique}-post`, error);
  const ending = draftRecord(
    "call.withheld",
    { runId, callId, error: failure.body },
    { content: [failure.row] },
  );
  return { ending, error };
}
