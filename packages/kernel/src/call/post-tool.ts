import {
  type Digest,
  isSimpleFunctionsError,
  PolicyDeniedError,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import type { Opening } from "../journal/fold-calls.ts";
import { readPayload } from "../journal/read-payload.ts";
import type { PolicyAnswer } from "../judge/input-gates.ts";
import { draftRecord, type RecordDraft } from "../journal/record-draft.ts";
import type { CallNames } from "../time/ids.ts";
import { askPolicy, type PostToolView } from "./ask-policy.ts";
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

/** Asks the host's policy about an output. It sees recorded forms, in copies of its own (B2). */
export async function askAboutOutput(
  { evaluatePostTool, clock, limits }: CallHost,
  opening: Pick<Opening, keyof Asked>,
  input: RecordedText,
  output: RecordedText,
): Promise<PolicyAnswer> {
  if (evaluatePostTool === undefined) return { outcome: "allow" };
  const { runId, callId, tool, toolDigest, sideEffect, costEffect, principal, origin } = opening as Asked;
  const values = readBoth(input, output);
  if (values === undefined) return { outcome: "deny", reason: "what it was to decide on cannot be read" };
  const view = Object.freeze({
    runId,
    callId,
    tool,
    toolDigest,
    sideEffect,
    costEffect,
    principal,
    origin,
    ...values,
    inputHash: input.hash,
    outputHash: output.hash,
  });
  return await askPolicy(evaluatePostTool, view, { clock, timeoutMs: limits.policyMs });
}

export type RecordedText = { readonly text: string; readonly hash: Digest };
/** A call that ran has all of these. */
type Asked = Omit<PostToolView, "input" | "inputHash" | "output" | "outputHash">;

function readBoth(
  input: RecordedText,
  output: RecordedText,
): Pick<PostToolView, "input" | "output"> | undefined {
  try {
    return { input: readPayload(input.text), output: readPayload(output.text) };
  } catch (error) {
    if (isSimpleFunctionsError(error)) return undefined;
    throw error;
  }
}
