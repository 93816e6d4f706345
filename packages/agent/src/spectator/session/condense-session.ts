// Condensing is a revision of its own: it can be looked at, compared and undone. B31: what is to be reached, finished and obeyed is the same after
// it, word for word: nothing but the summary and the messages changes.
import type { ChatMessage, Checkpoint, SessionId } from "@spfunctions/contracts";
import type { Revision } from "../checkpoints/revision-content.ts";
import { type CondenseLimits, type Condensed, condenseNow, type MessageSize } from "../state/condense-now.ts";
import { type CheckpointDiff, diffCheckpoints } from "../state/diff-checkpoints.ts";
import type { SessionParts } from "./session-parts.ts";

export type CondensedSession = {
  readonly how: "now" | "smart";
  /** What was wanted and could not be done, and why. */
  readonly fellBack?: string;
  readonly before: MessageSize;
  readonly after: MessageSize;
  readonly diff: CheckpointDiff;
  readonly revision: Revision;
};

/** Half of what a model is shown at most stays, so that the next turns need none. Nothing where there is nothing to condense. */
export async function condenseSession(
  parts: SessionParts,
  sessionId: string,
  how: "now" | "smart",
  signal?: AbortSignal,
): Promise<CondensedSession | undefined> {
  const { checkpoints } = parts;
  for (;;) {
    /* oxlint-disable no-await-in-loop -- again only where somebody else has written a revision meanwhile */
    const latest = await checkpoints.open(sessionId);
    const from = latest.current;
    const condensed = condenseNow(from, halfOf(parts.limits));
    if (condensed.dropped.length === 0) return undefined;
    const count = await checkpoints.importedMessages(latest);
    const imported = new Set(from.recentMessages.slice(0, count ?? 0));
    await remember(parts, from, condensed.dropped, imported);
    const smart = how === "smart" ? await summarised(parts, from, condensed, signal) : undefined;
    const isSmart = typeof smart === "object";
    const done = isSmart ? smart : condensed;
    const { state, recentMessages, traceTail = [] } = done.checkpoint;
    const by = isSmart ? "smart" : "now";
    const importedMessages = count && recentMessages.filter((one) => imported.has(one)).length;
    const written = await checkpoints.append(
      sessionId,
      latest,
      { state, recentMessages, importedMessages, traceTail },
      { type: "condensed", how: by },
    );
    /* oxlint-enable no-await-in-loop */
    if ("type" in written) continue;
    return {
      how: by,
      ...(typeof smart === "string" && { fellBack: smart }),
      before: condensed.before,
      after: condensed.after,
      diff: diffCheckpoints(from, written.current),
      revision: written,
    };
  }
}

function halfOf({ recentMessages, recentChars, ...limits }: CondenseLimits): CondenseLimits {
  return {
    ...limits,
    recentMessages: Math.max(1, Math.floor(recentMessages / 2)),
    recentChars: Math.max(1, Math.floor(recentChars / 2)),
  };
}

/** The same, with a summary by the model in place of quoted lines; or why there is none. */
async function summarised(
  { summariser, limits }: SessionParts,
  from: Checkpoint,
  condensed: Condensed,
  signal: AbortSignal | undefined,
): Promise<Condensed | string> {
  const { episodeSummary } = from.state;
  const said = await summariser
    .summary(episodeSummary, condensed.dropped, { mostChars: limits.summaryChars, signal, of: from })
    .catch((error: unknown) => (error instanceof Error ? error : new Error("it could not be asked")));
  if (said === undefined) return "the model gave no summary that fits";
  if (typeof said !== "string") return said.message;
  const state = { ...condensed.checkpoint.state, episodeSummary: said };
  return { ...condensed, checkpoint: { ...condensed.checkpoint, state } };
}

/** What is shown no more can still be found. Where it cannot be remembered it is on record all the same. */
async function remember(
  { memory, trouble }: SessionParts,
  { sessionId, revision }: Checkpoint,
  dropped: readonly ChatMessage[],
  imported: ReadonlySet<ChatMessage>,
): Promise<void> {
  const types = { user: "user", assistant: "model", tool: "tool", system: "model" } as const;
  for (const message of dropped) {
    const { role, content } = message;
    if (content.trim() === "") continue;
    // B32: what a text says that a user has said, no user has said here.
    const type = imported.has(message) ? ("import" as const) : types[role];
    const source = { type, sessionId: sessionId as SessionId, revision };
    // oxlint-disable-next-line no-await-in-loop -- in their order
    await memory.rememberLong({ text: content, source }).catch((error: unknown) => {
      trouble({ what: "a message that is shown no more could not be remembered", error });
    });
  }
}
