import { Option } from "commander";
import { accountOption, repeatable } from "../command-line/options.ts";

export const anyAccountOption = () =>
  new Option("--account <id>", "whose data it is")
    .default(undefined, "everybody's")
    .argParser(accountOption().parseArg as (text: string) => string);
export const lastOption = () =>
  new Option("--last", "the last run, or segment in which something was called");
export const tracesOption = () =>
  repeatable(
    "--trace <trace>",
    "a file, or the id of a segment, a run or a call here: then its whole segment (repeatable)",
  ).makeOptionMandatory();
