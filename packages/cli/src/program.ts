import { readFileSync } from "node:fs";
import { Command } from "commander";
import type { CommandContext } from "./command-line/command-context.ts";
import { addCall } from "./commands/call.ts";
import { addEffects } from "./commands/effects.ts";
import { addUp } from "./commands/up.ts";
import { addExplain } from "./commands/explain.ts";
import { addReceiptVerify } from "./commands/receipt-verify.ts";
import { addTraceShow } from "./commands/trace-show.ts";
import { addTraceVerify } from "./commands/trace-verify.ts";

/** The command line: what can be asked for, and in which words. */
export function createProgram(context: CommandContext): Command {
  const { print } = context;
  const program = new Command("sf");
  program
    .description(
      "Governed execution for AI agents: who calls, which exact tool, may it, at what price, can it be proven.",
    )
    .version(versionOf(), "--version", "print the version")
    .helpOption("-h, --help", "print this")
    .helpCommand("help [command]", "print what a command does")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => print.page(text, "stdout"),
      writeErr: (text) => print.page(text, "stderr"),
      // Told by whoever runs this, in the words of every other error.
      outputError: () => undefined,
    })
    .addHelpText(
      "after",
      `
Examples:
  $ sf up
  $ sf explain notes.add --pack ./notes.ts --policy policy.json
  $ sf call notes.add --pack ./notes.ts --policy policy.json --input '{"text": "milk"}'
  $ sf trace verify run.jsonl`,
    );
  addUp(program, context);
  addCall(program, context);
  addExplain(program, context);
  const trace = program.command("trace").description("look at what was recorded");
  addTraceVerify(trace, context);
  addTraceShow(trace, context);
  const receipt = program.command("receipt").description("look at what a call left in your hand");
  addReceiptVerify(receipt, context);
  addEffects(program, context);
  return program;
}

function versionOf(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
