import type { TurnEvent } from "@spfunctions/contracts";
import { event, logText, type TurnLog, turnEvents } from "../turn/turn-log.ts";
import type { CondensedSession } from "./condense-session.ts";
import type { SessionParts } from "./session-parts.ts";
import { type SettledTurn, traceNameOf } from "./settle-turn.ts";

/** The name of the log, once it is written. One that cannot be written is told, and nothing else comes of it. */
export async function logTurn(
  { turnLog, trouble, clock }: SessionParts,
  sessionId: string,
  { run, folded, revision, isNew }: SettledTurn,
  condensed: CondensedSession | undefined,
): Promise<string | undefined> {
  if (turnLog === undefined || !isNew) return undefined;
  const name = traceNameOf({ revision: revision.checkpoint.revision - 1 }, run.opening.runId);
  const now = clock.now() / 1000;
  const events: TurnEvent[] = turnEvents(run, folded);
  const { capabilities_granted: granted, capabilities_pending: pending } = revision.checkpoint.state;
  if (granted.length + pending.length > 0) events.push(event(now, "grant", { granted, pending }));
  if (condensed !== undefined) {
    const { how, before, after } = condensed;
    events.push(event(now, "condense", { how, before, after }));
  }
  try {
    await turnLog.write(sessionId, name, logText(events));
    return name;
  } catch (error) {
    trouble({ what: `the log ${name} could not be written`, error });
    return undefined;
  }
}

/** Nothing of it is left. */
export async function removeLog(turnLog: TurnLog, sessionId: string, name: string): Promise<void> {
  await (turnLog.remove === undefined ? turnLog.write(sessionId, name, "") : turnLog.remove(sessionId, name));
}
