import { type Command, Option } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { netLocalOption, netOnlyOption } from "../command-line/network-options.ts";
import type { GivenCallOptions } from "../call/call-command.ts";
import {
  accountOption,
  dataOption,
  inputOption,
  jsonOption,
  milliseconds,
  packOption,
  policyOption,
  repeatable,
  scopeOption,
  sessionOption,
  storeOption,
  waitForApprovalOption,
  waitOption,
} from "../command-line/options.ts";

export function addCall(program: Command, context: CommandContext): void {
  program
    .command("call")
    .description("call a tool: judged, journaled, with a receipt")
    .argument("<tool>", "its canonical name, like notes.read")
    .addOption(inputOption())
    .addOption(policyOption())
    .addOption(packOption())
    .addOption(scopeOption())
    .addOption(netOnlyOption())
    .addOption(netLocalOption())
    .addOption(accountOption())
    .addOption(dataOption())
    .addOption(storeOption())
    .addOption(waitOption())
    .addOption(
      new Option(
        "--timeout <time>",
        "how long the tool may take, like 30s; a number alone is milliseconds",
      ).argParser(milliseconds(1)),
    )
    .option("--idempotency-key <key>", "the same key with the same input runs once")
    .addOption(sessionOption().conflicts("replayTrace"))
    .addOption(waitForApprovalOption().conflicts("replayTrace"))
    .addOption(new Option("--sign", "sign the receipt with the installation's key").conflicts("replayTrace"))
    .option("--record-trace <file>", "write what was journaled to a new file")
    .addOption(
      repeatable(
        "--replay-trace <trace>",
        "answer from a trace, a file or the id of a segment, a run or a call here; nothing runs (repeatable)",
      ).conflicts(["data", "store", "idempotencyKey"]),
    )
    .addOption(jsonOption().conflicts("ndjson"))
    .option("--ndjson", "answer with the call's events, one JSON object a line")
    .addHelpText(
      "after",
      `
Examples:
  $ sf call notes.read --pack ./notes.ts --input '{"id": 7}'
  $ sf call notes.add --pack ./notes.ts --policy policy.json --input @note.json --sign --json
  $ echo '{"id": 7}' | sf call notes.read --pack ./notes.ts --input - --record-trace run.jsonl
  $ sf call notes.read --replay-trace run.jsonl --input '{"id": 7}'

Where a person must approve it, it ends with 4 and says how they answer; the same command runs it then.
Exit codes: 0 done, 1 failed, 2 bad usage, 3 refused, 4 approval required, 5 replay miss,
6 verification failed, 130 cancelled by Ctrl-C.`,
    )
    .action(async (tool: string, options: GivenCallOptions) => {
      const { call } = await import("../call/call-command.ts");
      context.exit(await call(tool, options, context));
    });
}
