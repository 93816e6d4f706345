// Adversaries (G1 to G4, A1, A2, J1, S1, B1, B8, B13, B24, B26, B33, B34): models that mean no good, one after the other, under any policy
// and among people who say anything. The long form of what `npm test` does with a few hundred of them.
import * as fc from "fast-check";
import { anyCase } from "../../packages/agent/test-data/adversary/case.ts";
import { problemsOf } from "../../packages/agent/test-data/adversary/check.ts";
import { play } from "../../packages/agent/test-data/adversary/play.ts";

export type AdversariesOptions = {
  readonly cases: number;
  readonly seed: number;
  readonly log?: (line: string) => void;
};

export type AdversariesReport = {
  readonly cases: number;
  /** How many runs came to what, and how many were not begun at all. */
  readonly ends: Readonly<Record<string, number>>;
  /** How often which tool has run. */
  readonly ran: Readonly<Record<string, number>>;
  readonly approved: number;
  /** Answers by whoever may not answer. */
  readonly forged: number;
  /** What must not be: empty when the promise holds. */
  readonly broken: readonly string[];
};

/** Cases of one seed; whoever looks for one that failed makes them again. */
const atOnce = 100;

export async function adversaries({
  cases,
  seed,
  log = () => {},
}: AdversariesOptions): Promise<AdversariesReport> {
  const ends: Record<string, number> = {};
  const ran: Record<string, number> = {};
  const broken: string[] = [];
  const unhandled = (reason: unknown) => void broken.push(`nobody handled ${String(reason)}`);
  let approved = 0;
  let forged = 0;
  process.on("unhandledRejection", unhandled);
  for (let done = 0; done < cases; done += atOnce) {
    const part = seed + done / atOnce;
    for (const [index, given] of fc
      .sample(anyCase, { numRuns: atOnce, seed: part, unbiased: true })
      .entries()) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const played = await play(given);
      // oxlint-disable-next-line no-await-in-loop -- see above
      const problems = await problemsOf(given, played);
      broken.push(...problems.map((problem) => `seed ${part}, case ${index}: ${problem.slice(0, 500)}`));
      for (const { result } of played.runs) count(ends, result?.status ?? "not begun");
      for (const { tool } of played.executions) count(ran, tool);
      approved += played.ledger.approved.size;
      forged += played.ledger.forged;
    }
    log(`${done + atOnce} of ${cases} cases, ${broken.length} problems`);
  }
  process.off("unhandledRejection", unhandled);
  return { cases: Math.ceil(cases / atOnce) * atOnce, ends, ran, approved, forged, broken };
}

function count(all: Record<string, number>, what: string): void {
  all[what] = (all[what] ?? 0) + 1;
}
