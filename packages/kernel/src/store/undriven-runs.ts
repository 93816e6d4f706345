import { hasEnded, type RunState } from "../run/state/run-states.ts";
import { documentsOf } from "./documents-of.ts";
import { runKind } from "./kernel-kinds.ts";
import type { Store, UndrivenRunsQuery } from "./store.ts";

const pageRuns = 1000;

/** What a store answers that has no index of runs by their package. `isHeld`: whether somebody may write the stream of this name. */
export async function undrivenAmong(
  store: Store,
  { accountId, packageFingerprint, after = "", limit }: UndrivenRunsQuery,
  isHeld: (stream: string) => boolean,
): Promise<string[]> {
  const found: string[] = [];
  const named = `"packageFingerprint":${JSON.stringify(packageFingerprint)}`;
  for await (const { id, status, body } of documentsOf(store, runKind, accountId)) {
    if (found.length >= limit) break;
    if (id > after && !hasEnded(status as RunState) && !isHeld(id) && body.includes(named)) found.push(id);
  }
  return found;
}

/** All of them, page by page. */
export async function* undrivenRunsOf(
  store: Store,
  accountId: string,
  packageFingerprint: string,
): AsyncGenerator<string> {
  for (let after: string | undefined; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- page by page
    const page = await store.undrivenRuns({
      accountId,
      packageFingerprint,
      limit: pageRuns,
      ...(after !== undefined && { after }),
    });
    yield* page;
    if (page.length < pageRuns) return;
    after = page.at(-1);
  }
}
