import type { AgentEvent } from "@spfunctions/contracts";

/** `run.started` at 2.0, as it is written down: the place of what is journaled, `live` for what is not. */
export function shown(events: readonly AgentEvent[]): string[] {
  return events.map((event) =>
    "seq" in event ? `${event.type} ${event.seq}.${event.index}` : `${event.type} live`,
  );
}

/** Which promises the events of one call break; none, in a good one. */
export function brokenPromises(events: readonly AgentEvent[]): string[] {
  const problems: string[] = [];
  const types = events.map(({ type }) => type);
  const ends = types.filter((type) => type === "run.completed" || type === "run.failed");
  if (types[0] !== "run.started") problems.push("does not begin with run.started");
  if (ends.length !== 1 || ends[0] !== types.at(-1)) problems.push(`ends: ${types.join(" ")}`);
  const places = events.flatMap((event) => ("seq" in event ? [event.seq * 1000 + event.index] : []));
  if (places.some((place, at) => at > 0 && place <= (places[at - 1] ?? 0))) problems.push("out of order");
  // A call that was asked about is decided once more when it goes on.
  const checked = events.findLast((event) => event.type === "policy.checked");
  const isRefused = checked?.type === "policy.checked" && checked.verdict.outcome !== "allow";
  if (isRefused && types.includes("tool.started")) problems.push("starts what was refused");
  const asked = types.indexOf("approval.required");
  const answered = types.indexOf("approval.resolved");
  if (answered !== -1 && (asked === -1 || asked > answered)) problems.push("answers what was not asked");
  if (
    new Set(types.filter((type) => type.startsWith("approval."))).size <
    types.filter((type) => type.startsWith("approval.")).length
  )
    problems.push("asks or answers twice");
  if (new Set(events.map(({ runId }) => runId)).size > 1) problems.push("belongs to several runs");
  return problems;
}
