import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { HostConfigurationNeededError } from "@spfunctions/contracts";
import type { SearchEntry, SearchIndex } from "@spfunctions/kernel";
import { inSnapshot, inTransaction } from "./in-transaction.ts";
import { openSearchFile } from "./open-search-file.ts";
import { createTables, dropTablesExcept } from "./search-schema.ts";
import { openTables, type SearchTables } from "./search-tables.ts";

type Source = AsyncIterable<SearchEntry> | Iterable<SearchEntry>;
type Change = (tables: SearchTables) => void;

export type SqliteSearchIndex = SearchIndex & {
  /** The index began empty, because its file was missing, damaged or of an earlier version, and was not rebuilt since. */
  readonly rebuildNeeded: boolean;
  /** A rebuild under way fails. */
  close(): Promise<void>;
};

/** Opens the index in `search.db` in a folder. After a power cut it may lag behind what was put last. */
export async function openSqliteSearchIndex({
  folder,
}: {
  readonly folder: string;
}): Promise<SqliteSearchIndex> {
  const path = join(folder, "search.db");
  const { db, isInPlace } = await openSearchFile(path);
  const state = db.prepare("SELECT generation, whole FROM state");
  const rebuilds = new Set<Change[]>();
  let lastRebuild: Promise<void> = Promise.resolve();
  let rebuildNeeded = state.get()?.whole === 0;
  let opened: { readonly generation: number; readonly tables: SearchTables } | undefined;

  /** Asked every time: another process that has the file open may have rebuilt it. */
  function current(): { readonly generation: number; readonly tables: SearchTables } {
    requireInPlace();
    const generation = Number(state.get()?.generation);
    if (opened?.generation !== generation) opened = { generation, tables: openTables(db, generation) };
    return opened;
  }

  function requireInPlace(): void {
    if (isInPlace()) return;
    throw new HostConfigurationNeededError(
      `the search index ${path} was moved, deleted or replaced while it was open, and nothing more is written to it; open it again`,
      { details: { reason: "replaced_index" } },
    );
  }

  /** What changes while a rebuild is under way is not known to its source, so it is done again at the rebuild's end. */
  function apply(change: Change): void {
    inTransaction(db, () => change(current().tables));
    for (const missed of rebuilds) missed.push(change);
  }

  async function rebuild(from: Source, missed: Change[]): Promise<void> {
    try {
      const generation = inTransaction(db, startGeneration);
      const next = openTables(db, generation);
      for await (const batch of batchesOf(from)) inTransaction(db, () => batch.forEach(next.put));
      inTransaction(db, () => {
        requireInPlace();
        for (const change of missed) change(next);
        db.exec(`UPDATE state SET generation = ${generation}, whole = 1`);
        dropTablesExcept(db, generation);
      });
      rebuildNeeded = false;
    } finally {
      rebuilds.delete(missed);
    }
  }

  function startGeneration(): number {
    const { generation } = current();
    dropTablesExcept(db, generation);
    createTables(db, generation + 1);
    return generation + 1;
  }

  return {
    get rebuildNeeded() {
      return rebuildNeeded;
    },
    async put(entries) {
      const given = [...entries];
      apply((tables) => given.forEach(tables.put));
    },
    async remove(accountId, ids) {
      const given = [...ids];
      apply((tables) => {
        given.forEach((id) => tables.remove(accountId, id));
        // FTS5 only marks what is deleted; its words are gone once what is left is written anew.
        tables.optimize();
      });
      // Where somebody reads meanwhile, the log is emptied by whoever closes the file last.
      db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    },
    async query(query) {
      return inSnapshot(db, () => current().tables.query(query));
    },
    rebuild(from) {
      const missed: Change[] = [];
      rebuilds.add(missed);
      const done = lastRebuild.then(() => rebuild(from, missed));
      lastRebuild = done.catch(() => undefined);
      return done;
    },
    async close() {
      if (db.isOpen) db.close();
    },
  };
}

/** Others get a turn after every batch. */
async function* batchesOf(from: Source): AsyncGenerator<SearchEntry[]> {
  let batch: SearchEntry[] = [];
  for await (const entry of from) {
    batch.push(entry);
    if (batch.length < 200) continue;
    yield batch;
    batch = [];
    await setImmediate();
  }
  yield batch;
}
