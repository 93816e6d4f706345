import {
  type ContractTool,
  exitCodes,
  matchesToolPattern,
  nearest,
  type ParsedPolicy,
} from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
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
  const sentences = policySentences(policy);
  const unmatched = namesNothing(policy, await toolsFor(given, context));
  if (json === true) print.json({ ok: unmatched.length === 0, policy, sentences, unmatched }, 2);
  else {
    if (unmatched.length === 0) print.out({ text: "ok", style: ["bold", "green"] }, `: ${file} is a policy`);
    else print.out({ text: "not ok", style: ["bold", "red"] }, `: ${file} names tools that are not there`);
    for (const sentence of sentences) print.out(`  ${sentence}`);
    for (const { where, name, suggestions } of unmatched) {
      const hint = suggestions[0] === undefined ? "" : `; did you mean ${suggestions[0]}?`;
      print.out({ text: "  none", style: "red" }, ` is ${name} (${where})${hint}`);
    }
  }
  return unmatched.length === 0 ? exitCodes.done : exitCodes.failed;
}

type Unmatched = {
  readonly where: "allowTools" | "denyTools";
  readonly name: string;
  readonly suggestions: readonly string[];
};

/** G1: what is to be denied and is misspelt, is not. */
function namesNothing(policy: ParsedPolicy, tools: readonly ContractTool[]): Unmatched[] {
  if (tools.length === 0) return [];
  const names = tools.map(({ name }) => name);
  return (["allowTools", "denyTools"] as const).flatMap((where) =>
    (policy[where] ?? [])
      .filter((pattern) => !names.some((name) => matchesToolPattern(name, pattern)))
      .map((name) => ({ where, name, suggestions: nearest(name, names, 1) })),
  );
}
