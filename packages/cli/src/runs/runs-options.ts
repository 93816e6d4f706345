import { effectIdSchema, runIdSchema } from "@spfunctions/contracts";
import type { Command } from "commander";
import { accountOption, anyDataOption, anyStoreOption, jsonOption } from "../command-line/options.ts";
import { requireId } from "../command-line/require-id.ts";

/** What every command about runs takes. */
export type RunsOptions = {
  readonly data?: string;
  readonly store?: string;
  readonly account: string;
  readonly json?: true;
};

export function addRunsOptions(command: Command): Command {
  return command
    .addOption(anyDataOption())
    .addOption(anyStoreOption())
    .addOption(accountOption())
    .addOption(jsonOption());
}

/** Where runs are looked for. */
export const whereRunsAre = `It looks in the folder --data or in the database --store; else wherever sf call, sf agent and sf up keep their journals here, also while
another process drives runs there.`;

export function requireRunId(text: string): void {
  requireId(text, runIdSchema, { prefix: "run_", called: "run id", listedBy: "sf runs ls" });
}

export function requireEffectId(text: string): void {
  requireId(text, effectIdSchema, { prefix: "eff_", called: "effect id", listedBy: "sf runs show" });
}
