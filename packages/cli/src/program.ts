import { readFileSync } from "node:fs";
import {
  type AddHelpTextContext,
  type AddHelpTextPosition,
  Command,
  type CommanderError,
  type ParseOptions,
} from "commander";
import type { CommandContext } from "./command-line/command-context.ts";
import { wrappedHelp } from "./command-line/wrapped-help.ts";
import type { Printer } from "./io/printer.ts";
import { type AddCommand, outlines } from "./program-outline.ts";

/** The command line as far as it is asked for: that command whole, of the others the outline. */
export async function createProgram(argv: readonly string[], context: CommandContext): Promise<Command> {
  const asked = askedFor(argv);
  const isWhole = outlines.some(({ name, isAboutAll }) => name === asked && isAboutAll === true);
  const loaded = outlines
    .filter(({ name }) => isWhole || name === asked)
    .map(async ({ name, load }) => [name, await load()] as const);
  return outlinedProgram(context.print.page, { adds: new Map(await Promise.all(loaded)), context });
}

type Loaded = { readonly adds: ReadonlyMap<string, AddCommand>; readonly context: CommandContext };

/** What can be asked for, and in which words; only what is loaded can also be done. */
export function outlinedProgram(page: Printer["page"], loaded?: Loaded): Command {
  const program = new Program("sf");
  program
    .description(
      "Governed execution for AI agents: who calls, which exact tool, may it, at what price, can it be proven.",
    )
    .version(versionOf(), "--version", "print the version")
    .helpOption("-h, --help", "print this")
    .helpCommand("help [command]", "print what a command does")
    // The same whether it is loaded or not.
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => page(text, "stdout"),
      writeErr: (text) => page(text, "stderr"),
      // Told by whoever runs this, in the words of every other error.
      outputError: () => undefined,
    })
    .addHelpText(
      "after",
      `
Examples:
  $ sf run --demo
  $ sf up
  $ sf agent --tool world.read --record-trace world.jsonl
  $ sf trace show world.jsonl
  $ sf explain notes.add --pack ./notes.ts --policy policy.json
  $ sf doctor`,
    );
  for (const { name, description } of outlines) {
    const add = loaded?.adds.get(name);
    if (loaded === undefined || add === undefined) program.command(name).description(description);
    else add(program, loaded.context);
  }
  return program;
}

type HelpText = string | ((context: AddHelpTextContext) => string);

/** Where nobody says how wide a screen is. */
const usualWidth = 80;

/** `sf help approvals approve` is about that very command, as `sf approvals approve --help` is; of what is no command it is said so, as without `help`. */
class Program extends Command {
  override createCommand(name?: string): Command {
    return new Program(name);
  }

  override addHelpText(position: AddHelpTextPosition, text: HelpText): this {
    if (typeof text !== "string") return super.addHelpText(position, text);
    return super.addHelpText(position, ({ error, command }) => {
      const output = command.configureOutput();
      const width = error ? output.getErrHelpWidth?.() : output.getOutHelpWidth?.();
      return wrappedHelp(text, width ?? usualWidth);
    });
  }

  override async parseAsync(argv: readonly string[], options?: ParseOptions): Promise<this> {
    const [first, ...words] = argv;
    const isDeep = first === "help" && words.length > 1;
    if (first === "help" && words.length === 1 && this.#isUnknown(words[0] ?? ""))
      return await super.parseAsync(words, options);
    return await super.parseAsync(isDeep ? [...words, "--help"] : argv, options);
  }

  #isUnknown(word: string): boolean {
    return word !== "help" && !word.startsWith("-") && this.commands.every((one) => one.name() !== word);
  }
}

/** How help ends: with 2 where nothing was asked. Nothing for what is no help. */
export function exitOfHelp({ code, exitCode }: CommanderError): number | undefined {
  if (!["commander.help", "commander.helpDisplayed", "commander.version"].includes(code)) return undefined;
  return exitCode === 0 ? 0 : 2;
}

/** The first word of a command line that is no option; after `help`, the next one. */
function askedFor(argv: readonly string[]): string | undefined {
  const [first, second] = argv.filter((word) => !word.startsWith("-"));
  return first === "help" ? second : first;
}

function versionOf(): string {
  const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
