import { setTimeout as after } from "node:timers/promises";
import {
  CancelledError,
  HostConfigurationNeededError,
  isSimpleFunctionsError,
  type SimpleFunctionsError,
} from "@spfunctions/contracts";
import type { CommandContext } from "../command-line/command-context.ts";
import { inCommands } from "../io/in-commands.ts";
import { lookAtPostgres, openPostgresStore, openSqliteStore } from "@spfunctions/host/store";
import type { Store } from "@spfunctions/kernel";
import type { DatabasePlace, StorePlace } from "./store-place.ts";

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

/** Opens a store. One process drives a data folder at a time, so that two commands at once take turns; a database is everybody's. */
export async function openStore(place: StorePlace, patience: Patience): Promise<Store> {
  if (place.type === "database") return await openDatabase(place);
  return await inTurn(() => openSqliteStore({ folder: place.folder, role: "driver" }), patience);
}

/** Opens a store for whoever looks at what is there, also beside the process that drives it. None is made. */
export async function openToRead(place: StorePlace): Promise<Store> {
  if (place.type === "folder") return await openSqliteStore({ folder: place.folder, role: "guest" });
  await requireStore(place);
  return await openDatabase(place);
}

export async function openDatabase({ url, schema }: DatabasePlace): Promise<Store> {
  return await openPostgresStore({ url, schema });
}

async function requireStore(place: DatabasePlace): Promise<void> {
  const { version, known } = await lookAtPostgres(place);
  if (version === undefined)
    throw new HostConfigurationNeededError(
      `there is no store in the schema ${place.schema} of ${place.called} yet; sf up makes one, or name another with ?schema=`,
      { details: { reason: "no_store" } },
    );
  if (version < known)
    throw new HostConfigurationNeededError(
      `the schema ${place.schema} of ${place.called} has version ${version}, and this program writes version ${known}; sf up brings it there`,
      { details: { reason: "older_schema", version, known } },
    );
}

/** Whether nothing was ever kept there. */
export function isNoStore(error: unknown): boolean {
  return isSimpleFunctionsError(error) && error.details?.reason === "no_store";
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
      if (!isDriven(error)) throw error;
      if (performance.now() - begun >= waitMs) throw inCommands(error as SimpleFunctionsError);
      // Who it is: what can be done about it is told to whoever has waited in vain.
      if (isFirst) waiting((error as Error).message.split(". Talk ", 1)[0] ?? "");
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

/** Whether a folder could not be opened only because nothing can be written there. */
export function isReadOnly(error: unknown): boolean {
  return isSimpleFunctionsError(error) && error.details?.reason === "read_only";
}
