import type { Command } from "commander";
import {
  addApprovalsOptions,
  type ApprovalsOptions,
  whereApprovalsAre,
} from "../approvals/approvals-options.ts";
import type { CommandContext } from "../command-line/command-context.ts";

export function addApprovalsShow(approvals: Command, context: CommandContext): void {
  addApprovalsOptions(
    approvals
      .command("show")
      .description(
        "show one whole: what is asked, by whom, with what, why, until when, and what answering means",
      )
      .argument("<id>", "as listed, appr_…"),
  )
    .addHelpText(
      "after",
      `
Examples:
  $ sf approvals show appr_0198f3c2-7a51-7c3e-9b1d-4f6a2e8c0d57

${whereApprovalsAre}
Exit codes: 0 shown, 1 failed, 2 bad usage, 3 refused, 6 what is kept is damaged.`,
    )
    .action(async (id: string, options: ApprovalsOptions) => {
      const { showApproval } = await import("../approvals/show-command.ts");
      await showApproval(id, options, context);
    });
}
