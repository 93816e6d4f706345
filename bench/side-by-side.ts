// Numbers from different moments of a machine do not compare. Here every contender runs a short turn in each round,
// in one process, and the median of its turns counts; the order changes from round to round.

/** Named functions that do the same job. The first is the measure of the others. */
export type Benchmark = {
  readonly title: string;
  /** What is waited for if it is a promise, one call after the other. */
  readonly contenders: Readonly<Record<string, () => unknown>>;
  readonly isAsync?: boolean;
  /** How often each contender runs in a turn: the same for all, where what costs time comes in bursts, as checkpoints do. */
  readonly turnCalls?: number;
  /** Takes down what was set up for it. */
  readonly dispose?: () => unknown;
};

/** A measurement that cannot be taken in turns. */
export type Measurement = { readonly title: string; readonly measure: () => Promise<Report> };

/** `ratio` is to the first contender. */
export type Measured = {
  readonly name: string;
  readonly nsPerOp: number;
  readonly ratio: number;
  /** What was measured, where it is not nanoseconds. */
  readonly unit?: string;
};
export type Report = {
  readonly title: string;
  readonly measured: readonly Measured[];
  /** What people read instead, where a list would not do. */
  readonly table?: string;
  /** What could not be measured here, and why. */
  readonly notMeasured?: readonly string[];
};

export type Turns = { readonly rounds?: number; readonly turnMs?: number };

type Contender = {
  readonly name: string;
  readonly run: () => unknown;
  readonly time: (run: () => unknown, count: number) => number | Promise<number>;
  readonly count: number;
  readonly turns: number[];
};

/** Results go here, so that no call can be optimised away. */
const sink: { last?: unknown } = {};

export async function sideBySide(
  { title, contenders, isAsync = false, turnCalls, dispose }: Benchmark,
  { rounds = 41, turnMs = 10 }: Turns = {},
): Promise<Report> {
  const time = isAsync ? timeAsync : timeOf;
  const all: Contender[] = [];
  /* oxlint-disable no-await-in-loop -- what runs at the same time is not measured alone */
  for (const [name, run] of Object.entries(contenders)) {
    const count = await countFor(run, time, turnMs);
    all.push({ name, run, time, count: turnCalls ?? count, turns: [] });
  }
  for (let round = 0; round < rounds; round++) {
    for (const turn of all.keys()) {
      const { run, count, turns } = all[(turn + round) % all.length] as Contender;
      turns.push((await time(run, count)) / count);
    }
  }
  /* oxlint-enable no-await-in-loop */
  await dispose?.();
  return reportOf(title, Object.fromEntries(all.map(({ name, turns }) => [name, turns])));
}

/** Medians as a report, in the order given. */
export function reportOf(title: string, turns: Readonly<Record<string, readonly number[]>>): Report {
  const medians = Object.entries(turns).map(([name, values]) => ({ name, nsPerOp: median(values) }));
  const first = medians[0]?.nsPerOp ?? Number.NaN;
  return { title, measured: medians.map((one) => ({ ...one, ratio: one.nsPerOp / first })) };
}

export function formatReport({ title, measured, table }: Report): string {
  if (table !== undefined) return `${title}\n\n${table}`;
  const width = Math.max(...measured.map(({ name }) => name.length));
  const lines = measured.map(({ name, nsPerOp, ratio, unit = "ns" }) =>
    [
      name.padEnd(width),
      `${nsPerOp.toFixed(0)} ${unit}`.padStart(28),
      `${ratio.toFixed(2)} x`.padStart(10),
    ].join(""),
  );
  return [title, ...lines.map((line) => `  ${line}`)].join("\n");
}

/** Turns that a function runs before it is measured: a slow one fills its turn long before its code is compiled. */
const warmTurns = 50;

/** How many calls fill a turn, once the function is warm. */
async function countFor(run: () => unknown, time: Contender["time"], turnMs: number): Promise<number> {
  let count = 1;
  for (let warmed = 0; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- see above
    const spent = await time(run, count);
    warmed += spent;
    if (spent < turnMs * 1e6) count *= 2;
    else if (warmed >= warmTurns * turnMs * 1e6)
      return Math.max(1, Math.round((count * turnMs * 1e6) / spent));
  }
}

function timeOf(run: () => unknown, count: number): number {
  const start = process.hrtime.bigint();
  for (let call = 0; call < count; call++) sink.last = run();
  return Number(process.hrtime.bigint() - start);
}

async function timeAsync(run: () => unknown, count: number): Promise<number> {
  const start = process.hrtime.bigint();
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (let call = 0; call < count; call++) sink.last = await run();
  return Number(process.hrtime.bigint() - start);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
