import { CancelledError } from "@spfunctions/contracts";
import { isAborted } from "../time/abort-signal.ts";
import { lookElsewhere } from "./answered-elsewhere.ts";
import type { CallHost, CallOutcome } from "./call-host.ts";
import { effectCall } from "./effect-call.ts";
import { asFault, giveUp, goOnBy, type SentCall } from "./wait-elsewhere.ts";

/** What a call that waits for an answer given elsewhere comes to as that stands now. Nothing while nobody has answered there. */
export async function sendAgain(host: CallHost, sent: SentCall): Promise<CallOutcome | undefined> {
  const { call, tool, approval } = sent;
  if (isAborted(call.request.signal)) {
    const { name } = tool.contract;
    const error = new CancelledError(`${name}: cancelled while it waited; nothing has happened`);
    return (await giveUp(host, sent, "cancelled", error)).outcome;
  }
  const answer = await lookElsewhere(tool, approval, host.closing).catch(asFault);
  if (answer === undefined || ("status" in answer && answer.status === "pending")) return undefined;
  const gone = await goOnBy(host, sent, answer);
  return gone.type === "send" ? await effectCall(host, gone.call) : gone.outcome;
}
