// A call as it happens: its events, then the answer that it would have had as a plain request.
import { errorCodes } from "@spfunctions/contracts";
import type { CallOutcome } from "@spfunctions/kernel";
import { errorText, type ErrorTerms, headersOf, resultText } from "../route/answer.ts";
import type { ReadyCall, ToolRun } from "../route/tool-handler.ts";
import { shownEvent } from "./shown-event.ts";

const encoder = new TextEncoder();

export function callStream(call: ReadyCall, run: ToolRun, terms: ErrorTerms): Response {
  let isRead = true;
  const body = new ReadableStream<Uint8Array>({
    start: async (controller) => {
      const say = (event: string, data: string) => {
        if (isRead) controller.enqueue(encoder.encode(`event: ${event}\ndata: ${data}\n\n`));
      };
      const outcome = await run(call, terms.requestId, (event) =>
        say(event.type, JSON.stringify(shownEvent(event))),
      );
      say("answer", answerText(outcome, terms));
      if (isRead) controller.close();
    },
    cancel: () => {
      isRead = false;
    },
  });
  const headers = { ...headersOf(terms), "content-type": "text/event-stream", "x-accel-buffering": "no" };
  return new Response(body, { status: 200, headers });
}

function answerText(outcome: CallOutcome, { requestId }: ErrorTerms): string {
  if (outcome.type === "completed") return resultText(outcome.result, requestId);
  const { error, receipt, replayed } = outcome;
  return errorText(error, errorCodes[error.code].status, { requestId, receipt, replayed });
}
