// Several seats of one process write one account's journal: one segment, one writer (J3), and nobody ends it but whoever made it.
import { RecoveryNeededError } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../test-data/call-clock.ts";
import { Deck } from "../../test-data/call-deck.ts";
import {
  codeOf,
  installation,
  openDesk,
  principalOf,
  reopenDesk,
  storedIn,
} from "../../test-data/call-desk.ts";
import { countingIds } from "../../test-data/call-ids.ts";
import { atFirst, FaultyStore } from "../../test-data/call-store.ts";
import { gate, settlement, turn, until } from "../../test-data/call-waiting.ts";
import { registerPacks } from "../tool/registry.ts";
import { AccountJournals } from "./account-journals.ts";
import { verifyAccount } from "./verify-account.ts";

const deck = new Deck();
const registry = registerPacks([deck.tools]);

/** Journals in a store of their own, and seats that write there. */
function openOffice({ segmentRecords = 20_000, store = new FaultyStore() } = {}) {
  deck.runs.length = 0;
  deck.deed = () => null;
  const clock = new ManualClock();
  const ids = countingIds();
  const terms = { manifestDigest: registry.manifest.digest, segmentRecords, signer: installation.signer };
  const journals = new AccountJournals({ store, clock, ids }, terms);
  const seatOf = (keyId: string, accountId = "acct_1") =>
    openDesk({
      deck,
      packs: registry,
      journals,
      store,
      clock,
      ids,
      principal: principalOf(accountId, { keyId }),
      limits: { segmentRecords },
    });
  return { store, clock, journals, seatOf };
}

const statusOf = async (store: FaultyStore, accountId = "acct_1") =>
  (await verifyAccount(store.inner, accountId, [installation.signer.publicKey])).status;
const write = { tool: "notes.write" };

test("J3: calls of all seats stand in one segment, in the order in which they were accepted", async () => {
  const { store, journals, seatOf } = openOffice();
  const [one, two] = [seatOf("key_one"), seatOf("key_two")];
  await Promise.all([one.seat.open(), two.seat.open()]);
  await Promise.all(
    Array.from(
      { length: 40 },
      async (_, n) => await (n % 2 === 0 ? one : two).call({ ...write, input: { n } }),
    ),
  );
  expect(one.seat.segments).toHaveLength(1);
  expect(two.seat.segments).toStrictEqual(one.seat.segments);
  const numbers = (await storedIn(store.inner)).map(({ seq }) => seq);
  expect(numbers).toStrictEqual(Array.from({ length: 81 }, (_, at) => at + 1));
  const records = await one.records();
  const keys = records.flatMap((record) => (record.kind === "call.intended" ? [record.principal.keyId] : []));
  expect(keys).toStrictEqual(Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? "key_one" : "key_two")));
  await journals.close();
  expect(await statusOf(store)).toBe("ok");
});

test("each account has a journal of its own, and the same one every time", async () => {
  const { journals, seatOf } = openOffice();
  const [one, two] = [seatOf("key_1", "acct_1"), seatOf("key_1", "acct_2")];
  await one.call(write);
  await two.call(write);
  expect(one.seat.segments).not.toStrictEqual(two.seat.segments);
  expect(await one.records()).toHaveLength(3);
  expect(await two.records()).toHaveLength(3);
  await journals.close();
});

describe("closing", () => {
  test("a seat ends nothing: the other goes on in the same segment", async () => {
    const { store, journals, seatOf } = openOffice();
    const [one, two] = [seatOf("key_one"), seatOf("key_two")];
    await one.call(write);
    await one.seat.close();
    expect(await statusOf(store)).toBe("open");
    await expect(one.call(write)).rejects.toMatchObject({ code: "invalid_transition" });
    expect(codeOf(await two.call(write))).toBe("completed");
    expect(two.seat.segments).toHaveLength(1);
    await journals.close();
    expect(await statusOf(store)).toBe("ok");
  });

  test("the journals seals every account's, once, and nothing is written or begun there any more", async () => {
    const { store, journals, seatOf } = openOffice();
    const [one, two] = [seatOf("key_1", "acct_1"), seatOf("key_1", "acct_2")];
    await one.call(write);
    await two.call(write);
    await Promise.all([journals.close(), journals.close()]);
    const sealed = await store.documents({ kind: "segment", accountId: "acct_1", limit: 9 });
    expect(sealed).toMatchObject([{ status: "sealed", revision: 2 }]);
    expect([await statusOf(store), await statusOf(store, "acct_2")]).toStrictEqual(["ok", "ok"]);
    await expect(one.call(write)).rejects.toMatchObject({ code: "invalid_transition" });
    expect(deck.runs).toHaveLength(2);
    expect(() => seatOf("key_1", "acct_3")).toThrow(expect.objectContaining({ code: "invalid_transition" }));
    expect(codeOf(await reopenDesk({ store }, { deck }).call(write))).toBe("completed");
  });

  test("them tries every one, and tells of the first that could not be sealed", async () => {
    const { store, journals, seatOf } = openOffice();
    await seatOf("key_1", "acct_1").call(write);
    await seatOf("key_1", "acct_2").call(write);
    store.fault = ({ documents }) =>
      documents?.some(({ accountId, kind }) => accountId === "acct_1" && kind === "segment") === true
        ? { type: "throw" }
        : undefined;
    await expect(journals.close()).rejects.toMatchObject({ code: "journal_append_failed" });
    expect([await statusOf(store), await statusOf(store, "acct_2")]).toStrictEqual(["open", "ok"]);
  });

  test("them under a call that runs seals nothing over it: its caller is told, and the next process settles it (J2)", async () => {
    const { store, journals, seatOf } = openOffice();
    const answer = gate();
    deck.deed = async () => await answer.promise;
    const desk = seatOf("key_1");
    const call = desk.call({ ...write, tool: "notes.put" });
    await until(() => deck.runs.length === 1);
    await journals.close();
    expect(await statusOf(store)).toBe("open");
    answer.resolve();
    await expect(call).rejects.toMatchObject({ code: "recovery_needed" });
    deck.deed = () => null;
    const next = reopenDesk({ store }, { deck });
    expect((await next.seat.open()).settled).toMatchObject([{ outcome: "completed", by: "retry" }]);
    await next.seat.close();
    expect(await statusOf(store)).toBe("ok");
  });
});

