// Numbers from different moments of a machine do not compare. Here every contender runs a short turn in each round,
// in one process, and the median of its turns counts; the order changes from round to round.

/** Named functions that do the same job. The first is the measure of the others. */
export type Benchmark = {
  readonly title: string;
  readonly contenders: Readonly<Record<string, () => unknown>>;
};

/** `ratio` is to the first contender. */
export type Measured = { readonly name: string; readonly nsPerOp: number; readonly ratio: number };
export type Report = { readonly title: string; readonly measured: readonly Measured[] };

export type Turns = { readonly rounds?: number; readonly turnMs?: number };

type Contender = {
  readonly name: string;
  readonly run: () => unknown;
  readonly count: number;
  readonly turns: number[];
};

/** Results go here, so that no call can be optimised away. */
const sink: { last?: unknown } = {};

export function sideBySide(
  { title, contenders }: Benchmark,
  { rounds = 41, turnMs = 10 }: Turns = {},
): Report {
  const all = Object.entries(contenders).map(
    ([name, run]): Contender => ({ name, run, count: countFor(run, turnMs), turns: [] }),
  );
  for (let round = 0; round < rounds; round++) {
    for (const turn of all.keys()) {
      const { run, count, turns } = all[(turn + round) % all.length] as Contender;
      turns.push(timeOf(run, count) / count);
    }
  }
  const medians = all.map(({ name, turns }) => ({ name, nsPerOp: median(turns) }));
  const first = medians[0]?.nsPerOp ?? Number.NaN;
  return { title, measured: medians.map((one) => ({ ...one, ratio: one.nsPerOp / first })) };
}

export function formatReport({ title, measured }: Report): string {
  const width = Math.max(...measured.map(({ name }) => name.length));
  const lines = measured.map(({ name, nsPerOp, ratio }) =>
    [name.padEnd(width), `${nsPerOp.toFixed(0)} ns`.padStart(12), `${ratio.toFixed(2)} x`.padStart(10)].join(
      "",
    ),
  );
  return [title, ...lines.map((line) => `  ${line}`)].join("\n");
}

/** How many calls fill a turn, once the function is warm. */
function countFor(run: () => unknown, turnMs: number): number {
  let count = 1;
  for (;;) {
    const spent = timeOf(run, count);
    if (spent >= turnMs * 1e6) return Math.max(1, Math.round((count * turnMs * 1e6) / spent));
    count *= 2;
  }
}

function timeOf(run: () => unknown, count: number): number {
  const start = process.hrtime.bigint();
  for (let call = 0; call < count; call++) sink.last = run();
  return Number(process.hrtime.bigint() - start);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
