import type { CallId } from "@spfunctions/contracts";
import type { Run } from "./fold-run.ts";

/** So many are named: the latest are where a call comes from. */
const mostNamed = 5;

/**
 * What the model had read when it proposed a call, the latest first: the tool and the call of each, and never what it said, which is
 * erased where it is kept. What is proposed in one answer was proposed before any of it had come to anything.
 */
export function readBefore({ steps }: Pick<Run, "steps">, callId: CallId): string[] {
  const at = steps.findIndex(({ calls }) => calls.some((one) => one.callId === callId));
  const read = steps.slice(0, Math.max(0, at)).flatMap(({ calls, results }) =>
    results.flatMap((result) => {
      const call = calls.find((one) => one.callId === result.callId);
      return call === undefined || result.isError === true ? [] : [`${call.name} ${call.callId}`];
    }),
  );
  return read.toReversed().slice(0, mostNamed);
}
