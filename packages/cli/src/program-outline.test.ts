import type { Command } from "commander";
import { expect, test } from "vitest";
import type { CommandContext } from "./command-line/command-context.ts";
import { createProgram } from "./program.ts";
import { outlines } from "./program-outline.ts";

const never = () => expect.unreachable("nothing is to be printed or done");
const context: CommandContext = {
  io: {
    stdin: (async function* stdin() {})(),
    stdout: never,
    stderr: never,
    isTerminal: { stdout: false, stderr: false },
    env: {},
    cwd: "/",
    signal: new AbortController().signal,
  },
  print: { out: never, err: never, piece: never, ask: never, json: never, page: never },
  exit: never,
};

/** Names and descriptions, and whether it is more than an outline. */
async function listed(argv: readonly string[]) {
  const { commands } = await createProgram(argv, context);
  return commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    isWhole: command.options.length + command.commands.length + command.registeredArguments.length > 0,
  }));
}

const outlined = (isWhole: (name: string) => boolean) =>
  outlines.map(({ name, description }) => ({ name, description, isWhole: isWhole(name) }));

test("the outline says about each command what the command says itself", async () => {
  expect(await listed(["completion", "bash"])).toStrictEqual(outlined(() => true));
});

test.each(outlines.filter(({ isAboutAll }) => isAboutAll !== true).map(({ name }) => name))(
  "whoever asks for sf %s gets it whole, and nothing else is loaded",
  async (asked) => {
    const onlyThat = outlined((name) => name === asked);
    expect(await listed([asked, "x", "--json"])).toStrictEqual(onlyThat);
    expect(await listed(["help", asked])).toStrictEqual(onlyThat);
    expect(await listed(["-h", asked])).toStrictEqual(onlyThat);
  },
);

test.each([[[]], [["--help"]], [["help"]], [["cal"]], [["help", "cal"]], [["constructor"]]])(
  "%j loads no command",
  async (argv) => {
    expect(await listed(argv)).toStrictEqual(outlined(() => false));
  },
);

test("an option is spelled the same, and takes the same, in every command that has it", async () => {
  const forms = new Map<string, Set<string>>();
  const look = ({ options, commands }: Command): void => {
    for (const { long, flags } of options)
      forms.set(long ?? flags, (forms.get(long ?? flags) ?? new Set<string>()).add(flags));
    for (const command of commands) look(command);
  };
  look(await createProgram(["completion"], context));
  const twofold = [...forms.values()].filter(({ size }) => size > 1).map((flags) => [...flags]);
  // One governed call, and one thing said: both once, and only the second has words.
  expect(twofold).toStrictEqual([["--once", "--once <text>"]]);
  expect(forms.size).toBeGreaterThan(50);
});
