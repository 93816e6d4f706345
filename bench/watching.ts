// Aim: of what another process writes, 1,000 watchers in one process see 95 of 100 records within 500 ms, at most 10 statements a
// second, also where no notification reaches them. Nothing is measured where no server is installed.
import { hashText } from "@spfunctions/contracts";
import { openPostgresStore } from "@spfunctions/host/store";
import { type Head, type Store, systemClock, watchingOf } from "@spfunctions/kernel";
import { setTimeout as after } from "node:timers/promises";
import { deaf } from "../packages/host/test/deaf-store.ts";
import { findPostgres, startPostgres } from "../packages/host/test/start-postgres.ts";
import { statementsIn } from "../packages/host/test/statements-in.ts";
import type { Measurement } from "./side-by-side.ts";

const watchers = 1000;
const seconds = 20;
const everyMs = 50;
const accountId = "bench";

type Measured = { readonly lags: readonly number[]; readonly statements: number; readonly idle: number };

/** Streams, each watched and read by as many as there are to a stream. */
async function measured(streams: number, through: (store: Store) => Store): Promise<Measured> {
  const server = await startPostgres({ log_statement: "all", log_line_prefix: "%a " });
  const { url } = await server.newDatabase();
  const writing = await openPostgresStore({ url });
  const reading = through(await openPostgresStore({ url: `${url}&application_name=watcher` }));
  const sent = () => statementsIn(server).filter((line) => line.startsWith("watcher ")).length;
  const heads: (Head & { readonly epoch: number })[] = await Promise.all(
    Array.from({ length: streams }, async (_, at) => {
      const lease = await writing.lease(`run-${at}`, accountId, hashText("the beginning"));
      if (lease.type !== "leased") throw new Error("the stream is held");
      return { ...lease.head, epoch: lease.epoch };
    }),
  );
  const writtenAt = new Map<string, number>();
  const lags: number[] = [];
  let isOver = false;
  const watching = watchingOf(reading, systemClock);
  const watch = (at: number, seq: number) => {
    const stream = `run-${at}`;
    watching.watch([{ type: "stream", accountId, stream, seq }], () => void read(at, seq));
  };
  const read = async (at: number, seq: number) => {
    if (isOver) return;
    const records = await reading.readStream({ stream: `run-${at}`, accountId, from: seq + 1, limit: 200 });
    for (const record of records)
      lags.push(performance.now() - (writtenAt.get(`${at} ${record.seq}`) ?? Number.NaN));
    watch(at, records.at(-1)?.seq ?? seq);
  };
  for (let one = 0; one < watchers; one += 1) watch(one % streams, 0);
  const quiet = sent();
  await after(10_000);
  const idle = (sent() - quiet) / 10;
  const before = sent();
  for (let written = 0; written < (seconds * 1000) / everyMs; written += 1) {
    const at = (written * 7) % streams;
    const { epoch, ...head } = heads[at] as Head & { readonly epoch: number };
    const record = {
      seq: head.seq + 1,
      prev: head.hash,
      hash: hashText(head.hash),
      text: "{}",
      content: [],
    };
    const appends = [{ stream: `run-${at}`, epoch, records: [record] }];
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await writing.commit({ durability: "process", now: 1, appends, wakes: [`run run-${at}`] });
    writtenAt.set(`${at} ${record.seq}`, performance.now());
    heads[at] = { seq: record.seq, hash: record.hash, epoch };
    // oxlint-disable-next-line no-await-in-loop -- see above
    await after(everyMs);
  }
  const statements = (sent() - before) / seconds;
  await after(1000);
  isOver = true;
  await Promise.all([writing.close(), reading.close()]);
  await server.remove();
  return { lags: lags.filter((lag) => !Number.isNaN(lag)).toSorted((a, b) => a - b), statements, idle };
}

const cases = [
  ["1,000 streams, one watcher each", 1000, (store: Store) => store],
  ["1,000 streams, no notification arrives", 1000, deaf],
  ["10 streams, 100 watchers each", 10, (store: Store) => store],
  ["10 streams, no notification arrives", 10, deaf],
] as const;

export const benchmarks: readonly Measurement[] =
  "missing" in findPostgres()
    ? []
    : [
        {
          title: "watching what another process writes on PostgreSQL, 20 records a second",
          measure: async () => {
            const all = [];
            for (const [name, streams, through] of cases) {
              // oxlint-disable-next-line no-await-in-loop -- one after the other, or they would measure each other
              const { lags, statements, idle } = await measured(streams, through);
              const lag = lags[Math.ceil(lags.length * 0.95) - 1] ?? Number.NaN;
              all.push(
                { name: `${name}: lag, 95th percentile`, nsPerOp: lag, ratio: 1, unit: "ms" },
                { name: `${name}: statements a second`, nsPerOp: statements, ratio: 1, unit: "/s" },
                { name: `${name}: while nothing is written`, nsPerOp: idle, ratio: 1, unit: "/s" },
              );
            }
            return { title: "watching", measured: all };
          },
        },
      ];
