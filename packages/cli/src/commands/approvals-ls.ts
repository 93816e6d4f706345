import { approvalStatusSchema } from "@spfunctions/contracts";
import { type Command, Option } from "commander";
import { addApprovalsOptions, whereApprovalsAre } from "../approvals/approvals-options.ts";
import type { ApprovalsLsOptions } from "../approvals/ls-command.ts";
import type { CommandContext } from "../command-line/command-context.ts";

export function addApprovalsLs(approvals: Command, context: CommandContext): void {
  addApprovalsOptions(
    approvals
      .command("ls")
      .description("list what waits for an answer")
      .addOption(
        new Option("--status <status>", "those with this status instead")
          .choices([...approvalStatusSchema.options, "any"])
          .default("pending"),
      )
      .addOption(
        new Option("--csv", "as CSV: who asked and who answered, and when, a line each").conflicts("json"),
      ),
  )
    .addHelpText(
      "after",
      `
Examples:
  $ sf approvals ls
  $ sf approvals ls --status any --json
  $ sf approvals ls --status any --csv > approvals.csv

${whereApprovalsAre}
Exit codes: 0 listed, 1 failed, 2 bad usage, 3 refused, 6 what is kept is damaged.`,
    )
    .action(async (options: ApprovalsLsOptions) => {
      const { listApprovals } = await import("../approvals/ls-command.ts");
      await listApprovals(options, context);
    });
}
