// Which rows of the tables runs have taken, by what is on record of them.
import { phaseTransitions, runTransitions } from "../src/run/state/run-states.ts";
import type { Store } from "../src/store/store.ts";
import { childTransitions, isChildRecord } from "../src/subagent/child-states.ts";
import { foldsOf, type RunDesk, storedRun } from "./run-desk.ts";

export type TakenRows = {
  /** Of the run's table: from, record, to. */
  readonly rows: ReadonlySet<string>;
  /** Of the table of a run's calls, and of its children: record, and where that stood before. */
  readonly calls: ReadonlySet<string>;
  readonly children: ReadonlySet<string>;
};

/** Records of children lead a run to the same states, whichever they are: they are one row. */
export function rowKind(kind: string): string {
  return kind.startsWith("subagent.") ? "subagent.*" : kind;
}

/** All that there are. */
export const allRows: TakenRows = {
  rows: new Set(
    Object.entries(runTransitions).flatMap(([from, row]) =>
      Object.entries(row).flatMap(([kind, tos]) => tos.map((to) => `${from} ${rowKind(kind)} ${to}`)),
    ),
  ),
  calls: rowsOf(phaseTransitions),
  children: rowsOf(childTransitions),
};

function rowsOf(table: Readonly<Record<string, readonly (string | undefined)[]>>): Set<string> {
  return new Set(
    Object.entries(table).flatMap(([kind, froms]) => froms.map((from) => `${kind} ${from ?? "none"}`)),
  );
}

/** Those that one run has taken. */
export async function takenRows(store: Store, runId: string): Promise<TakenRows> {
  const taken = { rows: new Set<string>(), calls: new Set<string>(), children: new Set<string>() };
  const folds = foldsOf(await storedRun(store, runId));
  for (const [index, { run, record }] of folds.entries()) {
    const before = folds[index - 1]?.run.shape;
    taken.rows.add(`${before?.state ?? "none"} ${rowKind(record.kind)} ${run.shape.state}`);
    if ("callId" in record && record.kind in phaseTransitions)
      taken.calls.add(`${record.kind} ${before?.calls.get(record.callId)}`);
    if ("childRunId" in record && isChildRecord(record.kind))
      taken.children.add(`${record.kind} ${before?.children.get(record.childRunId)?.phase ?? "none"}`);
  }
  return taken;
}

/** Those that a parent and its children have taken. */
export async function familyRows({ runs, store }: RunDesk): Promise<TakenRows> {
  const all = await runs.list();
  return joined(await Promise.all(all.map(async ({ runId }) => await takenRows(store.inner, runId))));
}

export function joined(all: readonly TakenRows[]): TakenRows {
  return {
    rows: new Set(all.flatMap(({ rows }) => [...rows])),
    calls: new Set(all.flatMap(({ calls }) => [...calls])),
    children: new Set(all.flatMap(({ children }) => [...children])),
  };
}
