import type { Measured } from "../side-by-side.ts";
import type { Taken, Weighed } from "./worker.ts";

/** One contender at one length of the loop. Times and their ratios are of a step, by medians. */
export type LoopMeasured = Measured & {
  readonly steps: number;
  readonly repetitions: number;
  readonly bestNsPerOp: number;
  /** To a step of its own in a loop of `shortLoop`: 1 where a step costs the same in any. */
  readonly growth: number;
  /** What stays the same where a machine has other things to do. */
  readonly processorNsPerOp: number;
  readonly processorRatio: number;
  readonly processorGrowth: number;
  readonly heldBytes: number;
  readonly peakBytes: number;
};

/** What a contender took, by the number of steps. */
type TakenBySteps = ReadonlyMap<number, readonly Taken[]>;

export const shortLoop = 50;

type Own = { readonly taken: TakenBySteps; readonly weighed: ReadonlyMap<number, Weighed> };

/** In the order given; ratios are to the first, where that was measured. */
export function summarise(all: ReadonlyMap<string, Own>, first: string): LoopMeasured[] {
  const theirs = all.get(first)?.taken;
  return [...all].flatMap(([name, { taken: own, weighed }]) =>
    [...own].map(([steps, turns]) => {
      const { held = Number.NaN, peak = Number.NaN } = weighed.get(steps) ?? {};
      const nsPerOp = ofStep(own, steps, clock);
      const processorNsPerOp = ofStep(own, steps, processor);
      return {
        name,
        steps,
        repetitions: turns.length,
        nsPerOp,
        bestNsPerOp: Math.min(...turns.map(clock)) / steps,
        ratio: nsPerOp / ofStep(theirs, steps, clock),
        growth: nsPerOp / ofStep(own, shortLoop, clock),
        processorNsPerOp,
        processorRatio: processorNsPerOp / ofStep(theirs, steps, processor),
        processorGrowth: processorNsPerOp / ofStep(own, shortLoop, processor),
        heldBytes: held,
        peakBytes: peak,
      };
    }),
  );
}

const clock = ({ ns }: Taken) => ns;
const processor = (one: Taken) => one.processor;

function ofStep(taken: TakenBySteps | undefined, steps: number, time: (one: Taken) => number): number {
  return median((taken?.get(steps) ?? []).map(time)) / steps;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}
