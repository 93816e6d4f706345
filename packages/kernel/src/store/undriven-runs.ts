import { hasEnded, type RunState } from "../run/state/run-states.ts";
import { documentsOf } from "./documents-of.ts";
import { runKind } from "./kernel-kinds.ts";
import type { PackageRuns, Store, UndrivenRun, UndrivenRunsQuery } from "./store.ts";

const pageRuns = 1000;

/** What a store answers that has no index of runs by their package. `isHeld`: whether somebody may write the stream of this name. */
export async function undrivenAmong(
  store: Store,
  { of, after = "", limit }: UndrivenRunsQuery,
  isHeld: (stream: string) => boolean,
): Promise<UndrivenRun[]> {
  const found: UndrivenRun[] = [];
  for (const one of of) {
    const named = `"packageFingerprint":${JSON.stringify(one.packageFingerprint)}`;
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for await (const { id, status, body } of documentsOf(store, runKind, one.accountId))
      if (id > after && !hasEnded(status as RunState) && !isHeld(id) && body.includes(named))
        found.push({ ...one, id });
  }
  return found.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, Math.max(limit, 0));
}

/** All of them, page by page. */
export async function* undrivenRunsOf(store: Store, of: readonly PackageRuns[]): AsyncGenerator<UndrivenRun> {
  for (let after: string | undefined; ; ) {
    const query = { of, limit: pageRuns, ...(after !== undefined && { after }) };
    // oxlint-disable-next-line no-await-in-loop -- page by page
    const page = await store.undrivenRuns(query);
    yield* page;
    if (page.length < pageRuns) return;
    after = page.at(-1)?.id;
  }
}
