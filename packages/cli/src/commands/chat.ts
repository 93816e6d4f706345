import { type Command, Option } from "commander";
import type { ChatOptions } from "../chat/chat-options.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { netLocalOption, netOnlyOption } from "../command-line/network-options.ts";
import {
  accountOption,
  asOption,
  dataOption,
  jsonOption,
  modelOption,
  packOption,
  policyOption,
  repeatable,
  sessionOption,
  storeOption,
  waitOption,
} from "../command-line/options.ts";

export function addChat(program: Command, context: CommandContext): void {
  program
    .command("chat")
    .description("talk to an agent that keeps notes and memory from turn to turn, every call of it governed")
    .addOption(sessionOption("which session; it begins where there was none").default("chat"))
    .addOption(modelOption())
    .addOption(packOption())
    .addOption(policyOption())
    .addOption(
      repeatable("--constraint <text>", "what holds in any case, whatever its model says (repeatable)"),
    )
    .option("--instructions <text>", "what its model is told first: a text, or @file")
    .addOption(
      new Option("--tool-calling <how>", "by a block in its text, or by the model's own way of calling")
        .choices(["text", "native"])
        .default("text"),
    )
    .addOption(
      new Option(
        "--once <text>",
        "say this, answer on the standard output, and end; - for the standard input",
      ).conflicts(["resume", "cancel"]),
    )
    .addOption(
      new Option("--resume", "go on with the turn that waits or was left, and end").conflicts("cancel"),
    )
    .option("--cancel", "give up the turn that waits or was left, and end")
    .addOption(netOnlyOption())
    .addOption(netLocalOption())
    .addOption(accountOption())
    .addOption(dataOption())
    .addOption(storeOption())
    .addOption(asOption())
    .addOption(waitOption())
    .addOption(jsonOption().conflicts("ndjson"))
    .option("--ndjson", "answer with the turn's events, one JSON object a line")
    .addHelpText(
      "after",
      `
Examples:
  $ SF_MODEL=anthropic:claude-haiku-4-5 sf chat
  $ sf chat --session house --pack fs:notes --pack http --model openai:llama3@http://127.0.0.1:11434/v1
  $ sf chat --once "what did we decide?" --model scripted:script.json
  $ echo "and now?" | sf chat --once - --model scripted:script.json --json

At a terminal it asks for a message, shows what the model says as it says it and a line for each call, and lets you answer what needs a
person: approvals (approve, deny, later) and what it may reach (once, session, hour, no, later). You answer as an operator; only what is
typed after the question was shown counts, and nothing that a model says. /help lists the commands of the prompt: /state, /undo, /grants ...
Without --policy nothing is changed. Ctrl-C cancels a turn, and leaves at the prompt. A turn that waits for a person is kept: sf approvals
answers it from elsewhere, and --resume, or /resume at the prompt, goes on with it.
Exit codes: 0 completed or left, 1 failed, 2 bad usage, 3 stopped or refused, 4 waits for a person, 6 what is kept is damaged,
130 cancelled by Ctrl-C.`,
    )
    .action(async (options: ChatOptions) => {
      const { chat } = await import("../chat/chat-command.ts");
      context.exit(await chat(options, context));
    });
}
