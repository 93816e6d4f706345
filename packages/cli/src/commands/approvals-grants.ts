import type { Command } from "commander";
import {
  addApprovalsOptions,
  type ApprovalsOptions,
  whereApprovalsAre,
} from "../approvals/approvals-options.ts";
import type { CommandContext } from "../command-line/command-context.ts";

export function addApprovalsGrants(approvals: Command, context: CommandContext): void {
  addApprovalsOptions(
    approvals
      .command("grants")
      .description("list what is approved for a whole session, and how far that goes"),
  )
    .addHelpText(
      "after",
      `
Examples:
  $ sf approvals grants

${whereApprovalsAre}
Exit codes: 0 listed, 1 failed, 2 bad usage, 3 refused, 6 what is kept is damaged.`,
    )
    .action(async (options: ApprovalsOptions) => {
      const { listGrants } = await import("../approvals/grants-command.ts");
      await listGrants(options, context);
    });
}
