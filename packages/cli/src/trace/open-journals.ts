import { setImmediate } from "node:timers/promises";
import { CancelledError, isSimpleFunctionsError } from "@spfunctions/contracts";
import { openSqliteStore } from "@spfunctions/host/store";
import type { Store } from "@spfunctions/kernel";
import type { CommandContext } from "../command-line/command-context.ts";
import { asCommands } from "../io/as-commands.ts";
import { type JournalFolder, journalFoldersOf } from "./journal-folders.ts";

/** A data folder that can be read, also while another process drives it. */
export type OpenJournal = { readonly folder: string; readonly store: Store };

export type JournalScope = {
  /** Only this folder. */
  readonly data?: string;
  /** Only this account's. */
  readonly account?: string;
};

/** Lets somebody look at the journals that are meant, as a guest, and closes them again. */
export async function withJournals<Found>(
  { data }: JournalScope,
  context: CommandContext,
  look: (journals: readonly OpenJournal[]) => Promise<Found>,
): Promise<Found> {
  const journals: OpenJournal[] = [];
  try {
    for (const folder of journalFoldersOf(data, context.io)) {
      // oxlint-disable-next-line no-await-in-loop -- a handful
      const store = await openAsGuest(folder, context);
      if (store !== undefined) journals.push({ folder: folder.folder, store });
    }
    return await look(journals);
  } finally {
    // oxlint-disable-next-line no-await-in-loop -- a handful
    for (const { store } of journals) await store.close();
  }
}

/** A folder that nobody has named may be one that cannot be read: then it is said, and the others are looked at. */
async function openAsGuest(
  { folder, isNamed }: JournalFolder,
  { print }: Pick<CommandContext, "print">,
): Promise<Store | undefined> {
  try {
    return await openSqliteStore({ folder, role: "guest" });
  } catch (error) {
    if (isNamed || !isSimpleFunctionsError(error)) throw error;
    print.err({ text: "note", style: "yellow" }, `: ${folder} is left out: ${asCommands(error.message)}`);
    return undefined;
  }
}

/** What a journal's segments are kept as. */
export const segmentKind = "segment";

/** The accounts that have a journal in a folder, or the one that is meant. */
export async function accountsIn(store: Store, { account }: JournalScope = {}): Promise<readonly string[]> {
  if (account !== undefined) return [account];
  const lists = await Promise.all(
    ["open", "sealed"].map(async (status) => await store.accountsWith(segmentKind, status)),
  );
  return [...new Set(lists.flat())].toSorted();
}

/** Gives everybody else a turn, so that a signal is heard: whoever waits at a terminal can still say that they want no more. */
export async function heard({ signal }: { readonly signal: AbortSignal }): Promise<void> {
  // The first may come before anything of the outside is looked at.
  await setImmediate();
  await setImmediate();
  if (signal.aborted) throw new CancelledError("cancelled while reading; nothing was changed");
}
