// The library tells what to do next in its own words; whoever sits at a terminal has commands.
import { howToResume } from "../runs/what-it-needs.ts";
import { asWord } from "./as-word.ts";

type Command = readonly [words: RegExp, command: (where: Where, ...found: string[]) => string];

/** What is added to a command: so that it finds a place that is not the usual one, and so that it has the tools. */
type Where = { readonly options: string; readonly tools: string };

const commands: readonly Command[] = [
  [
    /runs\.resolve\("(run_[\w-]+)", "(eff_[\w-]+)", …\)/g,
    ({ options }, runId, effectId) => `sf runs resolve ${runId} ${effectId} --status … --note …${options}`,
  ],
  [
    /resolve\("(eff_[\w-]+)", …\)/g,
    ({ options }, id) => `sf effects resolve ${id} --status … --note …${options}`,
  ],
  [
    /(run_[\w-]+) is (\w+)\. Wait for it, resume it, or cancel it/g,
    ({ options }, runId = "", state) =>
      `${runId} is ${state}. Wait for it, take it on (${howToResume({ runId }, options)}), or end it (sf runs cancel ${runId}${options})`,
  ],
  [
    /see the input schema of ([\w.]+)/g,
    ({ tools }, tool) => `see the input schema of ${tool}: sf explain ${tool}${tools} --schema`,
  ],
  [
    /forMs is a number of milliseconds from 1 to (\d+)/g,
    (_, most) => `--for is at most ${Number(most) / 86_400_000}d`,
  ],
  [
    /(what was called is over and journaled; its trace could not be written \(.+\))/g,
    (_, said = "") => `${said}; sf trace ls lists it, and sf trace export writes it somewhere else`,
  ],
  [
    /(belongs to an installation with another secret); open it with that one, or use another data folder/g,
    (_, whose = "") =>
      `${whose} than this one's (sf doctor shows where that is); give that one in SF_INSTALLATION_KEY or with the XDG_CONFIG_HOME it was made under, or use another data folder (--data or SF_DATA)`,
  ],
  [
    /(there is no store at .+) that a guest could join; start what drives this data folder first, or name another folder/g,
    (_, there = "") =>
      `${there}; sf up, sf agent and sf call make theirs when they first run, sf doctor shows where, and --data names another folder`,
  ],
  [
    /(.+) is driven by (.+)\. Talk to that one, stop it, or open the folder as a guest; if it hangs, another process can take over in \d+ s/g,
    (_, folder = "", who) =>
      `${folder} is driven by ${who}, and one process at a time drives a folder. Answer what it may wait for (sf approvals ls --data ${asWord(folder)}), or wait longer for its end with --wait; beside it, use another folder (--data or SF_DATA) or a database, which many use at once (--store postgres://… or SF_STORE)`,
  ],
];

/**
 * A text of the library, with the command in it where there is one; `options` is what finds effects that are not in their usual place,
 * `tools` what names the tools.
 */
export function asCommands(text: string, options = "", tools = ""): string {
  const where = { options, tools };
  return commands.reduce(
    (said, [words, command]) => said.replaceAll(words, (_, ...found: string[]) => command(where, ...found)),
    text,
  );
}
