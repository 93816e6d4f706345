import type { Approval, ApprovalStatus } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import { calledText, statusNow } from "./approval-facts.ts";
import type { ApprovalsOptions } from "./approvals-options.ts";
import { csvLine } from "../io/csv.ts";
import { whole } from "../io/printer.ts";
import { sayWhoseNone } from "../trace/whose-none.ts";
import { lookAtDesks } from "./look-at-desks.ts";
import { printBrief } from "./print-approval.ts";

export type ApprovalsLsOptions = ApprovalsOptions & {
  readonly status: ApprovalStatus | "any";
  readonly csv?: true;
};

type Listed = {
  readonly where: string;
  readonly options: string;
  readonly approvals: readonly Approval[];
  readonly accounts: readonly string[];
};

export async function listApprovals(options: ApprovalsLsOptions, context: CommandContext): Promise<void> {
  const listed: Listed[] = [];
  const { status } = options;
  for await (const { desk, found } of lookAtDesks(options, context, ({ list }) => list(status)))
    listed.push({
      where: desk.where,
      options: desk.options,
      approvals: found,
      accounts: found.length === 0 ? await desk.accounts() : [],
    });
  const { print } = context;
  if (options.json === true) {
    const approvals = listed.flatMap(({ where, approvals: all }) => all.map((one) => ({ where, ...one })));
    print.json({ ok: true, approvals }, 2);
  } else if (options.csv === true) printCsv(listed, context);
  else printListed(listed, options, context);
}

const csvNames = "approval,tool,status,account,asked_by,asked_at,decided_by,decided_at,note,where";

/** A line for each, with who asked, who answered, and when. */
function printCsv(listed: readonly Listed[], { print }: CommandContext): void {
  const now = Date.now();
  print.out(whole(csvNames));
  for (const { where, approvals } of listed)
    for (const approval of approvals) {
      const { approvalId, tool, asker, createdAt, decidedBy, decidedAt = "", note = "" } = approval;
      const asked = [
        approvalId,
        tool,
        statusNow(approval, now),
        asker.accountId,
        calledText(asker),
        createdAt,
      ];
      const decided = [decidedBy === undefined ? "" : calledText(decidedBy), decidedAt, note, where];
      print.out(whole(csvLine([...asked, ...decided])));
    }
}

function printListed(
  listed: readonly Listed[],
  { status, account }: ApprovalsLsOptions,
  { print }: CommandContext,
): void {
  const found = listed.filter(({ approvals }) => approvals.length > 0);
  if (found.length === 0) {
    print.out(status === "pending" ? "none: nothing waits for an answer" : "none is listed");
    const accounts = listed.flatMap((one) => one.accounts);
    sayWhoseNone(print, account, accounts);
  }
  for (const { where, options, approvals } of found) {
    for (const approval of approvals) printBrief(print, approval, Date.now());
    const more = `${approvals.length} in ${where}; one whole, and how to answer it: sf approvals show <id>${options}`;
    print.err({ text: more, style: "dim" });
  }
}
