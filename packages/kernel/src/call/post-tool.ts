import {
  type Digest,
  PolicyDeniedError,
  readCanonicalJson,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import type { PolicyAnswer } from "../judge/input-gates.ts";
import { draftRecord, type RecordDraft } from "../journal/record-draft.ts";
import type { CallNames } from "../time/ids.ts";
import { askPolicy } from "./ask-policy.ts";
import type { CallHost } from "./call-host.ts";
import { type Allowed, policyViewOf } from "./call-in-progress.ts";
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

/** Asks the host's policy about an output, on its recorded form. */
export async function askAboutOutput(
  host: CallHost,
  call: Allowed,
  { text, hash }: { readonly text: string; readonly hash: Digest },
): Promise<PolicyAnswer> {
  const { evaluatePostTool, clock, limits } = host;
  if (evaluatePostTool === undefined) return { outcome: "allow" };
  const view = policyViewOf(host, call.names, call.tool, call.input);
  const post = Object.freeze({ ...view, output: readCanonicalJson(text), outputHash: hash });
  return await askPolicy(evaluatePostTool, post, { clock, timeoutMs: limits.policyMs });
}
