// What its parent writes into a child's journal, by the process that drives it.
import { draftContent, draftRecord } from "../../journal/record-draft.ts";
import type { ChildMessage } from "../../subagent/fold-child.ts";
import { contentRef } from "../../time/ids.ts";
import type { LiveRun } from "./live-run.ts";

/** Once for each message, also where it is told so again. Whether it was: not where the child has ended before. */
export async function tellLive(live: LiveRun, { messageId, replyTo, text }: ChildMessage): Promise<boolean> {
  const { runId } = live.run.opening;
  const { row, digest } = draftContent(
    contentRef(messageId.slice("msg_".length), "told"),
    live.host.ids.salt(),
    text,
  );
  const body = { runId, messageId, ...(replyTo !== undefined && { replyTo }), input: digest };
  const records = [draftRecord("run.told", body, { content: [row] })];
  const isNew = () => live.run.end === undefined && !live.run.told.has(messageId);
  return (
    (await live.journal.appendIf(isNew, { durability: "process", records })) || live.run.told.has(messageId)
  );
}

/** Whether it is so from here on: not where the child has ended. */
export async function ownLive(live: LiveRun, owner: "parent" | "host"): Promise<boolean> {
  const { runId } = live.run.opening;
  const isNews = () => live.run.end === undefined && live.run.isDetached !== (owner === "host");
  const records = [draftRecord("run.owned", { runId, owner })];
  await live.journal.appendIf(isNews, { durability: "process", records });
  return live.run.isDetached === (owner === "host") && live.run.end === undefined;
}
