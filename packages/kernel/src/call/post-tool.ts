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
import { type HiddenParts, hiddenPartsIn } from "./hidden-parts.ts";

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

/** Whether anybody has a say about outputs: then each is held until they have said it. */
export function holdsOutputs({
  evaluatePostTool,
  hooks,
}: Pick<CallHost, "evaluatePostTool" | "hooks">): boolean {
  return evaluatePostTool !== undefined || hooks?.objectionToOutput !== undefined;
}

/** Asks hooks about an output, then the host's policy. They see recorded forms, in copies of their own (B2). */
export async function askAboutOutput(
  {
    evaluatePostTool,
    hooks,
    clock,
    limits,
    routeOf,
  }: Pick<CallHost, "evaluatePostTool" | "hooks" | "clock" | "limits" | "routeOf">,
  opening: Pick<Opening, keyof Asked>,
  input: RecordedText,
  output: RecordedText,
  signal?: AbortSignal,
): Promise<PolicyAnswer> {
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
    principal: structuredClone(principal),
    origin,
    ...values,
    inputHash: input.hash,
    outputHash: output.hash,
    hidden: input.hiddenParts?.all ?? hiddenPartsIn(values.input),
    outputHidden: output.hiddenParts?.all ?? hiddenPartsIn(values.output),
    route: routeOf(tool),
  });
  const objection = await hooks?.objectionToOutput?.(view, signal);
  if (objection !== undefined) return objection;
  if (evaluatePostTool === undefined) return { outcome: "allow" };
  return await askPolicy(evaluatePostTool, view, { clock, timeoutMs: limits.policyMs });
}

export type RecordedText = {
  readonly text: string;
  readonly hash: Digest;
  readonly hiddenParts?: HiddenParts | undefined;
};
/** A call that ran has all of these. */
type Asked = Omit<
  PostToolView,
  "input" | "inputHash" | "output" | "outputHash" | "hidden" | "outputHidden" | "route"
>;

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