test("J2: what one seat owes is written before another's call does anything", async () => {
  const { store, seatOf } = openOffice();
  const [one, two] = [seatOf("key_one"), seatOf("key_two")];
  store.fault = atFirst("call.settled", { type: "throw" });
  expect(await settlement(one.call(write))).toMatchObject({ error: { code: "recovery_needed" } });
  await two.call({ tool: "notes.read" });
  const kinds = (await two.records()).map(({ kind }) => kind);
  expect(kinds).toStrictEqual(["segment.opened", "call.intended", "call.settled", "call.read"]);
});

test("a seat that settles what a crash has left never touches the segment that another writes", async () => {
  const dead = openDesk({ deck, life: 7, principal: principalOf("acct_1", { keyId: "key_two" }) });
  dead.store.fault = atFirst("call.settled", { type: "die", written: false });
  void dead.call({ tool: "notes.put" });
  await dead.store.died.promise;
  const { store, journals, seatOf } = openOffice({ store: new FaultyStore(dead.store.inner) });
  const running = gate();
  deck.deed = async () => await running.promise;
  const one = seatOf("key_one");
  // The first seat finds what was left, may not settle what another key has begun, and goes on.
  const call = one.call(write);
  await until(() => deck.runs.length === 1);
  deck.deed = () => null;
  const report = await seatOf("key_two").seat.open();
  expect(report).toMatchObject({
    segments: 1,
    living: 1,
    settled: [{ tool: "notes.put", outcome: "completed" }],
  });
  running.resolve();
  expect(codeOf(await call)).toBe("completed");
  await journals.close();
  expect(await statusOf(store)).toBe("ok");
});

test("a segment that was sealed after it was found open is left as it was sealed", async () => {
  const { store, journals, seatOf } = openOffice();
  await seatOf("key_one").call(write);
  store.beforeLease = async () => await journals.close();
  const two = openDesk({ deck, store, life: 2 });
  expect(await two.seat.open()).toStrictEqual({ segments: 0, settled: [], living: 1 });
  const segments = await store.documents({ kind: "segment", accountId: "acct_1", limit: 9 });
  expect(segments).toMatchObject([{ status: "sealed", revision: 2 }]);
  expect(await statusOf(store)).toBe("ok");
});

test("seats that are opened at once settle a dead process's effects once", async () => {
  const dead = openDesk({ deck, life: 7 });
  dead.store.fault = atFirst("call.settled", { type: "die", written: false });
  void dead.call({ tool: "notes.put" });
  await dead.store.died.promise;
  const { journals, store, seatOf } = openOffice({ store: new FaultyStore(dead.store.inner) });
  const reports = await Promise.all([1, 2, 3, 4].map(async () => await seatOf("key_1").seat.open()));
  expect(reports.flatMap(({ settled }) => settled)).toMatchObject([{ outcome: "completed", by: "retry" }]);
  expect(deck.runs).toHaveLength(1);
  await journals.close();
  expect(await statusOf(store)).toBe("ok");
});

test("segments roll for all seats at once, and a call ends where it began", async () => {
  const { store, journals, seatOf } = openOffice({ segmentRecords: 5 });
  const desks = ["key_one", "key_two", "key_three"].map((keyId) => seatOf(keyId));
  deck.deed = async () => await turn();
  for (let round = 0; round < 10; round++) {
    await Promise.all(desks.map(async (desk) => await desk.call({ ...write, input: { round } })));
  }
  await journals.close();
  const [first] = desks;
  expect(first?.seat.segments).toHaveLength(10);
  expect((await first?.records())?.filter(({ kind }) => kind === "call.settled")).toHaveLength(30);
  expect(await statusOf(store)).toBe("ok");
});

test("what a person says of an unknown effect is said in the same journal, whichever seat it is said at", async () => {
  const { store, journals, seatOf } = openOffice();
  const [one, two] = [seatOf("key_one"), seatOf("key_two")];
  deck.deed = () => {
    throw new RecoveryNeededError("nobody saw it");
  };
  await one.call(write);
  const [effect] = await two.seat.unknown();
  await two.seat.resolve(effect?.effectId ?? "", { status: "failed", note: "it was not there" });
  expect(await one.seat.unknown()).toStrictEqual([]);
  expect(one.seat.segments).toHaveLength(1);
  await journals.close();
  expect(await statusOf(store)).toBe("ok");
});
