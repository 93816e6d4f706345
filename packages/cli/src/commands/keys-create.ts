import { type Command, Option } from "commander";
import { addOptionsWith } from "../command-line/add-options-with.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { repeatable, scopeOption } from "../command-line/options.ts";
import { expiry, quota, rateLimit, toolPattern } from "../keys/key-terms.ts";
import { addKeysOptions, type KeysCreateOptions, whereKeysAre } from "../keys/keys-options.ts";

export function addKeysCreate(keys: Command, context: CommandContext): void {
  const command = keys.command("create");
  addKeysOptions(
    command
      .description("make a key, and keep its secret in a new file for you alone")
      .option("--name <text>", "what it is called in lists")
      .addOption(scopeOption("the key", "read"))
      .addOption(
        repeatable(
          "--tool <name>",
          "a tool it may call, like world.read or world.*; else any (repeatable)",
          toolPattern,
        ),
      )
      .addOption(new Option("--expires <when>", "when it ends: 30d, 12h, 2027-01-31").argParser(expiry))
      .addOption(new Option("--rate <perSecond[:burst]>", "how often it may call").argParser(rateLimit))
      .addOption(
        new Option("--quota <cost=calls>", "calls a day of a cost class (repeatable)").argParser(quota),
      )
      .option("--approvals <file>", "what a person must approve of its calls, as JSON")
      .option("-o, --output <file>", "the new file for its secret; else one in the configuration folder")
      .option("--show", "also print the secret, once, alone on the standard output"),
  )
    .addHelpText(
      "after",
      `
Examples:
  $ sf keys create --name ci
  $ sf keys create --name desk --scope read --scope write --tool 'watchlists.*' --expires 30d
  $ sf keys create --name feed --rate 5:20 --quota search_cost=100 --output feed.key
  $ sf keys create --name agent --scope read --scope write --approvals approvals.json

${whereKeysAre}
What --approvals takes is what a policy has under approvals, like {"requireForSideEffectAtOrAbove": "user_write"}.
A file that is there is never overwritten.
Exit codes: 0 made and kept, 1 failed, 2 bad usage, 3 refused, 4 a person must approve it, 6 what is kept is damaged,
130 cancelled by Ctrl-C.`,
    )
    .action(async (options: KeysCreateOptions) => {
      const { createKey } = await import("../keys/create-command.ts");
      await createKey(options, context);
    });
  addOptionsWith(command, { option: "scope", value: "trade" }, [
    new Option("--trade <file>", "guardrails of a key with the scope trade, as JSON"),
  ]);
}
