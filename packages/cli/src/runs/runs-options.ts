import { effectIdSchema, runIdSchema } from "@spfunctions/contracts";
import type { Command } from "commander";
import { badUsage } from "../command-line/bad-usage.ts";
import { accountOption, anyDataOption, anyStoreOption, jsonOption } from "../command-line/options.ts";

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

/** S1: what is given in place of an id is not repeated. */
export function requireRunId(text: string): void {
  if (!runIdSchema.safeParse(text).success)
    throw badUsage("that is no whole run's id: it is run_ and all that follows, as sf runs ls lists it");
}

export function requireEffectId(text: string): void {
  if (!effectIdSchema.safeParse(text).success)
    throw badUsage("that is no whole effect's id: it is eff_ and all that follows, as sf runs show has it");
}
