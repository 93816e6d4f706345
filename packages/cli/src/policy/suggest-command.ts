import { suggestPolicy } from "@spfunctions/agent";
import { exitCodes, parsePolicy } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import { policySentences } from "./policy-sentences.ts";
import { namingFiles, readPolicyTraces } from "./read-policy-traces.ts";
import { writeNewFile } from "./write-new-file.ts";

/** As they were given. */
export type PolicySuggestOptions = {
  readonly trace: readonly string[];
  readonly output: string;
  readonly data?: string;
  readonly store?: string;
  readonly account?: string;
  readonly json?: true;
};

/** The least policy under which what was done could have been done, and why each line is there. */
export async function suggest(options: PolicySuggestOptions, context: CommandContext): Promise<number> {
  const { io, print } = context;
  const { output, json } = options;
  const traces = await readPolicyTraces(options.trace, options, context);
  const { policy, lines } = await namingFiles(traces, io, suggestPolicy);
  const sentences = policySentences(parsePolicy(policy));
  if (output !== "-") writeNewFile(output, `${JSON.stringify(policy, undefined, 2)}\n`, io);
  if (json === true) {
    print.json({ ok: true, policy, lines, sentences, ...(output !== "-" && { file: output }) }, 2);
    return exitCodes.done;
  }
  for (const sentence of sentences) print.err({ text: `// ${sentence}`, style: "dim" });
  for (const { path, value, because } of lines)
    print.err({ text: `// ${path} ${JSON.stringify(value)}: ${because}`, style: "dim" });
  if (output === "-") print.json(policy, 2);
  else print.err(`wrote ${output}`);
  return exitCodes.done;
}
