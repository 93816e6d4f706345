import type { Command } from "commander";
import {
  addAnswerOptions,
  type ApprovalsOptions,
  whereApprovalsAre,
  whoIsRecorded,
} from "../approvals/approvals-options.ts";
import type { CommandContext } from "../command-line/command-context.ts";

export function addApprovalsRevoke(approvals: Command, context: CommandContext): void {
  addAnswerOptions(
    approvals
      .command("revoke")
      .description("end a standing grant; what it has approved so far stays approved")
      .argument("<grantId>", "as listed, grant_…"),
  )
    .addHelpText(
      "after",
      `
Examples:
  $ sf approvals revoke grant_0198f3c2-7a51-7c3e-9b1d-4f6a2e8c0d57

${whereApprovalsAre}
${whoIsRecorded}
Exit codes: 0 ended, 1 failed, 2 bad usage, 3 refused, 6 what is kept is damaged.`,
    )
    .action(async (grantId: string, options: ApprovalsOptions) => {
      const { revokeGrant } = await import("../approvals/grants-command.ts");
      await revokeGrant(grantId, options, context);
    });
}
