import type { Command } from "commander";
import type { CommandContext } from "../command-line/command-context.ts";
import { addPolicyCheck } from "./policy-check.ts";
import { addPolicyDiff } from "./policy-diff.ts";
import { addPolicyInit } from "./policy-init.ts";
import { addPolicySuggest } from "./policy-suggest.ts";
import { addPolicyTest } from "./policy-test.ts";

/** What a policy means, what it would have done, and the least that would do. */
export function addPolicy(program: Command, context: CommandContext): void {
  const policy = program
    .command("policy")
    .description("make a policy, read it, and try it on what was recorded");
  addPolicyInit(policy, context);
  addPolicyCheck(policy, context);
  addPolicyTest(policy, context);
  addPolicySuggest(policy, context);
  addPolicyDiff(policy, context);
}
