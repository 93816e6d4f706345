import { type WhatIfCall, whatIf } from "@spfunctions/agent";
import { exitCodes } from "@spfunctions/contracts";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CommandContext } from "../command-line/command-context.ts";
import { installationIfAny } from "../seat/installation-if-any.ts";
import { type Expected, readExpected, unexpected } from "./expected-differences.ts";
import { printWhatIf } from "./print-what-if.ts";
import { readOnePolicy } from "./read-one-policy.ts";
import { namingFiles, readPolicyTraces } from "./read-policy-traces.ts";

/** As they were given. */
export type PolicyTestOptions = {
  readonly trace: readonly string[];
  readonly expect?: string;
  readonly data?: string;
  readonly store?: string;
  readonly account?: string;
  readonly json?: true;
};

/** Judges every recorded call anew under a policy. Nothing runs. */
export async function testPolicy(
  file: string,
  options: PolicyTestOptions,
  context: CommandContext,
): Promise<number> {
  const { io, print } = context;
  if (file === "-" && options.trace.includes("-"))
    throw badUsage("only one of policy and trace can be the standard input");
  const policy = await readOnePolicy(file, io);
  const expected = await readExpected(options.expect, io);
  const traces = await readPolicyTraces(options.trace, options, context);
  const installation = installationIfAny(io);
  const answer = await namingFiles(traces, io, (texts) =>
    whatIf(policy, texts, installation === undefined ? {} : { installation }),
  );
  const left = unexpected(answer, expected);
  const exit = exitOf(left);
  if (options.json === true)
    print.json({ ok: exit === exitCodes.done, ...answer, ...asJson(left, expected) }, 2);
  else printWhatIf(print, answer, left, traces);
  return exit;
}

type Left = ReturnType<typeof unexpected>;

function asJson({ differences, missing }: Left, expected: Expected | undefined): object {
  if (expected === undefined) return {};
  return { unexpected: differences.map(({ callId }) => callId), missing };
}

function exitOf({ differences, missing }: Left): number {
  if (differences.some(isNowRefused)) return exitCodes.refused;
  return differences.length + missing.length === 0 ? exitCodes.done : exitCodes.failed;
}

/** Something that was done, and would not be let done. */
function isNowRefused({ was, now }: WhatIfCall): boolean {
  return was.status !== "denied_before_execution" && now.outcome === "deny";
}
