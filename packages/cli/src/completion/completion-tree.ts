import type { Command, Option } from "commander";

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
    command.name() === "help" ? [helpNode(path, commands)] : completionTree(command, `${path} `),
  );
  return [node, ...below];
}

/** `sf help call` is about a command. */
function helpNode(above: string, commands: readonly Command[]): CompletedCommand {
  const words = commands.map((command) => ({ word: command.name(), about: command.description() }));
  return { path: `${above} help`, commands: words.filter(({ word }) => word !== "help"), options: [] };
}

function optionsOf(option: Option): CompletedOption[] {
  const { long, short, description: about, argChoices = [] } = option;
  const takesValue = option.required || option.optional;
  const choices = argChoices.filter(isPlain);
  return [long, short].flatMap((word) => (word ? [{ word, about, takesValue, choices }] : []));
}

/** What means nothing to any shell. */
function isPlain(word: string): boolean {
  return /^[\w.@%+,/-]+$/.test(word);
}
