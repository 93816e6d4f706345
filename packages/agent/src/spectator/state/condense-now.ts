// What no longer fits into the recent messages is told in the summary, one line for each. The same checkpoint makes the same one, without a
// clock and without a model. B31: goals, open loops, decisions and constraints are not touched.
import type { ChatMessage, Checkpoint } from "@spfunctions/contracts";
import type { AgentLimits } from "./agent-limits.ts";
import { foldInto } from "./folded-summary.ts";

export type CondenseLimits = Pick<
  AgentLimits,
  "recentMessages" | "recentChars" | "summaryChars" | "lineChars"
>;

export type MessageSize = { readonly messages: number; readonly chars: number };

export type Condensed = {
  readonly checkpoint: Checkpoint;
  readonly before: MessageSize;
  readonly after: MessageSize;
  /** What is no longer there word for word, oldest first. */
  readonly dropped: readonly ChatMessage[];
};

export function needsCondensing(checkpoint: Checkpoint, limits: CondenseLimits): boolean {
  return (
    !fits(checkpoint.recentMessages, limits) || checkpoint.state.episodeSummary.length > limits.summaryChars
  );
}

/** The checkpoint within its bounds; the same one where it is already. */
export function condenseNow(checkpoint: Checkpoint, limits: CondenseLimits): Condensed {
  const { recentMessages, state } = checkpoint;
  const before = sizeOf(recentMessages);
  if (!needsCondensing(checkpoint, limits)) return { checkpoint, before, after: before, dropped: [] };
  const kept = keptOf(recentMessages, limits);
  const dropped = recentMessages.filter((_, index) => !kept.has(index));
  const staying = recentMessages.filter((_, index) => kept.has(index));
  const episodeSummary = foldInto(state.episodeSummary, dropped, limits);
  return {
    checkpoint: { ...checkpoint, state: { ...state, episodeSummary }, recentMessages: staying },
    before,
    after: sizeOf(staying),
    dropped,
  };
}

/**
 * Which messages stay: the newest turns that fit, whole. A turn begins with what a user says. Where not even the last one fits, what the
 * user said in it and its end, so that nothing a tool answered stands without what asked for it.
 */
function keptOf(messages: readonly ChatMessage[], limits: CondenseLimits): ReadonlySet<number> {
  if (fits(messages, limits)) return range(0, messages.length);
  const from = fitFrom(messages, limits);
  const turn = messages.findIndex(({ role }, index) => index >= from && role === "user");
  if (turn !== -1) return range(turn, messages.length);
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const question = messages[asked];
  const left = {
    recentMessages: limits.recentMessages - 1,
    recentChars: limits.recentChars - (question?.content.length ?? 0),
  };
  if (question === undefined || left.recentChars < 0) return new Set();
  const end = Math.max(fitFrom(messages, left), asked + 1);
  const said = messages.findIndex(({ role }, index) => index >= end && role === "assistant");
  // A question without its answer would be answered again.
  return said === -1 ? new Set() : new Set([asked, ...range(said, messages.length)]);
}

/** The first place from which on everything fits. */
function fitFrom(
  messages: readonly ChatMessage[],
  { recentMessages, recentChars }: Pick<CondenseLimits, "recentMessages" | "recentChars">,
): number {
  let left = recentChars;
  let from = messages.length;
  while (from > 0 && messages.length - from < recentMessages) {
    left -= messages[from - 1]?.content.length ?? 0;
    if (left < 0) break;
    from -= 1;
  }
  return from;
}

function fits(messages: readonly ChatMessage[], limits: CondenseLimits): boolean {
  return fitFrom(messages, limits) === 0;
}

function sizeOf(messages: readonly ChatMessage[]): MessageSize {
  return { messages: messages.length, chars: messages.reduce((sum, { content }) => sum + content.length, 0) };
}

function range(from: number, to: number): Set<number> {
  return new Set(Array.from({ length: to - from }, (_, index) => from + index));
}
