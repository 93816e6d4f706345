import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { addRunsCancel } from "./runs-cancel.ts";
import { addRunsLs } from "./runs-ls.ts";
import { addRunsResolve } from "./runs-resolve.ts";
import { addRunsResume } from "./runs-resume.ts";
import { addRunsShow } from "./runs-show.ts";

export function addRuns(program: Command, context: CommandContext): void {
  const runs = program
    .command("runs")
    .description("runs of agents: what they do, what they wait for, and taking them on");
  addRunsLs(runs, context);
  addRunsShow(runs, context);
  addRunsResume(runs, context);
  addRunsCancel(runs, context);
  addRunsResolve(runs, context);
}
