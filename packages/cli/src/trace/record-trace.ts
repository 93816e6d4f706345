import { resolve } from "node:path";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { openFileTrace } from "@spfunctions/host/store";
import type { TraceStore } from "@spfunctions/kernel";
import { badUsage } from "../command-line/bad-usage.ts";
import type { CliIo } from "../io/cli-io.ts";

/** Opens what is going to write a trace, and closes it then; where that fails, the trace is let go of here. */
export async function tracedBy<Opened>(
  trace: TraceStore | undefined,
  open: (trace: TraceStore | undefined) => Promise<Opened>,
): Promise<Opened> {
  try {
    return await open(trace);
  } catch (error) {
    // What went wrong first says more than what it brought with it.
    await trace?.end().catch(() => undefined);
    throw error;
  }
}

/** The file that a trace is going to be written to, where one was named. It is made before anything is called. */
export async function traceFileFor(
  name: string | undefined,
  { cwd }: Pick<CliIo, "cwd">,
): Promise<TraceStore | undefined> {
  if (name === undefined) return undefined;
  const path = resolve(cwd, name);
  try {
    return await openFileTrace(path, { ifTaken: "refuse" });
  } catch (error) {
    if (!isSimpleFunctionsError(error)) throw error;
    throw badUsage(error.message.replace(path, name));
  }
}
