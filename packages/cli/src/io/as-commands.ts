// The library tells what to do next in its own words; whoever sits at a terminal has commands.
const commands: readonly (readonly [RegExp, string])[] = [
  [/resolve\("(eff_[\w-]+)", …\)/g, "sf effects resolve $1 --status … --note …"],
  [/see the input schema of ([\w.]+)/g, "see the input schema of $1: sf explain $1 --schema"],
];

/** A text of the library, with the command in it where there is one. */
export function asCommands(text: string): string {
  return commands.reduce((said, [words, command]) => said.replaceAll(words, command), text);
}
