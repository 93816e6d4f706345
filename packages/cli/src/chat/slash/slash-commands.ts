import { nearest } from "@spfunctions/contracts";
import { grantCommands } from "./grant-commands.ts";
import { memoryCommands } from "./memory-commands.ts";
import { BadWords, type SlashCommand, type SlashDesk } from "./slash-command.ts";
import { stateCommands } from "./state-commands.ts";
import { turnCommands } from "./turn-commands.ts";

const help: SlashCommand = {
  name: "help",
  about: "print this",
  run: (_, { print }) => {
    const terms = slashCommands.map(({ name, takes = "" }) => `/${name} ${takes}`.trim());
    const width = Math.max(...terms.map((term) => term.length));
    for (const [at, { about }] of slashCommands.entries())
      print.out(`  ${(terms[at] ?? "").padEnd(width)}  ${about}`);
    print.out("A line that ends with \\ goes on in the next; //text says /text to the model.");
    print.out("Ctrl-C cancels a turn, and leaves at the prompt.");
  },
};

/** What it does is the prompt's own. */
const quit: SlashCommand = { name: "quit", about: "leave; everything is kept", run: () => undefined };

/** In the order in which they are listed. */
const slashCommands: readonly SlashCommand[] = [
  ...stateCommands,
  ...grantCommands,
  ...memoryCommands,
  ...turnCommands,
  help,
  quit,
];

/** Whether it is a command, and no message: one line that begins with one stroke. */
export function isSlash(text: string): boolean {
  return /^\/(?!\/)[^\n]*$/.test(text);
}

/** Does what a line says. Whether the chat goes on. */
export async function runSlash(line: string, desk: SlashDesk): Promise<boolean> {
  const [, name = "", rest = ""] = /^\/(\S*)\s*(.*?)\s*$/s.exec(line) ?? [];
  if (name === "quit" || name === "exit") return false;
  const command = slashCommands.find((one) => one.name === name);
  if (command === undefined) {
    sayUnknown(name, desk);
    return true;
  }
  try {
    await command.run(rest, desk);
  } catch (error) {
    if (!(error instanceof BadWords)) throw error;
    desk.print.err({ text: "not understood", style: "yellow" }, `: ${error.message}`);
  }
  return true;
}

function sayUnknown(name: string, { print }: SlashDesk): void {
  const near = nearest(
    name,
    slashCommands.map((one) => one.name),
  ).map((one) => `/${one}`);
  const meant = near.length === 0 ? ";" : `; did you mean ${near.join(", ")}?`;
  print.err(
    { text: `there is no /${name}`, style: "yellow" },
    `${meant} /help lists them; to say it to the model, begin with //`,
  );
}
