import { type AgentEvent, endsRun, UpstreamError } from "@spfunctions/contracts";
import { refuseKeyInBrowser, requireCredential } from "../identity/require-credential.ts";
import type { Limits } from "../options/limits.ts";
import type { Connection } from "../wire/connection.ts";
import { Deadline } from "../wire/deadline.ts";
import { earlyFault } from "../wire/faults.ts";
import type { Failure } from "../wire/outcome.ts";
import { EventConnection } from "./event-connection.ts";
import { type EventsOptions, eventsRequest } from "./events-request.ts";
import { Patience } from "./patience.ts";
import { readEvent } from "./read-event.ts";
import { SseParser } from "./sse-parser.ts";

/** An event, and the cursor with which to go on after it. */
export type FollowedEvent = { readonly event: AgentEvent; readonly cursor: string };

/**
 * The events of the account, or of one run to its end. After a break it goes on where it was: nothing is lost and
 * nothing comes twice. It ends with its run, with its caller, or with the error that a longer wait would not mend.
 */
export async function* followEvents(
  connection: Connection,
  limits: Limits,
  options: EventsOptions,
): AsyncGenerator<FollowedEvent, void, undefined> {
  requireCredential(connection.credential, "events");
  const patience = new Patience(limits);
  const whole = new Deadline(limits.timing, undefined, options.signal);
  let cursor = options.after ?? "";
  try {
    for (;;) {
      refuseKeyInBrowser(connection.credential);
      refuseCancelled(whole);
      const request = eventsRequest(options, cursor);
      // oxlint-disable-next-line no-await-in-loop -- one connection after the other
      const opened = await EventConnection.open(connection, limits, request, whole.signal);
      const parser = new SseParser(cursor);
      let failure: Failure;
      if (opened.type === "failed") failure = opened;
      else if (opened.value === "over") return;
      else {
        patience.connected();
        const end = yield* eventsOf(opened.value, parser, limits, whole, options.runId, patience);
        cursor = parser.lastId;
        if (end === "over") return;
        failure = brokenOff(end);
      }
      // oxlint-disable-next-line no-await-in-loop -- the wait is what it is for
      await whole.sleep(patience.waitAfter(failure, parser.retryMs, cursor)).catch(() => {});
    }
  } finally {
    whole.close();
  }
}

type End = "over" | "ended" | "broken";

/** What one connection brings, and how it ended. */
async function* eventsOf(
  stream: EventConnection,
  parser: SseParser,
  limits: Limits,
  whole: Deadline,
  runId: string | undefined,
  patience: Patience,
): AsyncGenerator<FollowedEvent, End, undefined> {
  try {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- one chunk comes after the other
      const bytes = await stream.next(limits, whole.signal);
      if (bytes === undefined) return "ended";
      if (bytes === "broken") return "broken";
      patience.progressed();
      for (const message of parser.push(bytes)) {
        const event = readEvent(message);
        if (event === undefined) continue;
        yield { event, cursor: message.id };
        if (runId !== undefined && event.runId === runId && endsRun(event)) return "over";
      }
    }
  } finally {
    stream.close();
  }
}

function brokenOff(end: End): Failure {
  const error = new UpstreamError(`events: the stream ${end === "ended" ? "ended" : "broke off"}`, {
    details: { reason: "stream_broken" },
  });
  return { type: "failed", error, mayHelp: true };
}

function refuseCancelled({ early }: Deadline): void {
  if (early !== undefined) throw earlyFault({ name: "events", isRepeatable: true }, early, true);
}
