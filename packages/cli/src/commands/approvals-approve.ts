import { isJsonPointer } from "@spfunctions/contracts";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { ApproveOptions } from "../approvals/answer-command.ts";
import { addAnswerOptions, whereApprovalsAre, whoIsRecorded } from "../approvals/approvals-options.ts";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { duration } from "../command-line/duration.ts";
import { repeatable } from "../command-line/options.ts";

export function addApprovalsApprove(approvals: Command, context: CommandContext): void {
  addAnswerOptions(
    approvals
      .command("approve")
      .description("say yes to exactly the call that was asked about, or to those like it in its session")
      .argument("<id>", "as listed, appr_…")
      .option("--note <text>", "what you say to whoever asked")
      .option("--for-session", "also for calls like it in the same session, until the grant ends")
      .addOption(
        repeatable(
          "--fix <pointer>",
          "for a session: a member of the input that must stay as it is, like /to (repeatable)",
          pointer,
        ),
      )
      .addOption(new Option("--uses <number>", "for a session: how many calls").argParser(count))
      .addOption(
        new Option("--for <time>", "for a session: how long, like 30m, 12h or 7d; 1h unless given").argParser(
          duration,
        ),
      ),
  )
    .addHelpText(
      "after",
      `
Examples:
  $ sf approvals approve appr_0198f3c2-7a51-7c3e-9b1d-4f6a2e8c0d57
  $ sf approvals approve appr_0198f3c2-7a51-7c3e-9b1d-4f6a2e8c0d57 --note "fine by me"
  $ sf approvals approve appr_0198f3c2-7a51-7c3e-9b1d-4f6a2e8c0d57 --for-session --fix /text --uses 5 --for 30m

A yes is for exactly the call that was shown: this caller, this tool as it is, this input, these policies; once, and not after its
time. One for a session is given only where the call was made in one, and for what changes no more than one's own data.
${whereApprovalsAre}
${whoIsRecorded}
Exit codes: 0 approved, 1 failed, 2 bad usage, 3 refused, 6 what is kept is damaged.`,
    )
    .action(async (id: string, options: ApproveOptions) => {
      requireSession(options);
      const { approve } = await import("../approvals/answer-command.ts");
      await approve(id, options, context);
    });
}

/** B12: whoever bounds a yes means it to be wider than one call, and says so. */
function requireSession({ forSession, fix, uses, for: forMs }: ApproveOptions): void {
  if (forSession !== true && (fix ?? uses ?? forMs) !== undefined)
    throw badUsage(
      "--fix, --uses and --for bound a yes for a session; give --for-session too, or leave them out",
    );
}

function pointer(text: string): string {
  if (isJsonPointer(text)) return text;
  throw new InvalidArgumentError("expected a JSON pointer, like /to or /items/0");
}

function count(text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("expected a whole number above 0");
}
