import { setImmediate } from "node:timers/promises";
import { CancelledError, isSimpleFunctionsError } from "@spfunctions/contracts";
import { journalKind, runKind, segmentKind, type Store } from "@spfunctions/kernel";
import type { CommandContext } from "../command-line/command-context.ts";
import { asCommands } from "../io/as-commands.ts";
import { isNoStore, openToRead } from "../seat/open-store.ts";
import { runStates } from "../runs/run-states.ts";
import { type JournalPlace, journalPlacesOf } from "./journal-places.ts";

/** A journal that can be read, also while another process writes it. `folder`: or what a database is called. */
export type OpenJournal = JournalPlace & { readonly folder: string; readonly store: Store };

export type JournalScope = {
  /** Only this folder. */
  readonly data?: string;
  /** Only this database. */
  readonly store?: string;
  /** Only this account's. */
  readonly account?: string;
};

/** Lets somebody look at the journals that are meant, as a guest, and closes them again. */
export async function withJournals<Found>(
  scope: JournalScope,
  context: CommandContext,
  look: (journals: readonly OpenJournal[]) => Promise<Found>,
): Promise<Found> {
  const journals: OpenJournal[] = [];
  try {
    for (const one of journalPlacesOf(scope, context.io)) {
      // oxlint-disable-next-line no-await-in-loop -- a handful
      const store = await openAsGuest(one, context);
      if (store !== undefined) journals.push({ ...one, folder: one.place.called, store });
    }
    return await look(journals);
  } finally {
    // oxlint-disable-next-line no-await-in-loop -- a handful
    for (const { store } of journals) await store.close();
  }
}

/** A place that nobody has named may be one that cannot be read: then it is said, and the others are looked at. */
async function openAsGuest(
  { place, isNamed }: JournalPlace,
  { print }: Pick<CommandContext, "print">,
): Promise<Store | undefined> {
  try {
    return await openToRead(place);
  } catch (error) {
    if (isNamed || !isSimpleFunctionsError(error)) throw error;
    if (isNoStore(error)) return undefined;
    const why = asCommands(error.message);
    print.err({ text: "note", style: "yellow" }, `: ${place.called} is left out: ${why}`);
    return undefined;
  }
}

/** The accounts that have a journal in a folder, or the one that is meant. */
export async function accountsIn(store: Store, { account }: JournalScope = {}): Promise<readonly string[]> {
  if (account !== undefined) return [account];
  // Beside its segments what says which there are: also where somebody has taken all of them away.
  const segments = ["open", "sealed"].map(async (status) => await store.accountsWith(segmentKind, status));
  const ends = store.accountsWith(journalKind, "open");
  const runs = runStates.map(async (state) => await store.accountsWith(runKind, state));
  return [...new Set((await Promise.all([...segments, ends, ...runs])).flat())].toSorted();
}

/** Gives everybody else a turn, so that a signal is heard: whoever waits at a terminal can still say that they want no more. */
export async function heard({ signal }: { readonly signal: AbortSignal }): Promise<void> {
  // The first may come before anything of the outside is looked at.
  await setImmediate();
  await setImmediate();
  if (signal.aborted) throw new CancelledError("cancelled while reading; nothing was changed");
}
