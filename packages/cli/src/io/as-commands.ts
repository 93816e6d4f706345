// The library tells what to do next in its own words; whoever sits at a terminal has commands.
type Command = readonly [words: RegExp, command: (name: string, options: string) => string];

const commands: readonly Command[] = [
  [
    /runs\.resolve\("(run_[\w-]+", "eff_[\w-]+)", …\)/g,
    (ids, options) => `sf runs resolve ${ids.replace('", "', " ")} --status … --note …${options}`,
  ],
  [
    /resolve\("(eff_[\w-]+)", …\)/g,
    (id, options) => `sf effects resolve ${id} --status … --note …${options}`,
  ],
  [
    /see the input schema of ([\w.]+)/g,
    (tool) => `see the input schema of ${tool}: sf explain ${tool} --schema`,
  ],
];

/** A text of the library, with the command in it where there is one; `options` is what finds effects that are not in their usual place. */
export function asCommands(text: string, options = ""): string {
  return commands.reduce(
    (said, [words, command]) => said.replaceAll(words, (_, name: string) => command(name, options)),
    text,
  );
}
