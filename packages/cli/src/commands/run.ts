import { type Command, InvalidArgumentError, Option } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { netLocalOption, netOnlyOption } from "../command-line/network-options.ts";
import {
  accountOption,
  asOption,
  jsonOption,
  keyFileOption,
  modelOption,
  packOption,
  policyOption,
  repeatable,
  sessionOption,
  urlOption,
  waitOption,
} from "../command-line/options.ts";
import type { RunCommandOptions } from "../run/run-options.ts";

export function addRun(program: Command, context: CommandContext): void {
  program
    .command("run")
    .description("give a model something to do: every call it makes is judged, journaled and paid for")
    .argument("[objective]", "what is to be done")
    .addOption(modelOption())
    .addOption(policyOption().conflicts("demo"))
    .addOption(
      new Option("--tools <names>", "the canonical names of those that it may call at most, like a.b,c.d")
        .argParser(toolNames)
        .conflicts("demo"),
    )
    .addOption(
      sessionOption("under which name a later run goes on from this one").conflicts(["demo", "replayTrace"]),
    )
    .addOption(
      new Option("--instructions <text>", "what comes first in it: a text, or @file").conflicts("demo"),
    )
    .addOption(
      new Option("--output-schema <file>", "JSON Schema of what it must answer with").conflicts("demo"),
    )
    .addOption(new Option("--max-steps <number>", "how often its model is asked at most").argParser(steps))
    .addOption(packOption().conflicts(["url", "keyFile", "demo"]))
    .addOption(urlOption().conflicts("demo"))
    .addOption(keyFileOption().conflicts("demo"))
    .addOption(netOnlyOption())
    .addOption(netLocalOption())
    .addOption(accountOption())
    .option(
      "--data <folder>",
      "where it is kept; else agent in $SF_DATA or the user's data folder, with --pack that folder itself",
    )
    .addOption(
      new Option("--store <address>", "keep it in a PostgreSQL database instead, postgres://…").conflicts(
        "data",
      ),
    )
    .addOption(asOption())
    .addOption(waitOption())
    .option("--record-trace <file>", "write what was journaled to a new file")
    .addOption(
      repeatable(
        "--replay-trace <trace>",
        "answer calls, and unless a model is named also for it, from a trace: a file or a run's id; nothing runs (repeatable)",
      ).conflicts(["data", "store", "url", "keyFile", "demo"]),
    )
    .addOption(
      new Option("--demo", "show one that needs nothing: a script, on simulated markets").conflicts("model"),
    )
    .addOption(jsonOption().conflicts("ndjson"))
    .option("--ndjson", "answer with the run's events, one JSON object a line")
    .addHelpText(
      "after",
      `
Examples:
  $ sf run --demo
  $ sf run "what is in my notes?" --pack ./notes.ts --model scripted:script.json
  $ SF_MODEL=openai:llama3@http://127.0.0.1:11434/v1 sf run "add milk" --pack ./notes.ts --policy policy.json
  $ SF_MODEL=anthropic:claude-haiku-4-5 sf run "what moves the world today?" --tools world.read --session monday

Its tools are those of --pack; else those of a platform, as sf agent finds it. Without --policy nothing is changed, and it ends within 20
steps and 40 calls. A model's key is in the environment: SF_MODEL_KEY, OPENAI_API_KEY, ANTHROPIC_API_KEY. What it does is told on
the standard error, its answer is on the standard output. Where a person must approve a call, they are asked here if they sit at a
terminal; else it ends with 4, is kept, and sf runs resume takes it on. Nothing approves by itself. Ctrl-C cancels it, a second one leaves.
Exit codes: 0 completed, 1 failed, 2 bad usage, 3 blocked or refused, 4 approval required, 5 replay miss, 6 what is kept is damaged,
130 cancelled by Ctrl-C.`,
    )
    .action(async (objective: string | undefined, options: RunCommandOptions) => {
      const { run } = await import("../run/run-command.ts");
      context.exit(await run(objective, options, context));
    });
}

function toolNames(text: string): string[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.every((name) => name !== "")) return names;
  throw new InvalidArgumentError("expected names with commas between them, like world.read,markets.search");
}

function steps(text: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("expected a whole number from 1 to 999999");
}
