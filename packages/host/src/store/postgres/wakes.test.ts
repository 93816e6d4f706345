import { expect, onTestFinished, test } from "vitest";
import { describePostgres } from "../../../test/describe-postgres.ts";
import { inTurn } from "../../../test/in-turn.ts";
import { startStoreProcess } from "../../../test/start-store-process.ts";
import { openPostgresStore } from "./open-postgres-store.ts";

const wake = (...wakes: readonly string[]) => ({ durability: "process", now: 1, wakes }) as const;

async function listening(url: string) {
  const store = await openPostgresStore({ url });
  onTestFinished(() => store.close());
  const heard: (string | undefined)[] = [];
  onTestFinished(store.listen((key) => heard.push(key)));
  return { store, heard };
}

describePostgres("wakes on PostgreSQL", (postgres) => {
  test("a wake of another process is told by its name, and one's own once", async () => {
    const { url } = await postgres().newDatabase();
    const { store, heard } = await listening(url);
    const other = startStoreProcess();
    onTestFinished(() => other.end());
    await other.open({ url });
    await store.commit(wake("mine"));
    await other.call("commit", wake("theirs", "too"));
    await expect.poll(() => heard).toStrictEqual(["mine", "theirs", "too"]);
    await store.commit(wake("mine again"));
    await other.call("commit", wake("last"));
    await expect.poll(() => heard.slice(3)).toStrictEqual(["mine again", "last"]);
  });

  test("a unit in conflict wakes nobody in another store either", async () => {
    const { url } = await postgres().newDatabase();
    const { heard } = await listening(url);
    const { store } = await listening(url);
    const document = {
      kind: "k",
      accountId: "a",
      id: "i",
      type: "put",
      expects: 9,
      status: "s",
      body: "b",
    } as const;
    const units = [
      { ...wake("lost"), documents: [document] },
      { ...wake("lost"), documents: [document, document] },
    ];
    const results = await Promise.all([...units, wake("last")].map((unit) => store.commit(unit)));
    expect(results.map(({ type }) => type)).toStrictEqual(["conflict", "conflict", "committed"]);
    await expect.poll(() => heard).toStrictEqual(["last"]);
  });

  test("whoever has not got through for a while is told that some may have been missed", async () => {
    const { url, ask } = await postgres().newDatabase();
    const { heard } = await listening(url);
    const { store } = await listening(url);
    // The last statement with which a session begins.
    await ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'SET synchronous_commit = off'
      AND pid <> pg_backend_pid()`);
    await expect.poll(() => heard).toStrictEqual([undefined]);
    await store.commit(wake("after"));
    await expect.poll(() => heard).toStrictEqual([undefined, "after"]);
  });

  test("what somebody else says on the channel is no wake, and nobody is harmed by it", async () => {
    const { url, ask } = await postgres().newDatabase();
    const { store, heard } = await listening(url);
    const said = ["", "hello", "[]", "{}", "[1,2]", '["x","y"]', "[1]", '[99999,"real"]', "[".repeat(5_000)];
    await inTurn(said, (text) => ask("SELECT pg_notify('simplefunctions', $1)", [text]));
    await store.commit(wake("own"));
    await expect
      .poll(() => new Set(heard.filter((key) => key !== undefined)))
      .toStrictEqual(new Set(["real", "own"]));
  });
});
