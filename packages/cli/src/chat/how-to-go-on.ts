import type { TurnResult } from "@spfunctions/agent/spectator";
import { momentText } from "../approvals/approval-facts.ts";
import { type AskedPlace, howToAnswerAt } from "../approvals/say-what-is-asked.ts";
import { optionsFor } from "../effects/what-to-do.ts";
import { howToAnswerQuestion } from "../grants/print-grant.ts";
import { type Printer, whole } from "../io/printer.ts";
import { howToDecide } from "../runs/what-it-needs.ts";
import { isOver } from "../runs/run-states.ts";
import { chatWords } from "./chat-words.ts";
import type { ChatOptions } from "./chat-options.ts";
import type { OpenChat } from "./open-chat.ts";

type Terms = { readonly options: ChatOptions; readonly place: AskedPlace };
type Print = Pick<Printer, "err">;

/** Says what a turn needs that is left as it is, and how it goes on then. */
export function sayHowToGoOn(
  { runId, status, approvals, unknownEffects }: TurnResult,
  { options, place }: Terms,
  { err }: Print,
): void {
  if (isOver({ status })) return;
  for (const { approvalId, expiresAt } of approvals) {
    err(`  ${approvalId} waits for an answer until ${momentText(expiresAt, Date.now())}`);
    for (const line of howToAnswerAt(approvalId, place, false)) err(whole(`  ${line}`));
  }
  for (const effectId of unknownEffects)
    err(
      whole(`  nobody knows what became of ${effectId}: ${howToDecide(runId, effectId, optionsFor(place))}`),
    );
  err(whole(`  then it goes on:  ${chatWords("--resume", options, optionsFor(place))}`));
  err(whole(`  or is given up:   ${chatWords("--cancel", options, optionsFor(place))}`));
}

/** Says what a turn has asked an operator for, and how that is granted; of what stood before it, that it does. */
export async function sayWhatIsWanted(
  { runId }: Pick<TurnResult, "runId">,
  { session }: Pick<OpenChat, "session">,
  { place }: Terms,
  { err }: Print,
): Promise<void> {
  // It is only to tell more.
  const { pending } = await session.grants().catch(() => ({ pending: [] }));
  const own = pending.filter(({ holder }) => holder.runId === runId);
  for (const { grantId, capability, expiresAt } of own) {
    err(`  ${capability} was asked for, and waits for an answer until ${momentText(expiresAt, Date.now())}`);
    for (const line of howToAnswerQuestion(grantId, optionsFor(place))) err(whole(`  ${line}`));
  }
  const others = pending.filter((one) => !own.includes(one)).map(({ capability }) => capability);
  if (others.length > 0)
    err(`  still asked for: ${others.join(", ")}; sf grants ls${optionsFor(place)} says by whom and why`);
}
