// B25, J3: one process drives a data folder. Where it is this one, a run is taken from here; beside another, what is wanted of it is
// left in its inbox. A database is everybody's, and each run in it one process's.
import type { Runs, Store } from "@spfunctions/kernel";
import type { CommandContext } from "../command-line/command-context.ts";
import { held } from "../seat/held.ts";
import { hereOrBeside } from "../seat/here-or-beside.ts";
import { openStore, openToRead } from "../seat/open-store.ts";
import { idleRuns } from "./idle-runs.ts";
import type { RunsHere } from "./look-at-runs.ts";
import { seeLeases } from "./see-leases.ts";

type RunsAtHand = {
  readonly runs: Runs;
  readonly store: Store;
  /** Whether what was wanted was left for the process that drives the run. */
  readonly isLeft: () => boolean;
};

export type RunsTerms = Pick<RunsHere, "place" | "installation"> & { readonly account: string };

type Does<Done> = (at: RunsAtHand) => Promise<Done>;

/** Does something to runs: as the writer of their store where that can be had, else beside it. */
export async function onRuns<Done>(
  given: RunsTerms,
  context: CommandContext,
  does: Does<Done>,
): Promise<Done> {
  const terms = { ...given, user: context.io.user };
  const asWriter = async () => {
    const atOnce = { waitMs: 0, signal: context.io.signal, waiting: () => undefined };
    return await on(terms, await openStore(terms.place, atOnce), false, does);
  };
  const asGuest = async () => await on(terms, await openToRead(terms.place), true, does);
  return await hereOrBeside(asWriter, asGuest);
}

async function on<Done>(
  { installation, account, user }: RunsTerms & Pick<CommandContext["io"], "user">,
  store: Store,
  isGuest: boolean,
  does: Does<Done>,
): Promise<Done> {
  return await held(async (undo, close) => {
    undo.push(() => store.close());
    const seen = seeLeases(store, isGuest);
    const runs = idleRuns(seen.store, installation, account, user);
    undo.push(() => runs.close());
    const done = await does({ runs, store, isLeft: seen.isHeld });
    await close();
    return done;
  });
}
