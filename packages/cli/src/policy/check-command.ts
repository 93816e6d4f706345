import { exitCodes } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import { policySentences } from "./policy-sentences.ts";
import { readOnePolicy } from "./read-one-policy.ts";

/** As they were given. */
export type PolicyCheckOptions = { readonly json?: true };

/** Says what a policy means. What is none is told by what is wrong with it. */
export async function check(
  file: string,
  { json }: PolicyCheckOptions,
  { io, print }: CommandContext,
): Promise<number> {
  const policy = await readOnePolicy(file, io);
  const sentences = policySentences(policy);
  if (json === true) print.json({ ok: true, policy, sentences }, 2);
  else {
    print.out({ text: "ok", style: ["bold", "green"] }, `: ${file} is a policy`);
    for (const sentence of sentences) print.out(`  ${sentence}`);
  }
  return exitCodes.done;
}
