import { capabilityStatusSchema } from "@spfunctions/contracts";
import { type Command, Option } from "commander";
import { addApprovalsOptions, whereApprovalsAre } from "../approvals/approvals-options.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import type { GrantsLsOptions } from "../grants/ls-command.ts";

export function addGrantsLs(grants: Command, context: CommandContext): void {
  addApprovalsOptions(
    grants
      .command("ls")
      .description("list what is asked for and what is granted, with who asks, why, and how it is answered")
      .addOption(
        new Option("--status <status>", "those with this status instead").choices([
          ...capabilityStatusSchema.options,
          "any",
        ]),
      ),
  )
    .addHelpText(
      "after",
      `
Examples:
  $ sf grants ls
  $ sf grants ls --status any --json

What a model had read just before it asked is shown with its question: a wish may come from there. Those are words of others.
${whereApprovalsAre}
Exit codes: 0 listed, 1 failed, 2 bad usage, 3 refused, 6 what is kept is damaged.`,
    )
    .action(async (options: GrantsLsOptions) => {
      const { listCapabilities } = await import("../grants/ls-command.ts");
      await listCapabilities(options, context);
    });
}
