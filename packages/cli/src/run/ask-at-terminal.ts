import { askerOf, readRunTree } from "../children/run-tree.ts";
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
  const get = async (runId: string) => await runtime.get(runId);
  return async (runId, cursor) => {
    const tree = await readRunTree(get, runId);
    // What a platform asks is answered there.
    const here = tree.result.approvals.filter(({ elsewhere }) => elsewhere === undefined);
    /* oxlint-disable no-await-in-loop -- one question after another */
    for (const { approvalId } of here) {
      const child = askerOf(tree, approvalId);
      const handle = await get(child?.runId ?? runId);
      const asked = child === undefined ? { approvalId, handle, cursor } : { approvalId, handle, child };
      if (!(await askInline(asked, desk))) return false;
    }
    /* oxlint-enable no-await-in-loop */
    return here.length > 0;
  };
}
