import type { Command } from "commander";
import {
  accountOption,
  dataOption,
  jsonOption,
  packOption,
  policyOption,
  scopeOption,
  storeOption,
} from "../command-line/options.ts";

export function addEffectsOptions(command: Command): Command {
  return command
    .addOption(packOption())
    .addOption(policyOption())
    .addOption(scopeOption())
    .addOption(accountOption())
    .addOption(dataOption())
    .addOption(storeOption())
    .addOption(jsonOption());
}
