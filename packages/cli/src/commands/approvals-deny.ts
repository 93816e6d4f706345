import type { Command } from "commander";
import type { DenyOptions } from "../approvals/answer-command.ts";
import { addAnswerOptions, whereApprovalsAre, whoIsRecorded } from "../approvals/approvals-options.ts";
import type { CommandContext } from "../command-line/command-context.ts";

export function addApprovalsDeny(approvals: Command, context: CommandContext): void {
  addAnswerOptions(
    approvals
      .command("deny")
      .description("say no; whoever asked is told who said so, and why")
      .argument("<id>", "as listed, appr_…")
      .option("--note <text>", "why, for whoever asked"),
  )
    .addHelpText(
      "after",
      `
Examples:
  $ sf approvals deny appr_0198f3c2-7a51-7c3e-9b1d-4f6a2e8c0d57 --note "not on a Monday"

The first answer stands: what was denied is not approved any more.
${whereApprovalsAre}
${whoIsRecorded}
Exit codes: 0 denied, 1 failed, 2 bad usage, 3 refused, 6 what is kept is damaged.`,
    )
    .action(async (id: string, options: DenyOptions) => {
      const { deny } = await import("../approvals/answer-command.ts");
      await deny(id, options, context);
    });
}
