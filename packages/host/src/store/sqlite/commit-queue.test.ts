import { hashText } from "@spfunctions/contracts";
import type { Durability, Unit } from "@spfunctions/kernel";
import { expect, onTestFinished, test, vi } from "vitest";
import { databaseIn, dataFolder } from "../../../test/data-folder.ts";
import { CommitQueue } from "./commit-queue.ts";
import { migrations } from "./migrations.ts";
import { openDatabase, pragma } from "./open-database.ts";
import { writeFault } from "./sqlite-faults.ts";
import { Tables } from "./tables.ts";
import { Transactions } from "./transactions.ts";
import { Wakes } from "./wakes.ts";

const genesis = hashText("the beginning");
const committed = { type: "committed" };
const accountId = "a";
const stream = "run-1";

/** Writes down what was asked of it, and does it. */
class CountedTransactions extends Transactions {
  readonly asked: Durability[] = [];
  override run(durability: Durability, write: () => "keep" | "drop"): void {
    this.asked.push(durability);
    super.run(durability, write);
  }
}

/** A queue on a real database, whose connection can be made to fail. */
async function open() {
  const file = databaseIn(dataFolder());
  const database = await openDatabase(file, { create: true });
  onTestFinished(() => database.close());
  for (const step of migrations) database.exec(step);
  const transactions = new CountedTransactions(database);
  const tables = new Tables(database);
  const faultOf = (error: unknown) => writeFault(error, file);
  const wakes = new Wakes(database);
  const parts = {
    database,
    transactions,
    tables,
    wakes,
    permit: () => undefined,
    afterErasing: () => undefined,
  };
  const queue = new CommitQueue({ ...parts, faultOf });
  const held = tables.streams.nextEpoch(stream, accountId, genesis);
  if (held !== undefined) tables.streams.hold(stream, held);
  let head = { seq: 0, hash: genesis };
  /** The next record, taken for granted. */
  const next = (text: string, durability: Durability = "process"): Unit => {
    const record = { seq: head.seq + 1, prev: head.hash, hash: hashText(`${head.hash}\n${text}`), text };
    head = record;
    return { durability, now: 1, appends: [{ stream, epoch: 1, records: [{ ...record, content: [] }] }] };
  };
  const texts = () => tables.records.read({ stream, accountId, limit: 10_000 }).map(({ text }) => text);
  return { database, transactions, queue, next, texts };
}

test("the commits of one turn are one transaction, and those of the next turn another", async () => {
  const { transactions, queue, next, texts } = await open();
  await Promise.all([queue.add(next("1")), queue.add(next("2")), queue.add(next("3"))]);
  expect(transactions.asked).toStrictEqual(["process"]);
  await queue.add(next("4"));
  expect(transactions.asked).toStrictEqual(["process", "process"]);
  expect(texts()).toStrictEqual(["1", "2", "3", "4"]);
});

test("a transaction is as durable as the most durable unit in it", async () => {
  const { database, transactions, queue, next } = await open();
  const [normal, full] = [1, 2];
  await queue.add(next("1"));
  expect(pragma(database, "synchronous")).toBe(normal);
  await Promise.all([queue.add(next("2")), queue.add(next("3", "power")), queue.add(next("4"))]);
  expect(pragma(database, "synchronous")).toBe(full);
  await queue.add(next("5"));
  expect(pragma(database, "synchronous")).toBe(normal);
  expect(transactions.asked).toStrictEqual(["process", "power", "process"]);
});

test("what is waiting is written at once where that is asked for, and only once", async () => {
  const { transactions, queue, next, texts } = await open();
  const under = queue.add(next("1"));
  queue.flush();
  expect(texts()).toStrictEqual(["1"]);
  await under;
  await new Promise(setImmediate);
  expect(transactions.asked).toStrictEqual(["process"]);
});

