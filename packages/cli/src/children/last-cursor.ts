import { type RunHandle, runCursor } from "@spfunctions/kernel";

const never = AbortSignal.abort();

/** The last event of a run that is on record by now. */
export async function lastCursor(handle: RunHandle): Promise<string | undefined> {
  let last: string | undefined;
  for await (const event of handle.stream({ signal: never })) if ("seq" in event) last = runCursor(event);
  return last;
}
