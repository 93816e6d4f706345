// From a tool's end to the answer. J2: a result that cannot be committed is owed, the caller is told which effect it is about, and
// nothing further happens before it is written.
import { RecoveryNeededError, type SimpleFunctionsError } from "@spfunctions/contracts";
import type { CallSegment } from "../journal/account-journal.ts";
import type { Opening } from "../journal/fold-calls.ts";
import type { Claim, Durability, Head, Place } from "../store/store.ts";
import { type Allowed, receiptOf } from "./call-in-progress.ts";
import type { CallHost, CallOutcome } from "./call-host.ts";
import { callWake } from "./call-wake.ts";
import type { Conclusion } from "./conclude.ts";
import { askAboutOutput, endingOf, holdsOutputs } from "./post-tool.ts";
import { emitRecord } from "./project-events.ts";
import {
  type Changes,
  type Ending,
  type EndingTerms,
  endingWriter,
  type WrittenEnding,
} from "./write-ending.ts";

/** What the records of a call that has begun depend on. */
export type Begun = {
  readonly durability: Durability;
  readonly claim?: Claim | undefined;
  readonly segment: CallSegment;
  /** Its records so far. */
  readonly places: readonly Place[];
};

/** What the ending of a call that has begun is written with. */
export function termsOf(
  { opening, names, segment }: Allowed,
  { durability, claim, places }: Begun,
): EndingTerms {
  const { callId } = names;
  const wakes = segment && [callWake(callId)];
  return { durability, claim, places, accountId: opening.principal.accountId, callId, wakes };
}

/** J2: what cannot be written is owed, and its caller told. */
export async function writeOrOwe<Kind extends Ending>(
  { journal }: CallHost,
  call: Allowed,
  begun: Begun,
  ending: Kind,
  changes?: Changes<Kind>,
): Promise<WrittenEnding<Kind>> {
  const { segment } = begun;
  const write = endingWriter(termsOf(call, begun), ending, changes);
  try {
    return await write(segment);
  } catch (cause) {
    journal.owe(() => write(segment));
    const { names, tool } = call;
    const { name } = tool.contract;
    throw new RecoveryNeededError(
      `${name} ran, and how it ended could not be written to the journal (effect ${names.effectId}); it is written before anything else runs here, or settled when the store is opened next. Do not repeat it blindly`,
      { details: { tool: name, callId: names.callId, effectId: names.effectId }, cause },
    );
  }
}

/** The answer, or why there is none; a held output only once a record has released it. */
export async function finish(
  host: CallHost,
  call: Allowed,
  conclusion: Conclusion,
  at: Head,
  begun: Begun,
): Promise<CallOutcome> {
  const { output, body } = conclusion;
  const refusal =
    conclusion.error ?? (body.held === true ? await release(host, call, conclusion, begun) : undefined);
  const { spent } = body;
  const inputHash = call.input.recorded.hash;
  const outputHash = refusal === undefined ? output?.recorded.hash : undefined;
  const facts = { opening: call.opening as Opening, inputHash, outputHash, spent, at };
  const receipt = receiptOf(host, call.request, facts);
  if (refusal !== undefined || output === undefined) {
    return { type: "failed", error: refusal as SimpleFunctionsError, receipt };
  }
  const { runId, callId } = call.names;
  return {
    type: "completed",
    result: {
      tool: call.tool.contract.name,
      runId,
      callId,
      output: output.live.value,
      redacted: [...output.recorded.redacted],
      durationMs: body.durationMs,
      receipt,
    },
  };
}

/** Asks the host's policy about a held output, on its recorded form, and writes the answer before anybody gets it. */
async function release(
  host: CallHost,
  call: Allowed,
  { output }: Conclusion,
  begun: Begun,
): Promise<SimpleFunctionsError | undefined> {
  if (!holdsOutputs(host) || output === undefined) return undefined;
  const { opening, input, request } = call;
  const answer = await askAboutOutput(host, opening, input.recorded, output.recorded, request.signal);
  const { ending, error } = endingOf(host, call.unique, call.names, call.tool.contract.name, answer);
  const { record } = await writeOrOwe(host, call, begun, { record: ending, answers: "now" });
  emitRecord(call.watch, record, undefined);
  return error;
}
