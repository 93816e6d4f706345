import { exitCodes, heldSecrets, InternalError } from "@spfunctions/contracts";
import { type Command, CommanderError } from "commander";
import { badUsage } from "./command-line/bad-usage.ts";
import type { CommandContext } from "./command-line/command-context.ts";
import type { CliIo } from "./io/cli-io.ts";
import { createPrinter } from "./io/printer.ts";
import { errorOf, exitOf, type Mode, printError, reportError } from "./io/report-error.ts";
import { takeUsualAccount } from "./command-line/options.ts";
import { modelKeys } from "./command-line/model-keys.ts";
import { createProgram, exitOfHelp } from "./program.ts";
import { holdPassword } from "./seat/store-place.ts";

/** Runs one command line, without the program's own name, and says how to exit. It never throws. */
export async function runCli(argv: readonly string[], io: CliIo): Promise<number> {
  holdSecrets(io.env);
  const print = createPrinter(io);
  let exit: number = exitCodes.done;
  const context: CommandContext = {
    io,
    print,
    exit: (code) => {
      exit = code;
    },
  };
  let program: Command | undefined;
  try {
    program = await createProgram(argv, context);
    program.hook("preAction", (_, command) => takeUsualAccount(command, io.env));
    await program.parseAsync(argv, { from: "user" });
    return exit;
  } catch (thrown) {
    const helped = thrown instanceof CommanderError ? exitOfHelp(thrown) : undefined;
    if (helped !== undefined) return helped;
    const error =
      thrown instanceof CommanderError
        ? badUsage(`${wordingOf(thrown)}; see ${helpFor(argv, program)}`)
        : errorOf(thrown);
    reportError(print, error, modeOf(argv), io.env);
    return exitOf(error, io.signal);
  }
}

/** S1: from the first moment on. A pack is loaded before the installation is, and could say anything. */
function holdSecrets(env: CliIo["env"]): void {
  const { SF_INSTALLATION_KEY: secret = "", SF_API_KEY: key = "", SF_STORE: store = "" } = env;
  // What is shorter is no secret of ours, and would be hidden wherever it is a word.
  if (secret.length >= 32) heldSecrets.add(secret, "installation");
  if (key.length >= 32) heldSecrets.add(key, "api_key");
  holdPassword(store);
  for (const model of modelKeys.map((name) => env[name] ?? ""))
    if (model.length >= shortestModelKey) heldSecrets.add(model, "api_key");
}

/** What a model's provider takes for a key may be short, and is then a word like any other. */
const shortestModelKey = 16;

/** Tells of a fault that came from nowhere: code of a pack that nobody waits for. */
export function reportStray(thrown: unknown, io: CliIo): void {
  printError(createPrinter(io), errorOf(thrown), io.env);
}

/** Tells, in place of the answer, why there will be none. */
export function reportLost(message: string, argv: readonly string[], io: CliIo): void {
  reportError(createPrinter(io), new InternalError(message), modeOf(argv), io.env);
}

function wordingOf({ message }: CommanderError): string {
  return message
    .replace(/^error: /, "")
    .replaceAll("\n", " ")
    .replace(/\.$/, "");
}

/** S1: of the words that were given only those of a command are told again. */
function helpFor(argv: readonly string[], program: Command | undefined): string {
  let [at, path] = [program, "sf"];
  for (const word of argv) {
    const below: Command | undefined = at?.commands.find((command) => command.name() === word);
    if (below === undefined) break;
    [at, path] = [below, `${path} ${word}`];
  }
  return `${path} --help`;
}

/** Also for command lines that could not be understood: whoever reads JSON gets JSON. */
function modeOf(argv: readonly string[]): Mode {
  if (argv.includes("--ndjson") || argv.includes("--stream-json")) return "ndjson";
  return argv.includes("--json") ? "json" : "human";
}
