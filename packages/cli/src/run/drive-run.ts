import type { RuntimeRunInput, SimpleFunctionsRuntime } from "@spfunctions/agent/v1";
import type { RuntimeRunResult } from "@spfunctions/contracts";
import { runCursor } from "@spfunctions/kernel";
import type { RunView } from "./run-view.ts";

/** Lets a person answer what a run rests for; `cursor`: the last event that was shown. Whether it goes on now. */
export type AskPerson = (runId: string, cursor: string | undefined) => Promise<boolean>;

/** Runs until it has ended, or until only a person can take it on who is not there or says later. */
export async function driveRun(
  runtime: SimpleFunctionsRuntime,
  input: RuntimeRunInput & { readonly signal: AbortSignal },
  { event: show }: Pick<RunView, "event">,
  ask: AskPerson | undefined,
): Promise<RuntimeRunResult> {
  const { signal } = input;
  let cursor: string | undefined;
  let stream = runtime.runStream(input);
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- from one rest to the next
    for await (const event of stream) {
      if ("seq" in event) cursor = runCursor(event);
      await show(event);
    }
    // oxlint-disable-next-line no-await-in-loop -- see above
    const result = await stream.result;
    const { runId, status } = result;
    if (status !== "requires_approval" && status !== "recovery_needed") return result;
    const from = cursor === undefined ? {} : { cursor };
    // oxlint-disable-next-line no-await-in-loop -- see above
    const goesOn = status === "requires_approval" && (await ask?.(runId, cursor)) === true;
    if (signal.aborted) {
      // Whoever rests hears no signal: it is told to stop, and seen to its end.
      // oxlint-disable-next-line no-await-in-loop -- see above
      await runtime.cancel(runId);
      stream = runtime.resumeStream(runId, { until: "end", ...from });
    } else if (goesOn) stream = runtime.resumeStream(runId, { signal, ...from });
    else return result;
  }
}
