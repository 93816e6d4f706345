import type { CommandContext } from "../command-line/command-context.ts";
import { isAtTerminal, Person } from "../io/person.ts";
import { askInline } from "./ask-inline.ts";
import type { AskPerson } from "./drive-run.ts";
import type { OpenRun } from "./open-run.ts";
import type { RunCommandOptions } from "./run-options.ts";

/** Where a person sits at a terminal and nothing but them reads what is said, they are asked there. */
export function askAtTerminal(
  { runtime, operator }: OpenRun,
  { json, ndjson }: RunCommandOptions,
  where: string,
  { io, print }: CommandContext,
): AskPerson | undefined {
  if (operator === undefined || json === true || ndjson === true || !isAtTerminal(io)) return undefined;
  const { signal } = io;
  const desk = { person: new Person(io), operator, print, where, signal };
  return async (runId, cursor) => {
    const handle = await runtime.get(runId);
    const { approvals } = await handle.result();
    // What a platform asks is answered there.
    const here = approvals.filter(({ elsewhere }) => elsewhere === undefined);
    for (const { approvalId } of here) {
      // oxlint-disable-next-line no-await-in-loop -- one question after another
      if (!(await askInline(approvalId, handle, cursor, desk))) return false;
    }
    return here.length > 0;
  };
}
