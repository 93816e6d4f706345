import { govern } from "@spfunctions/agent";
import { exitCodes, type JsonValue, type Scope, type Verdict } from "@spfunctions/contracts";
import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { inputOption, jsonOption, packOption, policyOption, scopeOption } from "../command-line/options.ts";
import { printLadder } from "../explain/ladder.ts";
import type { CliIo } from "../io/cli-io.ts";
import { readInput } from "../io/read-json.ts";
import { explainStranger, loadPacks } from "../packs/load-packs.ts";
import { callerOf } from "../seat/caller.ts";
import { installationIfAny } from "../seat/installation-if-any.ts";
import { readPolicy } from "../seat/read-policy.ts";

type ExplainOptions = {
  readonly input?: string;
  readonly policy?: string;
  readonly pack?: readonly string[];
  readonly scope?: readonly Scope[];
  readonly schema?: true;
  readonly json?: true;
};

const exits = { allow: exitCodes.done, deny: exitCodes.refused, ask: exitCodes.approvalRequired } as const;

export function addExplain(program: Command, context: CommandContext): void {
  program
    .command("explain")
    .description("show what would be decided about a call, gate by gate; nothing runs")
    .argument("<tool>", "its canonical name, like notes.read")
    .addOption(inputOption())
    .addOption(policyOption())
    .addOption(packOption())
    .addOption(scopeOption())
    .option("--schema", "print what its input must look like, as JSON Schema, and decide nothing")
    .addOption(jsonOption())
    .addHelpText(
      "after",
      `
Examples:
  $ sf explain notes.add --pack ./notes.ts
  $ sf explain notes.add --pack ./notes.ts --policy policy.json --input '{"text": "milk"}'
  $ sf explain notes.add --pack ./notes.ts --schema

Exit codes: 0 it would be allowed, 2 bad usage, 3 refused, 4 a person would be asked.`,
    )
    .action(async (tool: string, options: ExplainOptions) => {
      if (options.schema === true) {
        context.print.json(await inputSchema(tool, options, context.io), 2);
        return;
      }
      const verdict = await explain(tool, options, context.io);
      if (options.json === true) context.print.json(verdict, 2);
      else printLadder(context.print, tool, verdict);
      context.exit(exits[verdict.outcome]);
    });
}

async function explain(tool: string, options: ExplainOptions, io: CliIo): Promise<Verdict> {
  const input = options.input === undefined ? undefined : await readInput(options.input, io);
  const policy = await readPolicy(options.policy, io);
  const tools = await loadPacks(options.pack ?? [], io);
  // A policy is digested, and its confirm word hashed, with the installation's secret: with the same one a call gets the same verdict.
  const installation = installationIfAny(io);
  const principal = callerOf(undefined, options.scope);
  try {
    return govern({ packs: [tools], policy, principal, ...(installation && { installation }) }).explain(
      tool,
      input,
    );
  } catch (error) {
    throw explainStranger(error, tools);
  }
}

async function inputSchema(tool: string, { pack = [] }: ExplainOptions, io: CliIo): Promise<JsonValue> {
  const tools = await loadPacks(pack, io);
  try {
    return govern({ packs: [tools], policy: {}, principal: callerOf() }).describe(tool).input;
  } catch (error) {
    throw explainStranger(error, tools);
  }
}
