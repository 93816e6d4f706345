import type { AgentEvent } from "./agent-event.ts";

/** Whether an event is the last one of its run: nothing of the run comes after it. */
export function endsRun({ type }: Pick<AgentEvent, "type">): boolean {
  return type === "run.completed" || type === "run.failed";
}
