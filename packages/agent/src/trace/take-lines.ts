import { InvalidInputError } from "@spfunctions/contracts";
import { memoryTrace, type TraceStore } from "@spfunctions/kernel";

/** Takes a trace line by line. */
export type TakeLine = (line: string) => void | Promise<void>;

const acts = ["replace", "append", "end", "text"] as const satisfies (keyof TraceStore)[];

/** A function is given the lines when all of them are there: the first one says which tools come, and is known last. */
export function traceStoreOf(given: TraceStore | TakeLine): TraceStore {
  if (typeof given !== "function") return requireStore(given);
  const kept = memoryTrace();
  return {
    ...kept,
    end: async () => {
      const lines = (await kept.text()).split("\n");
      // The last line ends, too.
      // oxlint-disable-next-line no-await-in-loop -- line by line, in order
      for (const line of lines.slice(0, -1)) await given(line);
    },
  };
}

/** Before anything is called: that a trace cannot be kept is not to be found out after what it was to tell of. */
function requireStore(given: Partial<TraceStore> | null | undefined): TraceStore {
  if (acts.every((act) => typeof given?.[act] === "function")) return given as TraceStore;
  throw new InvalidInputError(
    given instanceof Promise
      ? "trace is a promise: await it; trace: await openFileTrace(path)"
      : "trace is a place for a trace, like memoryTrace() or await openFileTrace(path), or a function that takes its lines",
    { details: { path: "/trace", reason: "no_trace_store" } },
  );
}
