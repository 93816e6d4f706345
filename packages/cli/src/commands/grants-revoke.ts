import type { Command } from "commander";
import { addAnswerOptions, whereApprovalsAre, whoIsRecorded } from "../approvals/approvals-options.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import type { EndOptions } from "../grants/answer-command.ts";

export function addGrantsRevoke(grants: Command, context: CommandContext): void {
  addAnswerOptions(
    grants
      .command("revoke")
      .description("end a grant: from now on nothing is reached by it, also by calls that are under way")
      .argument("<id>", "as listed, cap_…")
      .option("--note <text>", "why"),
  )
    .addHelpText(
      "after",
      `
Examples:
  $ sf grants revoke cap_0198f3c2-7a51-7c3e-9b1d-4f6a2e8c0d57

A grant for one call that was used already has nothing left to end.
${whereApprovalsAre}
${whoIsRecorded}
Exit codes: 0 ended, 1 failed, 2 bad usage, 3 refused, 6 what is kept is damaged.`,
    )
    .action(async (id: string, options: EndOptions) => {
      const { revoke } = await import("../grants/answer-command.ts");
      await revoke(id, options, context);
    });
}
