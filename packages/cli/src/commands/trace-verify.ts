import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { anyDataOption, anyStoreOption, jsonOption, keyOption } from "../command-line/options.ts";
import { anyAccountOption } from "./trace-options.ts";
import type { TraceVerifyOptions } from "../trace/verify-journal.ts";

export function addTraceVerify(trace: Command, context: CommandContext): void {
  trace
    .command("verify")
    .description("say whether a trace is what was written")
    .argument(
      "[file]",
      "a trace, - for the standard input, or the id of a segment, a run or a call here; without one, every journal here",
    )
    .addOption(keyOption())
    .option("--allow-unknown-signer", "take a trace that is signed by a key that is not known here, too")
    .addOption(anyAccountOption())
    .addOption(anyDataOption())
    .addOption(anyStoreOption())
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf trace verify run.jsonl
  $ sf trace verify --data ./data
  $ sf trace verify run.jsonl --key 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo

ok: sealed and whole. open: whole as far as it goes, without a seal. broken: the first bad record is named.
By an id it is looked at as sf trace export writes it: whole, and signed where this installation has sealed it.
It is checked against the keys that are given, else against those that are pinned and your own.
Exit codes: 0 ok or open, 1 there is no journal or no such id, 2 bad usage, 6 broken, or not signed by a key that was given,
7 whole, and signed by a key that is not known here.`,
    )
    .action(async (file: string | undefined, options: TraceVerifyOptions) => {
      const { verify } = await import("../trace/verify-command.ts");
      context.exit(await verify(file, options, context));
    });
}
