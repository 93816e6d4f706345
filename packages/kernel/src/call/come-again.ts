// X1: whoever comes again with a key gets the answer that was recorded, and nothing runs.
import {
  canonicalJson,
  errorFor,
  hashText,
  RevisionConflictError,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import { draftRecord, type RecordDraft } from "../journal/record-draft.ts";
import type { DraftConflict } from "../journal/stream-writer.ts";
import type { RecordedAnswer } from "../replay/recorded-answer.ts";
import type { Claim, Place, SealedRecord } from "../store/store.ts";
import { type Allowed, asWanted, receiptOf } from "./call-in-progress.ts";
import type { CallHost, CallOutcome } from "./call-host.ts";
import { callWake } from "./call-wake.ts";
import { answerClaimed } from "./claims.ts";
import { failureContent } from "./conclude.ts";
import { askAboutOutput, endingOf, holdsOutputs } from "./post-tool.ts";
import { emitRecord } from "./project-events.ts";
import { refuseCall } from "./refuse-call.ts";

/** Somebody had the key before. What is answered then is a decision like any other, and recorded. */
export async function comeAgain(
  host: CallHost,
  call: Allowed,
  claim: Claim | undefined,
  conflict: DraftConflict,
): Promise<CallOutcome> {
  const { tool, input } = call;
  const { name } = tool.contract;
  if (claim === undefined || conflict.on !== "claim" || conflict.claim === undefined) {
    throw new RevisionConflictError(
      `${name}: the journal was changed at the same time; nothing has run, try again`,
    );
  }
  const answered = await answerClaimed(host.store, conflict.claim, tool, input.recorded.hash);
  if (answered.type === "refused") {
    return await refuseCall(host, call, {
      verdict: call.opening.verdict,
      error: answered.error,
      tool,
      input,
      segment: call.segment,
      ...unused(call),
    });
  }
  const { stream, callId } = answered.of;
  const withheld = await withheldNow(host, call, answered.answer);
  return await repeat(host, call, answered.answer, { stream, callId }, withheld);
}

/** A host's policy has its say about an output each time it is given out, whoever looked at it before. */
async function withheldNow(
  host: CallHost,
  call: Allowed,
  answer: RecordedAnswer,
): Promise<SimpleFunctionsError | undefined> {
  if (!holdsOutputs(host) || answer.type === "failed") return undefined;
  const text = canonicalJson(answer.result.output);
  const said = await askAboutOutput(host, call.opening, call.input.recorded, { text, hash: hashText(text) });
  return endingOf(host, call.unique, call.names, call.tool.contract.name, said).error;
}

async function repeat(
  host: CallHost,
  call: Allowed,
  answer: RecordedAnswer,
  of: Pick<Place, "stream"> & Pick<Allowed["own"], "callId">,
  withheld: SimpleFunctionsError | undefined,
): Promise<CallOutcome> {
  const { own, shared, inputRow, watch, unique, request } = call;
  const error = withheld ?? (answer.type === "failed" ? answer.error : undefined);
  const failure = error && failureContent(host, unique, error);
  const body = { ...own, of, ...(failure && { error: failure.body }), ...unused(call) };
  const content = failure === undefined ? [inputRow] : [inputRow, failure.row];
  const draft = draftRecord("call.repeated", body, { shared, content });
  const record = await write(host, call, draft);
  emitRecord(watch, record, undefined);
  if (withheld !== undefined) {
    const opening = { ...call.opening, ...unused(call) };
    const facts = { opening, inputHash: call.input.recorded.hash, spent: {}, at: record };
    return { type: "failed", error: withheld, receipt: receiptOf(host, request, facts) };
  }
  if (answer.type === "failed") {
    const receipt = asWanted(host, request, answer.receipt);
    return { ...answer, error: saidAgain(answer.error), receipt, replayed: true };
  }
  const { result } = answer;
  return { ...answer, result: { ...result, receipt: asWanted(host, request, result.receipt) } };
}

/** Nothing ran: whoever tries once more with the same key is told the same once more. */
function saidAgain({ code, message, details, cause }: SimpleFunctionsError): SimpleFunctionsError {
  return errorFor(code, message, { details: { ...details, replayed: true }, retry: "never", cause });
}

/** A1: by the approval that a call has waited for nothing ran. */
function unused({ segment, approved }: Allowed) {
  if (segment === undefined || approved === undefined) return {};
  return { waited: true, approval: { ...approved.approval, status: "approved" } } as const;
}

/** A call that has waited ends where it has. */
async function write(
  { journal }: CallHost,
  { segment, tool, names }: Allowed,
  record: RecordDraft,
): Promise<SealedRecord> {
  const draft = { durability: "process", records: [record] } as const;
  if (segment === undefined) return (await journal.append(draft, tool.contract)).records[0];
  const written = await segment.write({ ...draft, wakes: [callWake(names.callId)] });
  if (written.type === "written") return written.records[0] as SealedRecord;
  throw new RevisionConflictError(`how ${names.callId} ended is already written`);
}
