// How every program lives that is killed: <data folder> <server> <open|resume> <kind> <before|after> <nth>. It takes on what the last one
// has left, starts what it is told on stdin, and where it is to die at a record says so and does nothing more.
import { createInterface } from "node:readline";
import type { SimpleFunctionsRuntime } from "@spfunctions/agent/v1";
import { type RunDocument, runDocumentSchema } from "@spfunctions/contracts";
import { openSqliteStore } from "@spfunctions/host/store";
import type { Store, Unit } from "@spfunctions/kernel";
import { accountId } from "./plan.ts";

const [folder = "", server = "", how = "open", kind = "", when = "", nth = "1"] = process.argv.slice(2);
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

export const failed = (why: string) => (error: unknown) => say({ failed: `${why}: ${String(error)}` });

export type Living<Runtime extends SimpleFunctionsRuntime, Line> = {
  readonly open: (store: Store, server: string) => Runtime;
  /** Begins what it is told. */
  readonly begin: (runtime: Runtime, line: Line) => void;
  /** What it does besides, until it is told to end. */
  readonly beside?: (runtime: Runtime, store: Store, ending: AbortSignal) => Promise<void>;
};

export async function live<Runtime extends SimpleFunctionsRuntime, Line>({
  open,
  begin,
  beside,
}: Living<Runtime, Line>): Promise<void> {
  const inner = await openSqliteStore({ folder });
  const runtime = open(kind === "" ? inner : dyingAt(inner), server);
  await takeOn(runtime, inner);
  const ending = new AbortController();
  const doing = beside?.(runtime, inner, ending.signal);
  say({ ready: true });
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === "end") break;
    begin(runtime, JSON.parse(line) as Line);
  }
  ending.abort();
  await doing;
  await runtime.close();
  await inner.close();
  say({ ended: true });
}

/** Runs that have not ended, as they are listed. */
export async function unended(store: Store): Promise<RunDocument[]> {
  const all = await store.documents({ kind: "run", accountId, limit: 100_000 });
  return all.flatMap(({ body, status }) =>
    ["completed", "blocked", "failed", "cancelled"].includes(status)
      ? []
      : runDocumentSchema.parse(JSON.parse(body)),
  );
}

/** All at once, or run by run; children go on with their parents. */
async function takeOn(runtime: SimpleFunctionsRuntime, store: Store): Promise<void> {
  if (how === "open") return void (await runtime.open());
  for (const { runId, parentRunId } of await unended(store))
    if (parentRunId === undefined) runtime.resume(runId, { until: "end" }).catch(failed(`resuming ${runId}`));
}

/** From the record on, or the document, that this life is to die at, nothing answers any more: whoever started it ends it. */
export function dyingAt(target: Store): Store {
  let times = 0;
  const commit = async (unit: Unit): ReturnType<Store["commit"]> => {
    const isRecord = (unit.appends ?? []).some(({ records }) =>
      records.some(({ text }) => text.includes(`"kind":"${kind}"`)),
    );
    const isIt = isRecord || (unit.documents ?? []).some((document) => document.kind === kind);
    if (isIt) times += 1;
    if (!isIt || times < Number(nth)) return await target.commit(unit);
    if (when === "after") await target.commit(unit);
    process.send?.("now");
    return await new Promise<never>(() => {});
  };
  return new Proxy(target, {
    get: (_, name: keyof Store) =>
      name === "commit" ? commit : (target[name] as (...all: unknown[]) => unknown).bind(target),
  });
}
