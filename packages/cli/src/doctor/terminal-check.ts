import type { CliIo } from "../io/cli-io.ts";
import { isAtTerminal } from "../io/person.ts";
import { columnsOf } from "../trace/fit-line.ts";
import { type Check, ok } from "./check.ts";

/** Whether a person can be asked here, and how what is told to them looks. Both ways are in order. */
export function terminalCheck(io: CliIo): Check {
  const isAsked = isAtTerminal(io);
  const columns = columnsOf(io);
  const isPlain = (io.env.NO_COLOR ?? "") !== "";
  const about = { check: "terminal", facts: { isAsked, columns } };
  if (!isAsked)
    return ok(
      about,
      "nobody sits at one here: what needs a person is left to sf approvals and sf grants, with exit code 4",
    );
  return ok(
    about,
    `a person can be asked here; ${columns} columns, ${isPlain ? "plain, by NO_COLOR" : "coloured"}`,
  );
}
