import type { TurnResult } from "@spfunctions/agent/spectator";
import type { OpenChat } from "./open-chat.ts";

const statuses = {
  completed: "completed",
  blocked: "stopped",
  failed: "failed",
  cancelled: "cancelled",
} as const;

/** A turn that has ended without anybody who watched it: what it has come to, as it is kept. */
export async function endedMeanwhile(
  { session, runs }: Pick<OpenChat, "session" | "runs">,
  runId: string,
): Promise<TurnResult> {
  const { end, spending } = await runs.read(runId);
  const { error } = await (await runs.get(runId)).result();
  const { recentMessages, revision } = await session.checkpoint();
  const since = recentMessages.findLastIndex(({ role }) => role === "user") + 1;
  const said = recentMessages.slice(since).filter(({ role }) => role === "assistant");
  return {
    status: statuses[end?.status ?? "failed"],
    runId,
    text: said.map(({ content }) => content).join("\n\n"),
    ...(error && { error }),
    approvals: [],
    unknownEffects: [],
    usage: spending.total,
    notes: [],
    refusedActions: [],
    citations: { cited: [], unknown: [] },
    problems: [],
    revision,
  };
}