test.each([1, 7])(
  "when the disk is full, %i gathered units fail together, and all go on from where the disk is",
  async (count) => {
    const { database, queue, next, texts } = await open();
    await expect(queue.add(next("first"))).resolves.toStrictEqual(committed);
    const pages = Number(pragma(database, "page_count"));
    database.exec(`PRAGMA max_page_count = ${pages + 3}`);
    const large = "x".repeat(8_192 * 4);
    const units = Array.from({ length: count }, () => next(large));
    const results = await Promise.allSettled(units.map((unit) => queue.add(unit)));
    const failed = {
      status: "rejected",
      reason: expect.objectContaining({
        code: "journal_append_failed",
        message: expect.stringContaining("database or disk is full"),
      }),
    };
    expect(results).toStrictEqual(units.map(() => failed));
    expect(texts()).toStrictEqual(["first"]);
    expect(database.isTransaction).toBe(false);
    database.exec("PRAGMA max_page_count = 1000000");
    const again = await Promise.all(units.map((unit) => queue.add(unit)));
    expect(again).toStrictEqual(units.map(() => committed));
    expect(texts()).toStrictEqual(["first", ...units.map(() => large)]);
  },
);

test("a unit that fails after its first step takes that step back too, beside others and alone", async () => {
  const { database, queue, next, texts } = await open();
  await queue.add(next("first"));
  const body = "x".repeat(8_192 * 8);
  const large = { kind: "k", accountId, id: "i", type: "put", expects: 0, status: "s", body } as const;
  const units = [{ ...next("second"), documents: [large] }, next("third")] as const;
  const pages = Number(pragma(database, "page_count"));
  database.exec(`PRAGMA max_page_count = ${pages + 3}`);
  const together = await Promise.allSettled(units.map((unit) => queue.add(unit)));
  expect(together.map(({ status }) => status)).toStrictEqual(["rejected", "rejected"]);
  await expect(queue.add(units[0])).rejects.toMatchObject({ code: "journal_append_failed" });
  database.exec("PRAGMA max_page_count = 1000000");
  const again = await Promise.all(units.map((unit) => queue.add(unit)));
  expect(again).toStrictEqual([committed, committed]);
  expect(texts()).toStrictEqual(["first", "second", "third"]);
});

test("a database that cannot be written fails every unit, and is read as before", async () => {
  const { database, queue, next, texts } = await open();
  await queue.add(next("first"));
  database.exec("PRAGMA query_only = ON");
  const unit = next("second");
  await expect(queue.add(unit)).rejects.toMatchObject({
    code: "journal_append_failed",
    retry: "after_wait",
    message: expect.stringContaining("attempt to write a readonly database"),
  });
  expect(texts()).toStrictEqual(["first"]);
  database.exec("PRAGMA query_only = OFF");
  await expect(queue.add(unit)).resolves.toStrictEqual(committed);
});

test("where committing itself fails, nothing was answered and nothing is kept", async () => {
  const { database, queue, next, texts } = await open();
  await queue.add(next("first"));
  // What is still owed when the transaction ends makes its end fail.
  database.exec("CREATE TABLE owed (id INTEGER REFERENCES streams (id) DEFERRABLE INITIALLY DEFERRED)");
  database.exec("CREATE TRIGGER owe AFTER INSERT ON records BEGIN INSERT INTO owed VALUES (77); END");
  const unit = next("second");
  await expect(queue.add(unit)).rejects.toMatchObject({ code: "journal_append_failed" });
  expect(database.isTransaction).toBe(false);
  expect(texts()).toStrictEqual(["first"]);
  database.exec("DROP TRIGGER owe");
  await expect(queue.add(unit)).resolves.toStrictEqual(committed);
});

test("what is written is written also under a test's fake timers", async () => {
  const { queue, next } = await open();
  onTestFinished(() => void vi.useRealTimers());
  vi.useFakeTimers();
  expect(await queue.add(next("one"))).toStrictEqual(committed);
});
