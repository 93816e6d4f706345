// A turn is kept in any case: what a session could not keep would stop it for good. The journal has all of it.
import { type AgentState, type ChatMessage, cutText, isSimpleFunctionsError } from "@spfunctions/contracts";
import type { AppendCause, RevisionOvertaken } from "../checkpoints/checkpoints.ts";
import type { Revision, RevisionContent } from "../checkpoints/revision-content.ts";
import type { SessionParts } from "./session-parts.ts";

/** What a turn adds to the revision that it goes on from. */
type TurnContent = {
  readonly state: AgentState;
  readonly said: readonly ChatMessage[];
  readonly traceTail: readonly string[];
};

/** The next revision: whole, or as much of it as a checkpoint may have, and then that is told. */
export async function appendFitting(
  { checkpoints, limits, trouble }: Pick<SessionParts, "checkpoints" | "limits" | "trouble">,
  sessionId: string,
  latest: Revision,
  turn: TurnContent,
  cause: AppendCause,
): Promise<Revision | RevisionOvertaken> {
  let refused: unknown;
  for (const content of everLess(latest, turn, limits.messageChars)) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- less only where that does not fit
      const written = await checkpoints.append(sessionId, latest, content, cause);
      if (refused !== undefined)
        trouble({ what: "a turn was too large to be kept word for word", error: refused });
      return written;
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      refused ??= error;
    }
  }
  throw refused;
}

/** Messages are cut shorter and shorter, then left out; what was noted goes last. */
function* everLess(
  { current, importedMessages }: Revision,
  { state, said, traceTail }: TurnContent,
  messageChars: number,
): Generator<RevisionContent> {
  const before = current.recentMessages;
  for (let most = messageChars; most > 0; most = Math.floor(most / 8)) {
    const cut = said.map(({ role, content }) => ({ role, content: cutText(content, most) }));
    yield { state, recentMessages: [...before, ...cut], importedMessages, traceTail: [...traceTail] };
  }
  yield { state, recentMessages: [...before], importedMessages, traceTail: [...traceTail] };
  const nothing = { recentMessages: [], importedMessages: importedMessages && 0, traceTail: [] };
  yield { state, ...nothing };
  const { capabilitiesGranted, capabilitiesPending } = state;
  yield { state: { ...current.state, capabilitiesGranted, capabilitiesPending }, ...nothing };
}

function isTooLarge(error: unknown): boolean {
  return isSimpleFunctionsError(error) && error.details?.["limit"] === "checkpointBytes";
}
