// A2: the person at this terminal answers with an operator's credential, at a desk of its own. The run is told what was answered, like
// anything else that is on record.
import { type Approval, isSimpleFunctionsError } from "@spfunctions/contracts";
import type { Operator, RunHandle } from "@spfunctions/kernel";
import type { GivenAnswer } from "../approvals/approval-desk.ts";
import { statusNow } from "../approvals/approval-facts.ts";
import { printQuestion, whatApprovingMeans } from "../approvals/print-approval.ts";
import { sayAnswer } from "../approvals/say-answer.ts";
import { type ChildTree, childText } from "../children/run-tree.ts";
import type { Person } from "../io/person.ts";
import { type Printer, whole } from "../io/printer.ts";
import { typedAnswer } from "../io/typed-answer.ts";

export type InlineDesk = {
  readonly person: Person;
  readonly operator: Operator;
  readonly print: Printer;
  /** Where the question is kept. */
  readonly where: string;
  /** Aborts when the person wants no more. */
  readonly signal: AbortSignal;
};

export type AskedInline = {
  readonly approvalId: string;
  /** The run that asks, and how far that was told. */
  readonly handle: Pick<RunHandle, "stream">;
  readonly cursor?: string | undefined;
  /** Where a child asks, and not the run itself. */
  readonly child?: ChildTree;
};

/** Whether a question is past: answered here, elsewhere, or by time. It is not where the person says later. */
export async function askInline(asked: AskedInline, desk: InlineDesk): Promise<boolean> {
  const { approvalId, child } = asked;
  const approval = await desk.operator.get(approvalId);
  if (statusNow(approval, Date.now()) !== "pending") return true;
  const answered = new AbortController();
  const watching = untilResolved(asked, answered);
  try {
    const signal = AbortSignal.any([desk.signal, answered.signal]);
    const said = await askUntilClear(approval, child, desk, signal);
    if (said === "later") return answered.signal.aborted;
    await answerOnce(desk, approvalId, said);
    return true;
  } finally {
    answered.abort();
    await watching;
  }
}

/** Whoever answers beside this terminal, or the end of its time, takes the question back. */
async function untilResolved(
  { handle, cursor, approvalId }: AskedInline,
  answered: AbortController,
): Promise<void> {
  try {
    for await (const event of handle.stream({ cursor, signal: answered.signal }))
      if (event.type === "approval.resolved" && event.approvalId === approvalId) answered.abort();
  } catch {
    // What keeps it from being watched is told by whoever goes on with the run.
  }
}

async function askUntilClear(
  approval: Approval,
  child: ChildTree | undefined,
  { person, print, where }: InlineDesk,
  signal: AbortSignal,
): Promise<GivenAnswer | "later"> {
  let isFirst = true;
  const who = child === undefined ? "" : `${child.subagent}: `;
  const show = () => {
    if (isFirst) printAsked(print, approval, child, where);
    isFirst = false;
    print.ask({ text: `${who}${approval.tool}: approve, deny (and why), or later? `, style: "bold" });
  };
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- until it is one of the three
    const line = await person.ask(show, signal);
    if (line === undefined) {
      if (!isFirst) print.err();
      return "later";
    }
    const answer = answerIn(line);
    if (answer !== undefined) return answer;
    print.err({ text: "say approve, deny or later; what follows deny is told to the model", style: "dim" });
  }
}

function printAsked(print: Printer, approval: Approval, child: ChildTree | undefined, where: string): void {
  const by = child === undefined ? "" : `, asked by ${childText(child)}`;
  print.err();
  print.err({ text: `a person must approve ${approval.tool}${by}`, style: ["bold", "yellow"] });
  printQuestion({ out: print.err }, approval, where, Date.now());
  print.err(whole(whatApprovingMeans));
}

/** One of three words, or its first letter; what follows a no is its reason. */
function answerIn(line: string): GivenAnswer | "later" | undefined {
  const { is, rest } = typedAnswer(line);
  if (is("deny")) return { answer: "denied", ...(rest !== "" && { note: rest }) };
  if (rest !== "") return undefined;
  if (is("approve")) return { answer: "approved" };
  return is("later") ? "later" : undefined;
}

/** The first answer stands. */
async function answerOnce({ operator, print }: InlineDesk, id: string, given: GivenAnswer): Promise<void> {
  try {
    await sayAnswer(operator, id, given);
  } catch (error) {
    if (!isSimpleFunctionsError(error) || error.code !== "invalid_transition") throw error;
    print.err({ text: "note", style: "yellow" }, `: ${error.message}`);
  }
}
