// One contender in a process of its own, so that neither its heap nor what the compiler learns of it disturbs another's. It says
// whether it can run, and then what a loop took, or what it held, whenever it is told to run one: nobody whose time is taken is made to
// collect garbage, which would throw away what the compiler has learned as well.
import { setImmediate } from "node:timers/promises";
import type { Contender } from "./contender.ts";
import { contenders } from "./contenders.ts";
import { Script } from "./script.ts";

export type Taken = {
  readonly ns: number;
  /** Of all threads, in nanoseconds. */
  readonly processor: number;
};
export type Weighed = {
  /** Bytes in use after a loop, with its result and its store still at hand, beyond those before it was set up. */
  readonly held: number;
  /** The most that the process ever had, in bytes. */
  readonly peak: number;
};
export type Said = Taken | Weighed | "ready" | { readonly error: string };
export type Told = { readonly steps: number; readonly act: "take" | "weigh" };

const load = contenders.get(process.argv[2] ?? "")?.load;
if (load === undefined) throw new Error(`there is no contender ${process.argv[2]}`);
const loading = load();
const acts = { take, weigh };
process.on(
  "message",
  ({ act, steps }: Told) => void tell(async () => await acts[act](await loading, new Script(steps))),
);
await tell(async () => {
  await loading;
  return "ready";
});

async function tell(act: () => Promise<Said>): Promise<void> {
  const said: Said = await act().catch((error: unknown) => ({
    error: error instanceof Error ? error.message : String(error),
  }));
  process.send?.(said);
}

async function take(contender: Contender, script: Script): Promise<Taken> {
  const loop = await contender(script);
  const processor = process.cpuUsage();
  const begin = process.hrtime.bigint();
  const { answer } = await loop.run();
  const ns = Number(process.hrtime.bigint() - begin);
  const { user, system } = process.cpuUsage(processor);
  script.verify(answer);
  await loop.close?.();
  return { ns, processor: (user + system) * 1000 };
}

async function weigh(contender: Contender, script: Script): Promise<Weighed> {
  const before = await bytesInUse();
  const loop = await contender(script);
  const ended = await loop.run();
  const held = (await bytesInUse()) - before;
  // Uses what was held to here.
  script.verify(ended.answer);
  await loop.close?.();
  return { held, peak: process.resourceUsage().maxRSS * 1024 };
}

/** With what lies outside of the heap: buffers are where some keep their state. */
async function bytesInUse(): Promise<number> {
  // What ends with a turn of the event loop, and what is only let go once something else was collected.
  for (let time = 0; time < 2; time++) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await setImmediate();
    globalThis.gc?.();
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
