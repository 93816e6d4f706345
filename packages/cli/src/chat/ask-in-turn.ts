import type { SpectatorEvent, TurnResult } from "@spfunctions/agent/spectator";
import { askerOf, readRunTree } from "../children/run-tree.ts";
import type { Person } from "../io/person.ts";
import type { Printer } from "../io/printer.ts";
import { askInline } from "../run/ask-inline.ts";
import { CapabilityQuestions } from "./ask-capability.ts";
import type { AskInTurn } from "./drive-turn.ts";
import type { OpenChat } from "./open-chat.ts";

export type AskInTurnTerms = {
  readonly person: Person;
  readonly print: Printer;
  readonly where: string;
  readonly signal: AbortSignal;
  /** Ends a line that is under way. */
  readonly pause: () => void;
};

/** Whoever sits at the terminal is asked there, while a turn goes on and where it rests. */
export function askInTurn(
  { operator, runs, session }: Pick<OpenChat, "operator" | "runs" | "session">,
  { person, print, where, signal, pause }: AskInTurnTerms,
): AskInTurn {
  const pending = async () => (await session.grants()).pending;
  const questions = new CapabilityQuestions({ person, operator, print, where, pending });
  const get = async (runId: string) => await runs.get(runId);
  return {
    heard: async (event) => {
      const grantId = await askedBy(event, runs);
      if (grantId !== undefined) await questions.ask(grantId, signal, pause);
    },
    rested: async ({ runId }: TurnResult) => {
      pause();
      const tree = await readRunTree(get, runId);
      // What another place asks is answered there.
      const here = tree.result.approvals.filter(({ elsewhere }) => elsewhere === undefined);
      const desk = { person, operator, print, where, signal };
      /* oxlint-disable no-await-in-loop -- one question after another */
      for (const { approvalId } of here) {
        const child = askerOf(tree, approvalId);
        const handle = await get(child?.runId ?? runId);
        if (!(await askInline({ approvalId, handle, ...(child && { child }) }, desk))) return false;
      }
      /* oxlint-enable no-await-in-loop */
      return here.length > 0;
    },
  };
}

/** Under which id an event says that something was asked for: by the model's own words, or by a call that was refused for want of it. */
async function askedBy(
  event: SpectatorEvent,
  runs: Pick<OpenChat["runs"], "read">,
): Promise<string | undefined> {
  if (event.type === "wish") return event.wish.type === "asked" ? event.wish.grantId : undefined;
  if (event.type !== "runtime" || event.event.type !== "policy.checked") return undefined;
  const { runId, callId, verdict } = event.event;
  if (verdict.code !== "capability_denied") return undefined;
  const opening = (await runs.read(runId)).calls.get(callId)?.opening;
  return opening?.kind === "call.refused" ? opening.asks?.grantId : undefined;
}
