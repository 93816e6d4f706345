import { type ContractTool, exitCodes, nearest, type ParsedPolicy } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import { meantText, noToolText, type Unmatched, unmatchedTools } from "../platform/unmatched-tools.ts";
import { policySentences } from "./policy-sentences.ts";
import { readOnePolicy } from "./read-one-policy.ts";
import { type ToolsOptions, toolsFor } from "./tools-for.ts";

/** As they were given. */
export type PolicyCheckOptions = ToolsOptions & { readonly json?: true };

/** Says what a policy means. What is none is told by what is wrong with it. */
export async function check(
  file: string,
  { json, ...given }: PolicyCheckOptions,
  context: CommandContext,
): Promise<number> {
  const { io, print } = context;
  const policy = await readOnePolicy(file, io);
  const tools = await toolsFor(given, context);
  const sentences = policySentences(policy, tools);
  const unmatched = namesNothing(policy, tools);
  if (json === true) print.json({ ok: unmatched.length === 0, policy, sentences, unmatched }, 2);
  else {
    if (unmatched.length === 0) print.out({ text: "ok", style: ["bold", "green"] }, `: ${file} is a policy`);
    else print.out({ text: "not ok", style: ["bold", "red"] }, `: ${file} names what no tool has`);
    for (const sentence of sentences) print.out(`  ${sentence}`);
    for (const one of unmatched) print.out({ text: `  ${one.where}`, style: "red" }, `: ${noneText(one)}`);
  }
  return unmatched.length === 0 ? exitCodes.done : exitCodes.failed;
}

type NamedThere = Unmatched & { readonly where: "allowTools" | "denyTools" | "allow" | "deny" };

/** G1: what is to be denied and is misspelt, is not. */
function namesNothing(policy: ParsedPolicy, tools: readonly ContractTool[]): NamedThere[] {
  if (tools.length === 0) return [];
  const names = tools.map(({ name }) => name);
  const permissions = new Set(tools.flatMap((tool) => tool.permissions));
  return [
    ...(["allowTools", "denyTools"] as const).flatMap((where) =>
      unmatchedTools(policy[where] ?? [], names).map((one) => ({ where, ...one })),
    ),
    ...(["allow", "deny"] as const).flatMap((where) =>
      (policy[where] ?? [])
        .filter((name) => !permissions.has(name))
        .map((name) => ({ where, name, suggestions: nearest(name, permissions, 1) })),
    ),
  ];
}

function noneText({ where, name, suggestions }: NamedThere): string {
  return where === "allow" || where === "deny"
    ? `no tool needs the permission ${name}${meantText(suggestions)}`
    : noToolText({ name, suggestions });
}
