import type { Command } from "commander";
import { addAnswerOptions, whereApprovalsAre, whoIsRecorded } from "../approvals/approvals-options.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import type { EndOptions } from "../grants/answer-command.ts";

export function addGrantsDeny(grants: Command, context: CommandContext): void {
  addAnswerOptions(
    grants
      .command("deny")
      .description("say no to what was asked for")
      .argument("<id>", "as listed, cap_…")
      .option("--note <text>", "why, for whoever asked"),
  )
    .addHelpText(
      "after",
      `
Examples:
  $ sf grants deny cap_0198f3c2-7a51-7c3e-9b1d-4f6a2e8c0d57 --note "not that one"

The first answer stands. What was denied is not asked for again for a day; granting the capability by its name is still possible.
${whereApprovalsAre}
${whoIsRecorded}
Exit codes: 0 denied, 1 failed, 2 bad usage, 3 refused, 6 what is kept is damaged.`,
    )
    .action(async (id: string, options: EndOptions) => {
      const { deny } = await import("../grants/answer-command.ts");
      await deny(id, options, context);
    });
}
