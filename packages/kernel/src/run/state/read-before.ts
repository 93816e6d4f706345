import type { CallId } from "@spfunctions/contracts";
import type { Run } from "./fold-run.ts";
import type { RunStep } from "./run-step.ts";

/** So many are named: the latest are where a call comes from. */
const mostNamed = 5;

/**
 * What the model had read when it proposed a call, the latest first: the tool and the call of each, and never what it said, which is
 * erased where it is kept. What is proposed in one answer was proposed before any of it had come to anything.
 */
export function readBefore({ steps }: Pick<Run, "steps">, callId: CallId): string[] {
  const read: string[] = [];
  // From the end: a call that is about to be made is of the last step, however many there were.
  const at = steps.findLastIndex(({ calls }) => calls.some((one) => one.callId === callId));
  for (let index = at - 1; index >= 0 && read.length < mostNamed; index--)
    read.push(...readIn(steps[index] as RunStep));
  return read.slice(0, mostNamed);
}

function readIn({ calls, results }: RunStep): string[] {
  return results.toReversed().flatMap((result) => {
    const call = calls.find((one) => one.callId === result.callId);
    return call === undefined || result.isError === true ? [] : [`${call.name} ${call.callId}`];
  });
}
