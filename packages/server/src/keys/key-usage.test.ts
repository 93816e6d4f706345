import { createMemoryStore } from "@spfunctions/kernel";
import { expect, test } from "vitest";
import { ManualClock } from "../../../kernel/test-data/call-clock.ts";
import { FaultyStore } from "../../../kernel/test-data/call-store.ts";
import { KeyUsage, keyUsageKind } from "./key-usage.ts";

function opened() {
  const store = new FaultyStore(createMemoryStore());
  const clock = new ManualClock();
  const usage = new KeyUsage(store, clock);
  const kept = async (id: string, accountId = "acct_1") =>
    (await store.inner.document({ kind: keyUsageKind, accountId, id }))?.body;
  const said = (ms = clock.now()) => JSON.stringify({ lastUsedAt: new Date(ms).toISOString() });
  return { store, clock, usage, kept, said };
}

test("what is noted is written once, with the last time of all", async () => {
  const { store, clock, usage, kept, said } = opened();
  usage.note("acct_1", "key_1");
  clock.advance(10);
  usage.note("acct_1", "key_1");
  expect(store.units).toHaveLength(0);
  await usage.flush();
  await usage.flush();
  expect(await kept("key_1")).toBe(said());
  expect(store.units).toHaveLength(1);
});

test("what could not be written is written the next time", async () => {
  const { store, usage, kept, said } = opened();
  usage.note("acct_1", "key_1");
  store.failNext({ type: "throw" });
  await expect(usage.flush()).rejects.toMatchObject({ code: "journal_append_failed" });
  expect((await usage.lastUsed("acct_1", ["key_1"])).size).toBe(1);
  await usage.flush();
  expect(await kept("key_1")).toBe(said());
});

test("a key that is used while it is written is written again, the next time and not before", async () => {
  const { store, clock, usage, kept, said } = opened();
  usage.note("acct_1", "key_1");
  usage.note("acct_1", "key_2");
  store.fault = () => {
    clock.advance(1);
    usage.note("acct_1", "key_1");
    usage.note("acct_1", "key_2");
    if (store.units.length > 9) throw new Error("it does not come to an end");
    return undefined;
  };
  await usage.flush();
  expect(store.units).toHaveLength(2);
  store.fault = () => undefined;
  await usage.flush();
  expect([await kept("key_1"), await kept("key_2")]).toStrictEqual([said(), said()]);
});

test("what is used without a pause is written as often as it is asked for, and not without end", async () => {
  const { store, clock, usage } = opened();
  usage.note("acct_1", "key_1");
  usage.note("acct_1", "key_2");
  // The one that was just written is used again while the other is.
  store.beforeDocument = ({ id }) => {
    clock.advance(1);
    usage.note("acct_1", id === "key_1" ? "key_2" : "key_1");
    if (store.units.length > 9) throw new Error("it does not come to an end");
  };
  await usage.flush();
  expect(store.units).toHaveLength(2);
});

test("I1: keys of one name in two accounts are two keys", async () => {
  const { clock, usage, kept, said } = opened();
  usage.note("acct_1", "key_1");
  const first = said();
  clock.advance(5);
  usage.note("acct_2", "key_1");
  await usage.flush();
  expect([await kept("key_1"), await kept("key_1", "acct_2")]).toStrictEqual([first, said()]);
  expect([...(await usage.lastUsed("acct_3", ["key_1"]))]).toStrictEqual([]);
});
