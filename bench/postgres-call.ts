// Aim: a durable governed call on PostgreSQL within 2 times two bare inserts of the same rows; and a thousand runs that wait for a
// person ask the database for nothing but that their process lives.
import { setTimeout as after } from "node:timers/promises";
import { govern } from "@spfunctions/agent";
import { openPostgresStore } from "@spfunctions/host/store";
import {
  type ModelAdapter,
  newInstallationSecret,
  openInstallation,
  Runs,
  segmentsOf,
  type Store,
} from "@spfunctions/kernel";
import { Pool } from "pg";
import { startPostgres, type TestDatabase } from "../packages/host/test/start-postgres.ts";
import { input, principal, tools } from "./bench-tools.ts";
import type { Benchmark, Measurement, Report } from "./side-by-side.ts";

const together = 32;
const settleMs = 12_000;
const postgres = await startPostgres();
let users = 0;

/** The cluster goes with the last of its users. */
async function leave(): Promise<void> {
  users -= 1;
  if (users === 0) await postgres.remove();
}

export const benchmarks: readonly (Benchmark | Measurement)[] = [await durable(), waiting(1000, 10_000)];

async function durable(): Promise<Benchmark> {
  users += 1;
  const database = await postgres.newDatabase();
  const store = await openPostgresStore({ url: database.url });
  const governed = govern({ packs: [tools], policy: { maxSideEffect: "user_write" }, principal, store });
  await governed.call("bench.write", input);
  const bare = await bareInserts(database, await lastRows(store));
  return {
    title: "a durable call on PostgreSQL, synchronous_commit on",
    isAsync: true,
    turnCalls: 2,
    contenders: {
      [`${together} times two bare inserts of the same rows, one after the other`]: async () => {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        for (let call = 0; call < together; call++) await bare.twice();
      },
      [`${together} governed calls, one after the other`]: async () => {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        for (let call = 0; call < together; call++) await governed.call("bench.write", input);
      },
      [`${together} times two bare inserts at once`]: () =>
        Promise.all(Array.from({ length: together }, () => bare.twice())),
      [`${together} governed calls at once`]: () =>
        Promise.all(Array.from({ length: together }, () => governed.call("bench.write", input))),
    },
    dispose: async () => {
      await governed.close();
      await store.close();
      await bare.close();
      await leave();
    },
  };
}

type Row = { readonly hash: string; readonly text: string; readonly content: string };

async function lastRows(store: Store): Promise<Row[]> {
  const { accountId } = principal;
  const { value: stream } = (await segmentsOf(store, accountId).next()) as { value: string };
  const rows = (await store.readStream({ stream, accountId, limit: 10 })).slice(-2);
  return rows.map(({ hash, text, content }) => ({ hash, text, content: JSON.stringify(content) }));
}

/** The rows that one governed call writes, written again and again to a table of the same shape. */
async function bareInserts({ url }: TestDatabase, rows: readonly Row[]) {
  const pool = new Pool({ connectionString: url, max: 10 });
  await pool.query(
    "CREATE TABLE bare (stream bigint, seq bigint, hash text, text text, content text, PRIMARY KEY (stream, seq))",
  );
  let seq = 0;
  const text = "INSERT INTO bare (stream, seq, hash, text, content) VALUES (1, $1, $2, $3, $4)";
  return {
    async twice() {
      for (const row of rows) {
        seq += 1;
        // oxlint-disable-next-line no-await-in-loop -- the intent before the result
        await pool.query({ name: "bare", text, values: [seq, row.hash, row.text, row.content] });
      }
    },
    close: async () => await pool.end(),
  };
}

const asking: ModelAdapter = {
  name: "asking",
  offline: true,
  complete: async () => ({
    text: "",
    toolCalls: [{ id: "one", name: "bench.write", args: input }],
    finish: "tool_calls",
    usage: { inputTokens: 1, outputTokens: 1 },
  }),
};

/** Runs that wait for a person, and what their database is asked meanwhile. */
function waiting(count: number, forMs: number): Measurement {
  users += 1;
  return {
    title: `${count} runs wait for a person, statements a second`,
    measure: async (): Promise<Report> => {
      const database = await postgres.newDatabase();
      const store = await openPostgresStore({ url: database.url });
      const runs = new Runs({
        packs: [tools],
        levels: [
          {
            level: "agent",
            policy: {
              maxSideEffect: "user_write",
              approvals: { requireForSideEffectAtOrAbove: "user_write" },
            },
          },
        ],
        principal,
        agentId: "bench",
        model: { adapter: asking },
        installation: openInstallation(newInstallationSecret()),
        store,
      });
      await runs.open();
      const perSecond = async () => {
        const before = await statements(database);
        await after(forMs);
        const ms = forMs + settleMs;
        return (((await statements(database)) - before - 1) / ms) * 1000;
      };
      const idle = await perSecond();
      for (let started = 0; started < count; started++) {
        // oxlint-disable-next-line no-await-in-loop -- one after the other
        const handle = await runs.start({ objective: `${started}` });
        // oxlint-disable-next-line no-await-in-loop -- see above
        await handle.wait({ for: "rest" });
      }
      const busy = await perSecond();
      await runs.close();
      await store.close();
      await leave();
      return {
        title: `${count} runs wait for a person, for ${forMs / 1000} s`,
        measured: [
          { name: "no run", nsPerOp: idle * 1000, ratio: 1, unit: "statements in 1000 s" },
          { name: `${count} runs`, nsPerOp: busy * 1000, ratio: busy / idle, unit: "statements in 1000 s" },
        ],
      };
    },
  };
}

/** Transactions of this database so far: each statement of the store is one. */
async function statements({ name, ask }: TestDatabase): Promise<number> {
  // A connection that rests writes down what it has done within ten seconds.
  await after(settleMs);
  const [row] = await ask(
    "SELECT xact_commit + xact_rollback AS count FROM pg_stat_database WHERE datname = $1",
    [name],
  );
  return Number(row?.["count"]);
}
