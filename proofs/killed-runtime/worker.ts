// One life of the program that is killed: node worker.ts <data folder> <server> <open|resume> <kind> <before|after> <nth>. It takes on what
// the last one has left, starts what it is told on stdin, and where it is to die at a record says so and does nothing more.
import { createInterface } from "node:readline";
import { openSqliteStore } from "@spfunctions/host/store";
import type { Store, Unit } from "@spfunctions/kernel";
import { accountId, answerSchema, objectiveOf, type Part, sessionOf } from "./plan.ts";
import { openRuntime } from "./runtime.ts";

const [folder = "", server = "", how = "open", kind = "", when = "", nth = "1"] = process.argv.slice(2);
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);
const failed = (why: string) => (error: unknown) => say({ failed: `${why}: ${String(error)}` });

const inner = await openSqliteStore({ folder });
const store = kind === "" ? inner : dyingAt(inner);
const runtime = openRuntime(store, server);
await takeOn();
say({ ready: true });

for await (const line of createInterface({ input: process.stdin })) {
  if (line === "end") break;
  const { job, part } = JSON.parse(line) as { readonly job: number; readonly part: Part };
  const input = { objective: objectiveOf(job, part), sessionId: sessionOf(job) };
  runtime
    .run({ ...input, ...(part === 2 && { output: answerSchema }) }, { until: "end" })
    .catch(failed(`job ${job}, part ${part}`));
}
await runtime.close();
await inner.close();
say({ ended: true });

/** All at once, or run by run. */
async function takeOn(): Promise<void> {
  if (how === "open") return void (await runtime.open());
  const all = await inner.documents({ kind: "run", accountId, limit: 10_000 });
  for (const { id, status } of all)
    if (!["completed", "blocked", "failed", "cancelled"].includes(status))
      runtime.resume(id, { until: "end" }).catch(failed(`resuming ${id}`));
}

/** From the record on that this life is to die at, nothing answers any more: whoever started it ends it. */
function dyingAt(target: Store): Store {
  let times = 0;
  const commit = async (unit: Unit): ReturnType<Store["commit"]> => {
    const isIt = (unit.appends ?? []).some(({ records }) =>
      records.some(({ text }) => text.includes(`"kind":"${kind}"`)),
    );
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
