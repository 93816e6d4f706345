// What a parent says to a child is on its own record first, once.
import { InvalidInputError, InvalidTransitionError } from "@spfunctions/contracts";
import type { LiveRun } from "../run/driver/live-run.ts";
import { messageIdOf, messageRecord } from "./child-records.ts";
import { type ChildShape, isAttached, mayFollow } from "./child-states.ts";
import type { Child, ChildMessage } from "./fold-child.ts";
import { childIn, note } from "./follow-child.ts";

/**
 * Times that one child is told something.
 * @limit child.messages | `invalid_transition` | fixed: a child that needs more is to be another one
 */
const mostMessages = 64;

type Said = Pick<ChildMessage, "messageId" | "text"> & { readonly call?: string | undefined };

/** Any word to a child that asks is the answer. */
export async function noteMessage(live: LiveRun, child: Child, said: Said): Promise<void> {
  const { childRunId } = child;
  await note(live, childRunId, (shape) => {
    const { told, asked } = childIn(live, childRunId);
    if (told.some(({ messageId }) => messageId === said.messageId)) return [];
    if (!mayFollow("subagent.message", shape)) throw notNow(child, shape, "told anything");
    if (told.length >= mostMessages)
      throw new InvalidTransitionError(
        `${childRunId} was told something ${mostMessages} times, and is told no more`,
      );
    const isReply = shape.phase === "asking";
    const replyTo = isReply ? asked?.messageId : undefined;
    return [messageRecord(live, childRunId, isReply ? "reply" : "message", { ...said, replyTo })];
  });
}

/** The child that a call has told something. */
export function toldBy({ run }: LiveRun, unique: string): Child {
  const messageId = messageIdOf(unique);
  const all = [...run.children.values()];
  const child = all.find(({ told }) => told.some((one) => one.messageId === messageId));
  if (child !== undefined) return child;
  throw erased("a message");
}

export function erased(what: string): InvalidInputError {
  return new InvalidInputError(
    `${what}: the process ended before it began, and what it was to be called with was erased; propose it again`,
    { details: { reason: "erased" } },
  );
}

export function notNow(
  { childRunId }: Child,
  { phase, isCancelling }: ChildShape,
  what: string,
): InvalidTransitionError {
  const isStopping = isCancelling && isAttached({ phase });
  return new InvalidTransitionError(
    `${childRunId} is ${isStopping ? "told to stop" : phase}: it cannot be ${what} now`,
    { details: { childRunId, reason: isStopping ? "child_cancelling" : `child_${phase}` } },
  );
}
