// The same agent loop here and elsewhere: a scripted model that answers at once, a tool that does next to nothing, and so nothing
// but what a step costs whoever runs it. A step here is judged, budgeted, journaled, signed and provable; AI SDK and OpenAI Agents keep
// nothing of it, LangGraph keeps the whole state of every step. Each contender lives in a process of its own, and they take turns.
// What it compares with is installed by `npm ci --prefix bench`; what is not there is named, and the others are measured.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { contenders } from "./agent-loop/contenders.ts";
import { summarise } from "./agent-loop/summary.ts";
import { tableOf } from "./agent-loop/table.ts";
import type { Said, Taken, Told, Weighed } from "./agent-loop/worker.ts";
import type { Measurement, Report } from "./side-by-side.ts";

const title = "an agent loop of one tool call a step";
const [first = ""] = contenders.keys();
const repetitions = new Map([
  [10, 21],
  [50, 15],
  [200, 9],
  [1000, 5],
]);
// Until what the compiler has to learn is mostly learned: code of whoever does more is longer in becoming fast.
const warmUp = [...Array<number>(10).fill(200), 50, 50, 10, 10, 10];
/** Whoever has taken as long at one length is not asked to repeat it again. */
const enoughNs = 60e9;

export const benchmarks: readonly Measurement[] = [{ title, measure }];

type Row = {
  readonly name: string;
  readonly process: ChildProcess;
  readonly taken: Map<number, Taken[]>;
  readonly weighed: Map<number, Weighed>;
};

async function measure(): Promise<Report> {
  const rows: Row[] = [];
  const notMeasured: string[] = [];
  try {
    /* oxlint-disable no-await-in-loop -- what runs at the same time is not measured alone */
    for (const name of contenders.keys()) {
      const row = await start(name);
      if (typeof row === "string") notMeasured.push(`${name} is not measured: ${row}`);
      else rows.push(row);
    }
    for (const row of rows) for (const steps of warmUp) await take(row, steps);
    for (const [steps, times] of repetitions) {
      for (let round = 0; round < times; round++)
        for (const turn of rows.keys()) await takeTurn(rows[(turn + round) % rows.length] as Row, steps);
      // The second time: whatever went before has been let go of by then.
      for (const row of [...rows, ...rows]) row.weighed.set(steps, await weigh(row, steps));
    }
    /* oxlint-enable no-await-in-loop */
  } finally {
    for (const row of rows) row.process.kill();
  }
  const measured = summarise(
    new Map(rows.map(({ name, taken, weighed }) => [name, { taken, weighed }])),
    first,
  );
  const notes = notMeasured.map((line) => `\n  ${line}`);
  const table = [tableOf(measured, first), ...notes].join("\n");
  return { title, measured, table, notMeasured };
}

/** Why not, where it cannot run here. */
async function start(name: string): Promise<Row | string> {
  const isOurs = contenders.get(name)?.isOurs === true;
  const child = fork(join(import.meta.dirname, "agent-loop/worker.ts"), [name], {
    // Others have sources of their own behind that condition, which Node does not run.
    execArgv: [
      "--expose-gc",
      "--disable-warning=ExperimentalWarning",
      ...(isOurs ? ["--conditions=source"] : []),
    ],
  });
  const said = await hear(child);
  if (said === "ready") return { name, process: child, taken: new Map(), weighed: new Map() };
  child.kill();
  const why = typeof said === "object" && "error" in said ? said.error : JSON.stringify(said);
  if (isOurs) throw new Error(`${name} does not run: ${why}`);
  return why;
}

async function takeTurn(row: Row, steps: number): Promise<void> {
  const taken = row.taken.get(steps) ?? [];
  if (taken.reduce((sum, { ns }) => sum + ns, 0) > enoughNs) return;
  row.taken.set(steps, [...taken, await take(row, steps)]);
}

async function take(row: Row, steps: number): Promise<Taken> {
  const said = await tell(row, { act: "take", steps });
  if (typeof said === "object" && "ns" in said) return said;
  throw unsaid(row, steps, said);
}

async function weigh(row: Row, steps: number): Promise<Weighed> {
  const said = await tell(row, { act: "weigh", steps });
  if (typeof said === "object" && "held" in said) return said;
  throw unsaid(row, steps, said);
}

async function tell({ process: child }: Row, told: Told): Promise<Said> {
  child.send(told);
  return await hear(child);
}

function unsaid({ name }: Row, steps: number, said: Said): Error {
  return new Error(`${name} has not run ${steps} steps: ${JSON.stringify(said)}`);
}

/** What the process says next; that it has ended, where it does not say anything any more. */
async function hear(child: ChildProcess): Promise<Said> {
  const waiting = new AbortController();
  const { signal } = waiting;
  const ended = once(child, "exit", { signal }).then(
    ([code, by]): Said => ({
      error: `its process has ended with ${String(code ?? by)}`,
    }),
  );
  const said = once(child, "message", { signal }).then(([message]) => message as Said);
  try {
    return await Promise.race([said, ended]);
  } finally {
    waiting.abort();
    await Promise.allSettled([said, ended]);
  }
}
