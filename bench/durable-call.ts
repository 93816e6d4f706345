// Aim: a durable governed call within 1.4 times two bare SQLite transactions that write the same rows, FULL and NORMAL apart.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { govern } from "@spfunctions/agent";
import { openSqliteStore } from "@spfunctions/host/store";
import { segmentsOf } from "@spfunctions/kernel";
import { input, principal, tools } from "./bench-tools.ts";
import type { Benchmark } from "./side-by-side.ts";

const together = 32;

export const benchmarks: readonly Benchmark[] = [
  await durable("bench.write", "FULL", 64),
  await durable("bench.search", "NORMAL", 512),
];

async function durable(tool: string, synchronous: "FULL" | "NORMAL", turnCalls: number): Promise<Benchmark> {
  const folder = mkdtempSync(join(tmpdir(), "simplefunctions-bench-"));
  const store = await openSqliteStore({ folder });
  const governed = govern({ packs: [tools], policy: { maxSideEffect: "user_write" }, principal, store });
  const bare = await bareTransactions(folder, store, governed, tool, synchronous);
  return {
    title: `a durable call, ${synchronous}`,
    isAsync: true,
    turnCalls: turnCalls / together,
    contenders: {
      [`${together} times two bare transactions with the same rows`]: () => {
        for (let call = 0; call < together; call++) bare.twice();
      },
      [`${together} governed calls, one after the other`]: async () => {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        for (let call = 0; call < together; call++) await governed.call(tool, input);
      },
      [`${together} governed calls at once`]: () =>
        Promise.all(Array.from({ length: together }, () => governed.call(tool, input))),
    },
    dispose: async () => {
      await governed.close();
      await store.close();
      bare.close();
      rmSync(folder, { recursive: true });
    },
  };
}

type Store = Awaited<ReturnType<typeof openSqliteStore>>;
type Caller = { readonly call: (tool: string, input: unknown) => Promise<unknown> };

/** The rows that one governed call writes, written again and again to a table of the same shape. */
async function bareTransactions(
  folder: string,
  store: Store,
  governed: Caller,
  tool: string,
  synchronous: string,
) {
  await governed.call(tool, input);
  const { accountId } = principal;
  const streams = segmentsOf(store, accountId);
  const { value: stream } = (await streams.next()) as { value: string };
  const rows = (await store.readStream({ stream, accountId, limit: 10 })).slice(-2);
  const database = new DatabaseSync(join(folder, "bare.db"));
  database.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = ${synchronous}; PRAGMA wal_autocheckpoint = 2000;
    CREATE TABLE records (id INTEGER PRIMARY KEY, stream INTEGER NOT NULL, seq INTEGER NOT NULL, hash TEXT NOT NULL,
      text TEXT NOT NULL, content TEXT, UNIQUE (stream, seq)) STRICT;`);
  const begin = database.prepare("BEGIN IMMEDIATE");
  const insert = database.prepare(
    "INSERT INTO records (stream, seq, hash, text, content) VALUES (1, ?, ?, ?, ?)",
  );
  const commit = database.prepare("COMMIT");
  const kept = rows.map(({ hash, text, content }) => ({ hash, text, content: JSON.stringify(content) }));
  let seq = 0;
  return {
    twice() {
      for (const { hash, text, content } of kept) {
        begin.run();
        insert.run(++seq, hash, text, content);
        commit.run();
      }
    },
    close: () => database.close(),
  };
}
