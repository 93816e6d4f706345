import { type LoopMeasured, shortLoop } from "./summary.ts";

type Question = {
  readonly head: string;
  readonly cell: (one: LoopMeasured) => string;
  /** Where it is also asked how much more of it a step takes in the longest loop. */
  readonly growth?: (one: LoopMeasured) => number;
};

/** One block for each question, a line for each contender, a column for each length of the loop. */
export function tableOf(measured: readonly LoopMeasured[], first: string): string {
  const questions: Question[] = [
    {
      head: "µs per step, median (best)",
      cell: ({ nsPerOp, bestNsPerOp }) => `${thousands(nsPerOp)} (${thousands(bestNsPerOp)})`,
      growth: ({ growth }) => growth,
    },
    {
      head: "µs of processor time per step, median",
      cell: ({ processorNsPerOp }) => thousands(processorNsPerOp),
      growth: ({ processorGrowth }) => processorGrowth,
    },
    { head: `a step, times ${first}`, cell: ({ ratio }) => times(ratio) },
    { head: "the same of processor time", cell: ({ processorRatio }) => times(processorRatio) },
    { head: "kB held after the loop", cell: ({ heldBytes }) => thousands(heldBytes) },
    { head: "MB of its process at most, so far", cell: ({ peakBytes }) => thousands(peakBytes / 1000) },
  ];
  return questions.map((question) => blockOf(question, measured)).join("\n\n");
}

function blockOf({ head, cell, growth }: Question, measured: readonly LoopMeasured[]): string {
  const names = [...new Set(measured.map(({ name }) => name))];
  const lengths = [...new Set(measured.map(({ steps }) => steps))];
  const longest = Math.max(...lengths);
  const lines = names.map((name) => {
    const own = measured.filter((one) => one.name === name);
    const grown = own.filter(({ steps }) => growth !== undefined && steps === longest);
    return [name, ...own.map(cell), ...grown.map((one) => times(growth?.(one) ?? Number.NaN))];
  });
  const titles = lengths.map((steps) => `${steps} steps`);
  const last = growth === undefined ? [] : [`${longest} to ${shortLoop}`];
  return [[head, ...titles, ...last], ...lines].map(lineOf).join("\n");
}

function lineOf([name = "", ...cells]: readonly string[]): string {
  return `  ${name.padEnd(40)}${cells.map((cell) => cell.padStart(16)).join("")}`;
}

function times(ratio: number): string {
  return Number.isNaN(ratio) ? "-" : `${ratio.toFixed(2)} x`;
}

function thousands(value: number): string {
  return (value / 1000).toFixed(0);
}
