import { Option } from "commander";
import { accountOption, repeatable } from "../command-line/options.ts";

export const anyDataOption = () =>
  new Option("--data <folder>", "look in this data folder alone; else in all that are known here");
export const anyStoreOption = () =>
  new Option(
    "--store <address>",
    "look in this PostgreSQL database alone, postgres://…; $SF_STORE is among those that are known",
  ).conflicts("data");
export const anyAccountOption = () => accountOption().default(undefined, "everybody's");
export const tracesOption = () =>
  repeatable(
    "--trace <trace>",
    "a file, or the id of a segment, a run or a call here: then its whole segment (repeatable)",
  ).makeOptionMandatory();
