import { grantScopeSchema, keyIdSchema, redactText, runIdSchema } from "@spfunctions/contracts";
import { type Command, InvalidArgumentError, Option } from "commander";
import { addAnswerOptions, whereApprovalsAre, whoIsRecorded } from "../approvals/approvals-options.ts";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { duration } from "../command-line/duration.ts";
import { sessionOption } from "../command-line/options.ts";
import type { GrantOptions } from "../grants/answer-command.ts";

export function addGrantsGrant(grants: Command, context: CommandContext): void {
  addAnswerOptions(
    grants
      .command("grant")
      .description("let calls reach something: what was asked for, or a capability that nobody has asked for")
      .argument("<capability>", "net, net:<host> or net:*.<host>; or what is asked for, as listed, cap_…")
      .addOption(
        new Option("--scope <scope>", "how far it goes; once unless given, with --for until").choices(
          grantScopeSchema.options,
        ),
      )
      .addOption(
        new Option("--for <time>", "how long, like 30m, 12h or 7d; 1h unless given").argParser(duration),
      )
      .addOption(
        new Option(
          "--key-id <keyId>",
          "of what nobody has asked for: for calls with this key alone",
        ).argParser(keyId),
      )
      .addOption(sessionOption("of what nobody has asked for: for calls in this session alone"))
      .addOption(
        new Option(
          "--run <runId>",
          "of what nobody has asked for: for this run and all below it alone",
        ).argParser(runId),
      )
      .option("--note <text>", "what you say to it"),
  )
    .addHelpText(
      "after",
      `
Examples:
  $ sf grants grant cap_0198f3c2-7a51-7c3e-9b1d-4f6a2e8c0d57
  $ sf grants grant net:example.com
  $ sf grants grant net:example.com --for 1h --note "to read the manual"
  $ sf grants grant "net:*.example.com" --scope session --session monday

once is for one call, and for where that is sent; turn for a run and all below it; session for a session; until for any number of
calls. Each ends with its time, or when it is revoked. net is everything on the public network, or what the allow-list of the program
has; a private or local address is out of reach whatever is granted, unless the program opens it.
An id is found wherever it is. A capability by its name is granted in the place that is named, else where sf call keeps its journal.
${whereApprovalsAre}
${whoIsRecorded}
Exit codes: 0 granted, 1 failed, 2 bad usage, 3 refused, 6 what is kept is damaged.`,
    )
    .action(async (named: string, options: GrantOptions) => {
      const { grant } = await import("../grants/answer-command.ts");
      await grant(named, options, context);
    });
}

function keyId(text: string): string {
  if (redactText(text) !== text)
    throw badUsage("--key-id takes the id of a key, as sf keys ls lists it, and never the key itself");
  const problem = keyIdSchema.safeParse(text).error?.issues[0]?.message;
  if (problem !== undefined) throw new InvalidArgumentError(problem);
  return text;
}

function runId(text: string): string {
  if (runIdSchema.safeParse(text).success) return text;
  throw badUsage("--run takes a complete run id: it is run_ and all that follows, as sf runs ls shows it");
}
