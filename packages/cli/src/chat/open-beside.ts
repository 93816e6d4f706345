// What is kept beside the journal of a folder: none of it is the truth, and all of it can go.
import {
  openSqliteSearchIndex,
  openTurnLogs,
  type SqliteSearchIndex,
  type TurnLogs,
} from "@spfunctions/host/store";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Undo } from "../seat/held.ts";

export type Beside = { readonly search: SqliteSearchIndex; readonly logs: TurnLogs };

export async function openBeside(folder: string, undo: Undo): Promise<Beside> {
  const memory = join(folder, "memory");
  mkdirSync(memory, { recursive: true, mode: 0o700 });
  const search = await openSqliteSearchIndex({ folder: memory });
  undo.push(() => search.close());
  return { search, logs: openTurnLogs({ folder: join(folder, "turns") }) };
}

/** Where no chat was held in the folder there is none of it, and none is made. */
export async function openBesideIfThere(folder: string, undo: Undo): Promise<Partial<Beside>> {
  return existsSync(join(folder, "memory")) || existsSync(join(folder, "turns"))
    ? await openBeside(folder, undo)
    : {};
}
