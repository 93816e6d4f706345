import type { Approval } from "@spfunctions/contracts";
import { type Printer, whole } from "../io/printer.ts";
import { effectsText, mayStand, momentText, statusNow, whoText } from "./approval-facts.ts";

/** One question in a few lines: what is asked, by whom, why, with what, until when. */
export function printBrief(print: Printer, approval: Approval, now: number): void {
  const { approvalId, tool, asker, reason } = approval;
  print.out({ text: approvalId, style: "bold" }, `  ${tool}  ${standing(approval, now)}`);
  print.out(`  ${whoText(asker)}; ${effectsText(approval)}`);
  print.out(`  why ${reason}`);
  for (const text of decided(approval, now).slice(0, 1)) print.out(`  decided ${text}`);
  print.out(`  input ${cut(inputText(approval))}`);
}

/** All that is known of one, and what each answer would mean. */
export function printWhole(
  print: Pick<Printer, "out">,
  approval: Approval,
  { where, options }: { readonly where: string; readonly options: string },
  now: number,
): void {
  printQuestion(print, approval, where, now);
  if (statusNow(approval, now) !== "pending") return;
  print.out("");
  for (const text of whatAnswersMean(approval, options)) print.out(whole(text));
}

/** What is asked, by whom, why, with what, until when, and how it stands. */
export function printQuestion(
  print: Pick<Printer, "out">,
  approval: Approval,
  where: string,
  now: number,
): void {
  const {
    approvalId,
    tool,
    toolDigest,
    asker,
    reason,
    sessionId,
    readBefore = [],
    approvers = [],
  } = approval;
  const line = (name: string, text: string) => print.out({ text: name.padEnd(8), style: "dim" }, "  ", text);
  print.out({ text: approvalId, style: "bold" }, `  ${standing(approval, now)}`);
  line("what", `${tool}, ${effectsText(approval)}; contract ${toolDigest.slice(0, 19)}…`);
  line("who", `${whoText(asker)}, scopes ${asker.scopes.join(" ") || "none"}`);
  line("why", reason);
  for (const [at, text] of inputText(approval, 2).split("\n").entries()) line(at === 0 ? "input" : "", text);
  if (readBefore.length > 0) line("read", "just before, which may be where the call comes from:");
  for (const call of readBefore) line("", call);
  if (sessionId !== undefined) line("session", sessionId);
  if (approvers.length > 0) line("answers", `from admin keys, and from ${approvers.join(", ")}`);
  line("asked", momentText(approval.createdAt, now));
  line("until", momentText(approval.expiresAt, now));
  for (const text of decided(approval, now)) line("decided", text);
  line("where", where);
}

/** A1: what exactly is approved. */
export const whatApprovingMeans =
  "Approving lets exactly this call run, once: this caller, this tool as it is, this input, under the policies of now.";

/** A1: and what else can be said. */
function whatAnswersMean(approval: Approval, options: string): string[] {
  const { approvalId } = approval;
  const command = (word: string, more = "") => `  sf approvals ${word} ${approvalId}${more}${options}`;
  return [
    whatApprovingMeans,
    command("approve"),
    ...(mayStand(approval)
      ? [
          "For its session it lets every such call run until the grant ends; --fix, --uses and --for bound it.",
          command("approve", " --for-session --uses 5 --for 30m"),
        ]
      : []),
    "Denying ends it; whoever asked is told who said no, and why.",
    command("deny", ' --note "why"'),
  ];
}

function standing(approval: Approval, now: number): string {
  const status = statusNow(approval, now);
  return status === "pending" ? `waits for an answer until ${momentText(approval.expiresAt, now)}` : status;
}

function decided({ decidedBy, decidedAt, note, grantId, usedBy }: Approval, now: number): string[] {
  if (decidedBy === undefined) return [];
  const when = decidedAt === undefined ? "" : `, ${momentText(decidedAt, now)}`;
  return [
    `by ${whoText(decidedBy)}${when}`,
    ...(note === undefined ? [] : [`and says: ${note}`]),
    ...(grantId === undefined ? [] : [`by standing grant ${grantId}`]),
    ...(usedBy === undefined ? [] : [`used by ${usedBy}`]),
  ];
}

function inputText({ input, erased }: Approval, indent?: number): string {
  return erased === true ? "was erased" : JSON.stringify(input ?? null, undefined, indent);
}

const mostInLine = 200;

function cut(text: string): string {
  return text.length <= mostInLine ? text : `${text.slice(0, mostInLine).toWellFormed()}…`;
}
