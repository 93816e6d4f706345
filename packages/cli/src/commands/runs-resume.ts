import { type Command, Option } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { netLocalOption, netOnlyOption } from "../command-line/network-options.ts";
import { keyFileOption, packOption, urlOption, waitOption } from "../command-line/options.ts";
import type { RunsResumeOptions } from "../runs/resume-command.ts";
import { addRunsOptions, whereRunsAre } from "../runs/runs-options.ts";

export function addRunsResume(runs: Command, context: CommandContext): void {
  addRunsOptions(
    runs
      .command("resume")
      .description("take one on that nobody drives, with the tools and the model it was started with")
      .argument("<runId>", "as listed, run_…")
      .addOption(packOption().conflicts(["url", "keyFile", "demo"]))
      .addOption(urlOption().conflicts("demo"))
      .addOption(keyFileOption().conflicts("demo"))
      .addOption(
        new Option("--model <name>", "as sf run names it, or a module that has it; else $SF_MODEL").conflicts(
          "demo",
        ),
      )
      .option("--demo", "with the model and the markets of sf run --demo")
      .option("--wait-for-approval", "where only a person can take it on, wait for them")
      .addOption(netOnlyOption())
      .addOption(netLocalOption())
      .addOption(waitOption()),
  )
    .addHelpText(
      "after",
      `
Examples:
  $ sf runs resume run_0190a7c4-8d5e-7f3a-9b1c-2d3e4f5a6b7c --pack ./notes.ts --model ./model.ts
  $ sf runs resume run_0190a7c4-8d5e-7f3a-9b1c-2d3e4f5a6b7c --pack ./notes.ts --model scripted:script.json

Tools of a platform are taken from it as sf run does, where a run has none but such: at --url, with --key-file, or the one of this folder.
A model's module has an adapter, { name, complete }, or { adapter, price, maxOutputTokens } as its default or model export. Where the
run was started under policies of its host, the same module exports them: evaluatePreTool, evaluatePostTool, isStarterValid. Policies,
agent and strategy are those it was started with. What it does is told on the standard error, its answer is on the standard output.
Its subagents go on with it; the run of one is not taken on alone, unless it was let go.
Ctrl-C leaves it as it is, for whoever takes it on next; sf runs cancel ends it.
${whereRunsAre}
Exit codes: 0 completed, 1 failed, cancelled, or nobody knows what became of an effect, 2 bad usage, 3 blocked, or refused: another process
drives it, or these are not its tools, its model or its policies; 4 it waits for a person.`,
    )
    .action(async (runId: string, options: RunsResumeOptions) => {
      const { resumeRun } = await import("../runs/resume-command.ts");
      context.exit(await resumeRun(runId, options, context));
    });
}
