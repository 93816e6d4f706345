import { diffPolicies, type PolicyDiff, type PolicyEffect } from "@spfunctions/agent";
import { exitCodes } from "@spfunctions/contracts";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import type { Printer } from "../io/printer.ts";
import { readOnePolicy } from "./read-one-policy.ts";
import { type ToolsOptions, toolsFor } from "./tools-for.ts";

/** As they were given. */
export type PolicyDiffOptions = ToolsOptions & { readonly json?: true };

/** What changes from one policy to another, and for which tools. */
export async function diff(
  a: string,
  b: string,
  options: PolicyDiffOptions,
  context: CommandContext,
): Promise<number> {
  const { io, print } = context;
  if (a === "-" && b === "-") throw badUsage("only one of the two can be the standard input");
  const [before, after] = [await readOnePolicy(a, io), await readOnePolicy(b, io)];
  const found = diffPolicies(before, after, { tools: await toolsFor(options, context) });
  const isSame = found.changes.length + found.tools.length === 0;
  if (options.json === true) print.json({ ok: isSame, equal: isSame, ...found }, 2);
  else printDiff(print, found, { a, b, isSame });
  return isSame ? exitCodes.done : exitCodes.failed;
}

const styles = { widens: "yellow", narrows: "green", changes: "yellow", same: "dim" } as const satisfies {
  readonly [Effect in PolicyEffect]: string;
};

function printDiff(
  print: Printer,
  { changes, tools }: PolicyDiff,
  { a, b, isSame }: { readonly a: string; readonly b: string; readonly isSame: boolean },
): void {
  for (const { effect, sentence } of changes)
    print.out({ text: effect.padEnd(8), style: styles[effect] }, sentence);
  for (const { sentence } of tools) print.out({ text: "tool    ", style: "dim" }, sentence);
  if (isSame) print.out({ text: "equal", style: ["bold", "green"] }, `: ${a} and ${b} mean the same`);
  else print.out({ text: "different", style: ["bold", "red"] }, `: ${b} is not what ${a} is`);
}
