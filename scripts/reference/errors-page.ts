import { type ErrorCode, errorCodes, errorFor, errorHelp, type Retry } from "@spfunctions/contracts";
import { code, page, table } from "../markdown.ts";

const retries = {
  never: "no",
  safe: "at once, as it is",
  after_wait: "later, as it is",
  after_user_action: "once a person has changed something",
} as const satisfies Record<Retry, string>;

export function errorsPage(): string {
  const every = Object.keys(errorCodes) as ErrorCode[];
  return page(
    "# Errors",
    "The closed list of codes. An error has a `code`, a `message` that says what was wrong, with what, and what to do, a `retry`, and `details` for programs: `path` (a JSON pointer), `reason` (a stable word), `suggestions`, and with a refusal the whole `verdict`. The message of the very case comes first; below is what holds for every case of a code.",
    "Each code has a class of its own in `@spfunctions/contracts`, which the SDK and the agent throw; `error.code` tells them apart across copies of the package, too. `status` is what the platform answers with over HTTP, `exit` how `sf` ends ([command-line.md](command-line.md#exit-codes)), but for two things. What is wrong with the command line itself, a file that it names and that is not there among it, is found before anything runs and ends with 2, whatever its code. And where `sf` says `invalid_transition` of an answer to what was answered before, or of a run or session that another process drives or that has not ended, it ends with 3: it was refused.",
    table(
      ["code", "class", "status", "exit", "trying again helps"],
      every.map((one) => {
        const { status, exit, retry } = errorCodes[one];
        return [
          `[${code(one)}](#${one})`,
          code(errorFor(one, "").name),
          String(status),
          String(exit),
          retries[retry],
        ];
      }),
    ),
    ...every.flatMap((one) => [`## ${one}`, `${errorHelp[one].means} **Now:** ${errorHelp[one].doNow}`]),
  );
}
