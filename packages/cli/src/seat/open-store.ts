import { setTimeout as after } from "node:timers/promises";
import { CancelledError, isSimpleFunctionsError } from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import { openSqliteStore, type SqliteStore } from "@spfunctions/host/store";

export type Patience = {
  /** How long another process that drives the folder is waited for. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
  /** Told once that there is something to wait for. */
  readonly waiting: (why: string) => void;
};

/** As long as the command line says, and told to whoever waits. */
export function patienceOf(waitMs: number, { io, print }: Pick<CommandContext, "io" | "print">): Patience {
  const waiting = (why: string) => print.err({ text: `waiting: ${why}`, style: "dim" });
  return { waitMs, signal: io.signal, waiting };
}

const askEveryMs = 25;

/** Opens the store of a data folder; one process drives it at a time, so that two commands at once take turns. */
export async function openStore(folder: string, patience: Patience): Promise<SqliteStore> {
  return await inTurn(() => openSqliteStore({ folder, role: "driver" }), patience);
}

/** Opens what lies on a data folder, as soon as no other process drives it. */
export async function inTurn<Opened>(
  open: () => Promise<Opened>,
  { waitMs, signal, waiting }: Patience,
): Promise<Opened> {
  const begun = performance.now();
  for (let isFirst = true; ; isFirst = false) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- until it is free
      return await open();
    } catch (error) {
      if (!isDriven(error) || performance.now() - begun >= waitMs) throw error;
      if (isFirst) waiting((error as Error).message);
    }
    // oxlint-disable-next-line no-await-in-loop -- see above
    await after(askEveryMs, undefined, { signal }).catch(() => {
      throw new CancelledError("cancelled while waiting for the data folder; nothing was called");
    });
  }
}

/** Whether a folder could not be opened only because another process drives it. */
export function isDriven(error: unknown): boolean {
  return isSimpleFunctionsError(error) && error.details?.reason === "driven_by_another";
}
