import { maxCursorChars, runIdSchema, refuseUnknown } from "@spfunctions/contracts";
import { malformed } from "../options/check-options.ts";
import type { WireRequest } from "../wire/connection.ts";

/** Which events to follow, and from where. */
export type EventsOptions = {
  /** Only this run's, to its last one. */
  readonly runId?: string | undefined;
  /** An event's `cursor`: what came after it. */
  readonly after?: string | undefined;
  readonly signal?: AbortSignal | undefined;
};

export function checkEventsOptions(options: EventsOptions): void {
  refuseUnknown(options, ["runId", "after", "signal"], "events option");
  if (options.runId !== undefined && !runIdSchema.safeParse(options.runId).success) {
    throw malformed("runId", "is no run's id");
  }
  if (options.after !== undefined && !isCursor(options.after)) {
    throw malformed("after", "is no cursor; give one that an event came with");
  }
}

/** Whether it can travel as one; what it says is the platform's to read. */
function isCursor(after: string): boolean {
  return /^[\x21-\x7e]+$/.test(after) && after.length <= maxCursorChars;
}

export function eventsRequest({ runId }: EventsOptions, cursor: string): WireRequest {
  return {
    method: "GET",
    path: runId === undefined ? "/api/events" : `/api/runs/${encodeURIComponent(runId)}/events`,
    headers: { accept: "text/event-stream", ...(cursor === "" ? {} : { "last-event-id": cursor }) },
    withKey: true,
  };
}
