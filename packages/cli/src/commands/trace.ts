import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { addTraceDiff } from "./trace-diff.ts";
import { addTraceErase } from "./trace-erase.ts";
import { addTraceExport } from "./trace-export.ts";
import { addTraceLs } from "./trace-ls.ts";
import { addTraceShow } from "./trace-show.ts";
import { addTraceVerify } from "./trace-verify.ts";

/** What was recorded: in a journal here, or in a file. */
export function addTrace(program: Command, context: CommandContext): void {
  const trace = program
    .command("trace")
    .description("look at what was recorded, export, verify, compare and erase it");
  addTraceLs(trace, context);
  addTraceShow(trace, context);
  addTraceVerify(trace, context);
  addTraceExport(trace, context);
  addTraceDiff(trace, context);
  addTraceErase(trace, context);
}
