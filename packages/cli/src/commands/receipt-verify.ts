import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { jsonOption, keyOption } from "../command-line/options.ts";
import type { ReceiptVerifyOptions } from "../receipt/verify-command.ts";

export function addReceiptVerify(receipt: Command, context: CommandContext): void {
  receipt
    .command("verify")
    .description("say whether a receipt can be believed")
    .argument("<file>", "a receipt, or what sf call --json printed; - for the standard input")
    .option(
      "--trace <trace>",
      "what the receipt must agree with: a trace's file, or the id of a segment, a run or a call here",
    )
    .addOption(keyOption())
    .option("--pin", "trust the given key from now on, once it has proven itself here")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf call notes.add --pack ./notes.ts --policy policy.json --sign --json > call.json
  $ sf receipt verify call.json --key 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo --pin
  $ sf receipt verify call.json --trace run.jsonl

authentic: signed by a key that was given, or pinned earlier. consistent, signer unknown: nothing contradicts
it, and nobody vouches for it. invalid: something does.
Exit codes: 0 authentic or consistent, 2 bad usage, 6 invalid, or not signed by a key that was given.`,
    )
    .action(async (file: string, options: ReceiptVerifyOptions) => {
      const { verify } = await import("../receipt/verify-command.ts");
      context.exit(await verify(file, options, context));
    });
}
