import {
  type ApprovalOfCall,
  type Capability,
  type CapabilityGrant,
  errorFor,
  RevisionConflictError,
  type SimpleFunctionsError,
  type Verdict,
} from "@spfunctions/contracts";
import { mostPendingOfKey } from "../capability/capabilities.ts";
import { holderOf } from "../capability/reach.ts";
import type { CallSegment } from "../journal/account-journal.ts";
import { draftContent, draftRecord } from "../journal/record-draft.ts";
import type { DocumentWrite, SealedRecord } from "../store/store.ts";
import { contentRef } from "../time/ids.ts";
import type { Tool } from "../tool/define-tool.ts";
import type { CallHost, CallOutcome } from "./call-host.ts";
import { type Call, receiptOf } from "./call-in-progress.ts";
import { callWake } from "./call-wake.ts";
import { failureContent } from "./conclude.ts";
import type { Unreadable } from "./payload.ts";
import type { PreparedInput } from "./prepare-input.ts";
import { emitRecord } from "./project-events.ts";
import { askedContent } from "./waiting-draft.ts";
import { safeText } from "./safe-text.ts";

/** What is known of a call that does not run. */
export type Refused = {
  readonly verdict: Verdict;
  readonly error: SimpleFunctionsError;
  readonly tool?: Tool | undefined;
  readonly input?: PreparedInput | Unreadable | undefined;
  /** The question to a person that it is about, and what is written of that in the same commit. */
  readonly approval?: ApprovalOfCall | undefined;
  /** Why a person is asked. */
  readonly why?: string | undefined;
  readonly documents?: readonly DocumentWrite[] | undefined;
  /** The capability for want of which it does not run. */
  readonly lacks?: Capability | undefined;
  /** Where it has waited. */
  readonly segment?: CallSegment | undefined;
};

/** Refusals are kept too: silence is never the record of a decision. */
export async function refuseCall(host: CallHost, call: Call, refused: Refused): Promise<CallOutcome> {
  // Another call may have asked at the same time: for the same, then it is one question, and both are told of it; or for something
  // else, and the questions are counted anew, until there are enough.
  const times = refused.lacks === undefined ? 1 : mostPendingOfKey + 3;
  for (let time = 0; time < times; time++) {
    // oxlint-disable-next-line no-await-in-loop -- again only where somebody else was first
    const outcome = await tryRefuse(host, call, refused);
    if (outcome !== undefined) return outcome;
  }
  throw new RevisionConflictError("the journal was changed at the same time; nothing has run, try again");
}

/** Nothing where what was to be written with it has been changed by somebody else. */
export async function tryRefuse(
  host: CallHost,
  call: Call,
  refused: Refused,
): Promise<CallOutcome | undefined> {
  const { verdict, tool, input, approval, segment } = refused;
  const asks = refused.lacks && (await askFor(host, refused.lacks, refused));
  const error = lacking(refused, asks?.grant);
  const documents = asks?.writes ?? refused.documents;
  const { runId, callId, traceId } = call.names;
  const recorded = input?.type === "prepared" ? input.recorded : undefined;
  const content =
    recorded && draftContent(contentRef(call.unique, "input"), host.ids.salt(), recorded.text, recorded.hash);
  const failure = failureContent(host, call.unique, error);
  const note = askedContent(host, call.unique, verdict, refused.why);
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
    ...(approval && { approval }),
    ...(note && { note: note.digest }),
    ...(asks && { asks: { grantId: asks.grant.grantId, capability: asks.grant.capability } }),
    ...(segment && { waited: true as const }),
  };
  const rows = [content?.row, failure.row, note?.row].filter((row) => row !== undefined);
  const draft = draftRecord("call.refused", opening, { content: rows });
  const unit = {
    durability: documents === undefined ? "process" : "power",
    records: [draft],
    documents,
    wakes: segment && [callWake(callId)],
  } as const;
  const written =
    segment === undefined ? (await host.journal.open(unit, contract)).written : await segment.write(unit);
  if (written.type === "conflict") return undefined;
  const [record] = written.records as [SealedRecord];
  emitRecord(call.watch, record, undefined);
  const receipt = receiptOf(host, call.request, {
    opening,
    inputHash: recorded?.hash,
    spent: {},
    at: record,
  });
  return { type: "refused", error, receipt };
}

/** The same refusal, with what an operator could grant, and under which id that was asked for. */
function lacking(
  { error, lacks }: Pick<Refused, "error" | "lacks">,
  asked: CapabilityGrant | undefined,
): SimpleFunctionsError {
  if (lacks === undefined) return error;
  const { code, message, retry, cause } = error;
  const details = { ...error.details, capability: lacks, ...(asked && { grantId: asked.grantId }) };
  return errorFor(code, message, { details, retry, cause });
}

/** What a model lacks an operator is asked for; a person who calls can ask for themselves. */
async function askFor(
  host: CallHost,
  capability: Capability,
  { tool }: Pick<Refused, "tool">,
): Promise<{ readonly grant: CapabilityGrant; readonly writes?: readonly DocumentWrite[] } | undefined> {
  if (host.origin === "direct") return undefined;
  const reason = `${tool?.contract.name ?? "a call"} was refused for want of it`;
  const wish = { capability, asker: host.principal, reason };
  const asked = await host.capabilities.ask(wish, holderOf(host), host.limits.pendingCapabilities);
  return asked.type === "asked" ? asked : undefined;
}
