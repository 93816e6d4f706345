// A call as it happens: its events, then the answer that it would have had as a plain request.
import { errorCodes } from "@spfunctions/contracts";
import { type CallOutcome, WaitingEvents } from "@spfunctions/kernel";
import { type AnswerTerms, errorText, headersOf, resultText } from "../route/answer.ts";
import type { ReadyCall, ToolRun } from "../route/tool-handler.ts";
import { shownEvent } from "./shown-event.ts";

const encoder = new TextEncoder();

export function callStream(call: ReadyCall, run: ToolRun): Response {
  const { terms } = call;
  const waiting = new WaitingEvents();
  let isRead = true;
  const outcome = run(call, (event) => {
    if (isRead) waiting.push(event);
  }).finally(waiting.end);
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const event = await waiting.next();
    const message =
      event === undefined
        ? messageOf("answer", answerText(await outcome, terms))
        : messageOf(event.type, JSON.stringify(shownEvent(event)));
    if (!isRead) return;
    controller.enqueue(message);
    if (event === undefined) controller.close();
  };
  const cancel = () => {
    isRead = false;
  };
  const headers = { ...headersOf(terms), "content-type": "text/event-stream", "x-accel-buffering": "no" };
  // Nothing is put into words ahead of whoever reads it.
  const body = new ReadableStream<Uint8Array>({ pull, cancel }, { highWaterMark: 0 });
  return new Response(body, { status: 200, headers });
}

function messageOf(event: string, data: string): Uint8Array {
  return encoder.encode(`event: ${event}\ndata: ${data}\n\n`);
}

function answerText(outcome: CallOutcome, terms: AnswerTerms): string {
  if (outcome.type === "completed") return resultText(outcome.result, terms);
  const { error, receipt, replayed } = outcome;
  return errorText(error, errorCodes[error.code].status, { ...terms, receipt, replayed });
}
