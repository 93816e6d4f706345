// What somebody at a terminal does about a call that a person must approve.
import type { AgentEvent, Approval, Receipt, SimpleFunctionsError } from "@spfunctions/contracts";
import { type EffectsPlace, optionsFor } from "../effects/what-to-do.ts";
import { asWord } from "../io/as-word.ts";
import { type Printer, whole } from "../io/printer.ts";
import { momentText, whoText } from "./approval-facts.ts";

/** Where a call is judged: here, and where its tool is a platform's, there as well. */
export type AskedPlace = EffectsPlace & {
  /** The platform's address, where it was named. */
  readonly url?: string;
  /** Whether that is this folder's own, for which it has the key of an operator. */
  readonly isOwn?: boolean;
  /** What is added to a command that must be told which platform it is, also where it was not named. */
  readonly there?: string;
};

/** Says what a call waits for, as it happens, and who has said what; `question` has what the event leaves out. */
export function waitingTold(
  print: Printer,
  place: AskedPlace,
): (event: AgentEvent, question?: Approval) => void {
  let isSent = false;
  return (event, question) => {
    if (event.type === "tool.started") isSent = true;
    if (event.type === "approval.resolved")
      print.err({ text: `answered: ${event.status}${answerIn(question)}`, style: "dim" });
    if (event.type !== "approval.required") return;
    const { approvalId, tool, expiresAt } = event;
    const { reason } = question ?? event;
    print.err(
      { text: "waiting", style: "yellow" },
      `: ${tool}: ${reason}, until ${momentText(expiresAt, Date.now())}`,
    );
    for (const line of howToAnswerAt(approvalId, place, isSent)) print.err(whole(`  ${line}`));
    print.err(
      `  Ctrl-C cancels the call${isSent ? "; the platform's question ends with its time" : ", and the question with it"}`,
    );
  };
}

function answerIn({ decidedBy, grantId, note }: Partial<Approval> = {}): string {
  const by = decidedBy === undefined ? "" : ` by ${whoText(decidedBy)}`;
  const far = grantId === undefined ? "" : ", for its session";
  return `${by}${far}${note === undefined ? "" : `, and says: ${note}`}`;
}

/** What to do about a call that has returned with a question. */
export function sayHowToApprove(
  print: Printer,
  { code, details }: SimpleFunctionsError,
  receipt: Receipt | undefined,
  place: AskedPlace,
): void {
  const approvalId = details?.approvalId;
  if (code !== "approval_required" || typeof approvalId !== "string") return;
  // What this side has let pass, the platform asks about.
  const isSent = receipt?.verdict.outcome === "allow";
  for (const line of howToAnswerAt(approvalId, place, isSent)) print.err(`  ${line}`);
  print.err("  then run the same command again; with --wait-for-approval it waits for the answer");
}

/** As commands. `isSent`: this side has let the call pass, and the platform asks about it. */
export function howToAnswerAt(approvalId: string, place: AskedPlace, isSent: boolean): string[] {
  const options = optionsAt(place, isSent);
  return [
    `to approve it: sf approvals approve ${approvalId}${options}`,
    `to deny it:    sf approvals deny ${approvalId} --note "why"${options}`,
  ];
}

function optionsAt(place: AskedPlace, isSent: boolean): string {
  if (!isSent) return optionsFor(place);
  const { url, isOwn } = place;
  return url === undefined ? "" : ` --url ${asWord(url)}${isOwn === true ? "" : " --key-file …"}`;
}
