import type { AgentEvent } from "@spfunctions/contracts";
import { shownOf } from "../route/shown-error.ts";

/** An event as it may be shown over HTTP: of what a call failed with, no more than its answer says when it is given again. */
export function shownEvent(event: AgentEvent): AgentEvent {
  if (!("error" in event)) return event;
  const { code, message, reason } = event.error;
  const details = { ...("tool" in event && { tool: event.tool }), ...(reason !== undefined && { reason }) };
  const shown = shownOf({ code, message, details }, "record");
  const kept = shown.details?.reason;
  return { ...event, error: { code, message: shown.message, ...(kept !== undefined && { reason: kept }) } };
}
