// What stories of parents and children are told with.
import type { RunState } from "../src/run/state/run-states.ts";
import { FaultyStore } from "./call-store.ts";
import { turn } from "./call-waiting.ts";
import { type FamilyOptions, openFamily, type Parts } from "./family.ts";
import { foldsOf, type RunDesk, storedRun } from "./run-desk.ts";

export type FamilyStory = {
  readonly story: string;
  /** Rows that it takes: of a run, from, record, to; of a child, record and where it stood before. */
  readonly takes: readonly string[];
  /** Gives back the last process of it. */
  readonly play: () => Promise<RunDesk>;
};

/** The next life of a family on the same data. */
export function reopenFamily(
  { clock, deck, store }: RunDesk,
  parts: Parts,
  specs: Parameters<typeof openFamily>[1],
  options: FamilyOptions = {},
): RunDesk {
  const life = { life: 2, clock, deck, store: new FaultyStore(store.inner) };
  return openFamily(parts, specs, { ...options, ...life });
}

/** Until a run stands in a state, on record. */
export async function untilState(desk: RunDesk, runId: string, state: RunState): Promise<void> {
  let last = "none";
  for (let turns = 0; turns < 500; turns++) {
    last = foldsOf(await storedRun(desk.store.inner, runId)).at(-1)?.run.shape.state ?? "none";
    if (last === state) return;
    await turn();
  }
  throw new Error(`${runId} is ${last}, and did not come to ${state}`);
}

/** Whatever is asked, in whichever run, somebody says yes to. */
export async function approveAll({ operator }: RunDesk): Promise<void> {
  for (const { approvalId } of await operator.list()) {
    await operator.approve(approvalId);
  }
}
