import { type Command, Option } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import type { AgentCommandOptions } from "../platform/agent-command.ts";
import {
  accountOption,
  inputOption,
  jsonOption,
  keyFileOption,
  milliseconds,
  packOption,
  policyOption,
  repeatable,
  sessionOption,
  urlOption,
  waitForApprovalOption,
  waitOption,
} from "../command-line/options.ts";

export function addAgent(program: Command, context: CommandContext): void {
  program
    .command("agent")
    .description("call a tool of a platform under a policy of your own: judged and journaled on both sides")
    .requiredOption("--tool <name>", "its canonical name, like world.read")
    .addOption(inputOption())
    .addOption(policyOption())
    .addOption(urlOption())
    .addOption(keyFileOption())
    .addOption(packOption().conflicts("url"))
    .addOption(accountOption())
    .option(
      "--data <folder>",
      "where this side's journal is kept; else agent in $SF_DATA or the user's data folder",
    )
    .option(
      "--store <address>",
      "keep it in a PostgreSQL database instead, postgres://…, in the schema simplefunctions_agent unless ?schema= names one",
    )
    .addOption(waitOption())
    .addOption(
      new Option(
        "--timeout <time>",
        "how long the call may take, like 30s; a number alone is milliseconds",
      ).argParser(milliseconds(1)),
    )
    .option("--idempotency-key <key>", "the same key with the same input runs once")
    .addOption(sessionOption().conflicts("replayTrace"))
    .addOption(waitForApprovalOption().conflicts(["replayTrace", "dryRun"]))
    .option("--record-trace <file>", "write what was journaled to a new file")
    .addOption(
      repeatable(
        "--replay-trace <trace>",
        "answer from a trace, a file or the id of a segment, a run or a call here; nothing is sent, and no key needed (repeatable)",
      ).conflicts(["data", "store", "idempotencyKey", "url", "keyFile", "pack", "dryRun"]),
    )
    .addOption(
      new Option("--dry-run", "show what this side would decide, gate by gate; nothing is sent").conflicts([
        "recordTrace",
        "idempotencyKey",
        "ndjson",
        "streamJson",
      ]),
    )
    .addOption(jsonOption().conflicts(["ndjson", "streamJson"]))
    .option("--ndjson", "answer with the call's events, one JSON object a line")
    .option("--stream-json", "the same as --ndjson")
    .addHelpText(
      "after",
      `
Examples:
  $ sf agent --tool world.read
  $ sf agent --tool markets.search --input '{"query": "rain"}' --record-trace run.jsonl
  $ sf agent --tool markets.search --input '{"query": "rain"}' --replay-trace run.jsonl
  $ sf agent --tool watchlists.add --input @list.json --policy policy.json --ndjson
  $ SF_API_URL=https://platform.example SF_API_KEY=... sf agent --tool world.read --json

It asks the platform at --url or $SF_API_URL; else the one that "sf up" has up in this folder; else one in this process,
on the same data. Without --policy nothing is changed. Where a person must approve it, on either side, it ends with
4 and says how they answer; the same command runs it then.
Exit codes: 0 done, 1 failed, 2 bad usage, 3 refused, 4 approval required, 5 replay miss, 6 verification failed,
130 cancelled by Ctrl-C.`,
    )
    .action(async (options: AgentCommandOptions) => {
      const { agent } = await import("../platform/agent-command.ts");
      context.exit(await agent(options, context));
    });
}
