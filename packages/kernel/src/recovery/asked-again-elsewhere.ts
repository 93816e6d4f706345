// A call that is sent again after a crash, and about which a person is asked where it would have run, goes back to waiting.
import type { ApprovalOfCall } from "@spfunctions/contracts";
import type { CallHost } from "../call/call-host.ts";
import { type Attempted, conclude } from "../call/conclude.ts";
import type { PreparedInput } from "../call/prepare-input.ts";
import { endedWaiting, questionElsewhere } from "../call/wait-elsewhere.ts";
import { waitingDraft } from "../call/waiting-draft.ts";
import { endingWriter } from "../call/write-ending.ts";
import type { CallState } from "../journal/fold-calls.ts";
import { draftRecord } from "../journal/record-draft.ts";
import { textOf } from "../replay/recorded-answer.ts";
import { nameCall, uniqueOf } from "../time/ids.ts";
import type { Tool } from "../tool/define-tool.ts";
import { inputIn, type Intent } from "./plan-recovery.ts";
import type { Content } from "./settle-held.ts";
import { lateEnding, type Settled, type SettlingWriter } from "./settled.ts";

export type SentAgain = { readonly tool: Tool; readonly ended: Attempted; readonly content: Content };

/** Nothing where nobody is asked. */
export async function waitElsewhereAgain(
  host: CallHost,
  writer: SettlingWriter,
  call: CallState,
  { tool, ended, content }: SentAgain,
): Promise<Settled | undefined> {
  const intent = call.opening as Intent;
  const { approval } = intent;
  const sent = { request: {}, tool, approved: approval && { approval } };
  const asked = questionElsewhere(host, sent, ended.execution);
  if (asked === undefined) return undefined;
  const { runId, callId, effectId, tool: name } = intent;
  const execution = endedWaiting(ended.execution);
  const ending = conclude(host, tool, uniqueOf(intent), { ...ended, execution, held: false });
  const record = draftRecord("call.settled", { runId, callId, effectId, ...ending.body }, ending);
  const next = waitingFor({ ...host, origin: intent.origin }, intent, tool, { asked, content });
  const terms = await lateEnding(host, writer, intent, [writer.placeOf(call.openedAt)]);
  await endingWriter({ ...terms, durability: "power" }, { record, next, answers: "never" })(writer);
  const { approvalId, expiresAt } = asked;
  return {
    callId,
    tool: name,
    outcome: "left",
    by: "nobody",
    keyId: intent.principal.keyId,
    reason: `it waits for ${approvalId}, which an operator can answer until ${expiresAt}`,
    waitsFor: { approvalId, expiresAt, stream: writer.stream, elsewhere: name },
  };
}

function waitingFor(
  host: CallHost,
  intent: Intent,
  tool: Tool,
  { asked, content }: { readonly asked: ApprovalOfCall; readonly content: Content },
) {
  const { runId, effectId, traceId, idempotencyKey, verdict } = intent;
  const unique = uniqueOf(intent);
  // A key of its own is the effect's id, and the next attempt's is another.
  const request = { tool: intent.tool, ...(idempotencyKey === effectId ? {} : { idempotencyKey }) };
  const names = { ...nameCall(unique, traceId), runId };
  const input = inputIn(textOf(content.get(intent.input.ref)) ?? "") as PreparedInput;
  const call = { request, unique, names, watch: undefined };
  return waitingDraft(host, { call, tool, input, verdict }, asked);
}
