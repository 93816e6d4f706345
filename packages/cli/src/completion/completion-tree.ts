import type { Command, Option } from "commander";
import { offeredFor } from "../command-line/options.ts";

/** A word that can stand next, and what it is for. */
export type Word = { readonly word: string; readonly about: string };

export type CompletedOption = Word & {
  /** Whether a value follows it. */
  readonly takesValue: boolean;
  /** The values there are, where they are few. */
  readonly choices: readonly string[];
};

/** One command with all that can follow it. */
export type CompletedCommand = {
  /** From the program's name on. */
  readonly path: string;
  readonly commands: readonly Word[];
  readonly options: readonly CompletedOption[];
};

/** The program as it is: its commands from the top down, each with its options. */
export function completionTree(program: Command, above = ""): CompletedCommand[] {
  const path = `${above}${program.name()}`;
  const help = program.createHelp();
  const commands = help.visibleCommands(program);
  const node: CompletedCommand = {
    path,
    commands: [
      ...commands.map((command) => ({ word: command.name(), about: command.description() })),
      ...program.registeredArguments.flatMap(({ argChoices = [], description }) =>
        argChoices.map((word) => ({ word, about: description })),
      ),
    ].filter(({ word }) => isPlain(word)),
    options: help.visibleOptions(program).flatMap(optionsOf),
  };
  const below = commands.flatMap((command) =>
    command.name() === "help" ? helpNodes(`${path} help`, commands) : completionTree(command, `${path} `),
  );
  return [node, ...below];
}

/** `sf help call` is about a command, and `sf help keys create` about one of its commands. */
function helpNodes(path: string, commands: readonly Command[]): CompletedCommand[] {
  const about = commands.filter((command) => command.name() !== "help");
  const words = about.map((command) => ({ word: command.name(), about: command.description() }));
  const below = about.flatMap((command) =>
    helpNodes(`${path} ${command.name()}`, command.createHelp().visibleCommands(command)),
  );
  return [{ path, commands: words, options: [] }, ...below];
}

function optionsOf(option: Option): CompletedOption[] {
  const { long, short, description: about } = option;
  const takesValue = option.required || option.optional;
  const choices = offeredFor(option).filter(isPlain);
  return [long, short].flatMap((word) => (word ? [{ word, about, takesValue, choices }] : []));
}

/** What means nothing to any shell. */
function isPlain(word: string): boolean {
  return /^[\w.@%+,/-]+$/.test(word);
}
