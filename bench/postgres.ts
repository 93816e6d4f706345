// Aim: a commit of one record costs no more than twice a bare INSERT of the same row in a transaction of its own, through the
// same kind of pool, as durable as the commit; and with 16 writers a commit that wakes somebody costs no more than one that wakes
// nobody. Nothing is measured where no server is installed.
import { hashText } from "@spfunctions/contracts";
import { openPostgresStore } from "@spfunctions/host/store";
import type { Durability, Head } from "@spfunctions/kernel";
import { Pool } from "pg";
import { findPostgres, startPostgres } from "../packages/host/test/start-postgres.ts";
import type { Benchmark } from "./side-by-side.ts";

const together = 32;
const accountId = "bench";
const stream = "bench";
/** About as long as the record of a call. */
const text = JSON.stringify({
  tool: "bench.write",
  input: { ticker: "KXFEDDECISION-26SEP-H0" },
  pad: "x".repeat(600),
});

export const benchmarks: readonly Benchmark[] =
  "missing" in findPostgres()
    ? []
    : [await commitOf("power", 64), await commitOf("process", 512), await manyWriters(16)];

async function commitOf(durability: Durability, turnCalls: number): Promise<Benchmark> {
  const server = await startPostgres();
  const { url } = await server.newDatabase();
  const store = await openPostgresStore({ url });
  const lease = await store.lease(stream, accountId, hashText("the beginning"));
  if (lease.type !== "leased") throw new Error("the stream is held");
  let head: Head = lease.head;
  const commit = async () => {
    const record = {
      seq: head.seq + 1,
      prev: head.hash,
      hash: hashText(head.hash + text),
      text,
      content: [],
    };
    head = record;
    const result = await store.commit({
      durability,
      now: 1,
      appends: [{ stream, epoch: lease.epoch, records: [record] }],
    });
    if (result.type !== "committed") throw new Error("not committed");
  };
  const pool = new Pool({
    connectionString: url,
    options: `-c synchronous_commit=${durability === "power" ? "on" : "off"}`,
  });
  await pool.query(
    "CREATE TABLE bare (stream bigint, seq bigint, hash text NOT NULL, text text NOT NULL, PRIMARY KEY (stream, seq))",
  );
  let seq = 0;
  const insert = () =>
    pool.query({
      name: "insert",
      text: "INSERT INTO bare (stream, seq, hash, text) VALUES (1, $1, $2, $3)",
      values: [++seq, hashText(`${seq}`), text],
    });
  return {
    title: `a commit on PostgreSQL, ${durability}`,
    isAsync: true,
    turnCalls: turnCalls / together,
    contenders: {
      [`${together} bare INSERTs, one after the other`]: () => repeat(insert),
      [`${together} commits of one record, one after the other`]: () => repeat(commit),
      [`${together} bare INSERTs at once`]: () => Promise.all(Array.from({ length: together }, insert)),
      [`${together} commits of one record at once`]: () =>
        Promise.all(Array.from({ length: together }, commit)),
    },
    dispose: async () => {
      await store.close();
      await pool.end();
      await server.remove();
    },
  };
}

/** Opened stores that write at the same time, each a document of its own: with wakes, and without. */
async function manyWriters(count: number): Promise<Benchmark> {
  const server = await startPostgres();
  const { url } = await server.newDatabase();
  const stores = await Promise.all(
    Array.from({ length: count }, () => openPostgresStore({ url, poolSize: 2 })),
  );
  const pool = new Pool({ connectionString: url, max: count });
  await pool.query(
    "CREATE TABLE bare (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text text NOT NULL)",
  );
  let made = 0;
  const commitAll = (wakes: readonly string[]) =>
    Promise.all(
      stores.map((store) =>
        repeat(async () => {
          made += 1;
          const key = { kind: "bench", accountId, id: `${made}` };
          const documents = [{ ...key, type: "put", expects: 0, status: "s", body: text }] as const;
          const result = await store.commit({ durability: "power", now: 1, documents, wakes });
          if (result.type !== "committed") throw new Error("not committed");
        }),
      ),
    );
  const insertAll = (statement: string) =>
    Promise.all(stores.map(() => repeat(() => pool.query(statement, [text]))));
  const insert = "INSERT INTO bare (text) VALUES ($1)";
  return {
    title: `${count} writers, ${together} commits each, power`,
    isAsync: true,
    turnCalls: 1,
    contenders: {
      "bare INSERTs": () => insertAll(insert),
      "bare INSERTs with a notification in each": () =>
        insertAll(`WITH made AS (${insert} RETURNING id) SELECT pg_notify('bench', id::text) FROM made`),
      "commits that wake nobody": () => commitAll([]),
      "commits that wake somebody": () => commitAll(["somebody"]),
    },
    dispose: async () => {
      await Promise.all(stores.map((store) => store.close()));
      await pool.end();
      await server.remove();
    },
  };
}

async function repeat(act: () => Promise<unknown>): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (let call = 0; call < together; call++) await act();
}
