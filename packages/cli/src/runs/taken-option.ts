import { Option } from "commander";
import { milliseconds } from "../command-line/options.ts";

/** How long a process that drives a run has to do what is wanted of it. */
export const takenOption = () =>
  new Option("--wait <ms>", "how long to wait for the process that drives it")
    .argParser(milliseconds(0))
    .default(5000);
