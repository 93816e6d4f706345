import { exitCodes } from "@spfunctions/contracts";
import { exitsOfSignals } from "../../packages/cli/src/io/report-error.ts";
import { createProgram } from "../../packages/cli/src/program.ts";
import { code, page, table } from "../markdown.ts";
import { docsOfList } from "./source/documented-list.ts";
import { docsOfSchema } from "./source/documented-members.ts";

type Command = Awaited<ReturnType<typeof createProgram>>;
type Option = Command["options"][number];
type Argument = Command["registeredArguments"][number];

export async function commandLinePage(): Promise<string> {
  const program = await wholeProgram();
  const commands = commandsBelow(program, "sf");
  return page(
    "# Command line",
    "Every command of `sf` with its arguments and options, as `sf help <command>` prints them. [docs/command-line.md](../command-line.md) says what to use when. From this repository: `npm run -s sf -- <command>`.",
    table(
      ["command", "what it does"],
      commands.map(({ path, command }) => [
        `[${code(path)}](#${path.replaceAll(" ", "-")})`,
        command.description(),
      ]),
    ),
    "## Exit codes",
    table(["code", "means"], exitRows()),
    "## Environment variables",
    table(
      ["variable", "means"],
      [...docsOfList("packages/cli/src/doctor/environment-variables.ts", "environmentVariables")].map(
        ([name, says]) => [code(name), says],
      ),
    ),
    ...commands.flatMap(({ path, command }) => commandSection(path, command)),
  );
}

const nothing = () => undefined;

/** `completion` tells about all commands, and so they are all there. */
async function wholeProgram(): Promise<Command> {
  const print = { page: nothing } as unknown as Parameters<typeof createProgram>[1]["print"];
  const io = {} as Parameters<typeof createProgram>[1]["io"];
  return await createProgram(["completion"], { io, print, exit: nothing });
}

type Named = { readonly path: string; readonly command: Command };

/** Those that do something: a group of commands is none. */
function commandsBelow(program: Command, path: string): Named[] {
  return program.commands.flatMap((command) => {
    const own = `${path} ${command.name()}`;
    return command.commands.length > 0 ? commandsBelow(command, own) : [{ path: own, command }];
  });
}

function exitRows(): string[][] {
  const own = docsOfSchema("packages/contracts/src/error/error-codes.ts", "exitCodes").members;
  const signals = docsOfSchema("packages/cli/src/io/report-error.ts", "exitsOfSignals").members;
  return [
    ...Object.entries(exitCodes).map(([name, exit]) => [String(exit), own.get(name) ?? ""]),
    ...Object.entries(exitsOfSignals).map(([name, exit]) => [String(exit), signals.get(name) ?? ""]),
  ];
}

function commandSection(path: string, command: Command): string[] {
  return [
    `## ${path}`,
    command.description(),
    code(`${path} ${command.usage()}`),
    table(
      ["argument", "", "meaning"],
      command.registeredArguments.map((argument) => [
        code(argument.name()),
        argument.required ? "**required**" : ifLeftOut(argument),
        about(argument),
      ]),
    ),
    table(
      ["option", "if left out", "meaning"],
      // Also those that help shows only to whoever asks for what they are about.
      command.options.map((option) => [
        code(option.flags),
        option.mandatory ? "**required**" : ifLeftOut(option),
        about(option),
      ]),
    ),
    notesOf(command),
  ];
}

function about({ description, argChoices }: Argument | Option): string {
  return argChoices === undefined ? description : `${description}: ${argChoices.map(code).join(", ")}`;
}

function ifLeftOut({ defaultValue, defaultValueDescription }: Argument | Option): string {
  if (defaultValueDescription !== undefined) return defaultValueDescription;
  return defaultValue === undefined ? "" : code(String(defaultValue));
}

/** Examples and what else is said below the options. */
function notesOf(command: Command): string {
  let text = "";
  // The same wherever it is made.
  command.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 80 }).outputHelp();
  const notes = text.slice(command.helpInformation().length).trim();
  return notes === "" ? "" : `\`\`\`text\n${notes}\n\`\`\``;
}
