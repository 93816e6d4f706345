import { type Command, Option } from "commander";
import {
  accountOption,
  anyStoreOption,
  jsonOption,
  packOption,
  policyOption,
  scopeOption,
} from "../command-line/options.ts";

export function addEffectsOptions(command: Command): Command {
  return command
    .addOption(packOption())
    .addOption(policyOption())
    .addOption(scopeOption())
    .addOption(accountOption())
    .addOption(
      new Option(
        "--data <folder>",
        "look in this data folder alone; else in all that are known here, with --pack in $SF_DATA or the user's alone",
      ),
    )
    .addOption(anyStoreOption())
    .addOption(jsonOption());
}
