import type { TraceStore } from "@spfunctions/kernel";

/** The text of a trace, or where one is kept. */
export type TraceSource = string | Pick<TraceStore, "text">;

export function isTraceSource(one: unknown): one is TraceSource {
  return typeof one === "string" || typeof (one as Partial<TraceStore> | null)?.text === "function";
}

/** All of each, as it is now. */
export async function textsOf(sources: readonly TraceSource[]): Promise<string[]> {
  return await Promise.all(sources.map(async (one) => (typeof one === "string" ? one : await one.text())));
}
