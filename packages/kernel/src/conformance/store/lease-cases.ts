import assert from "node:assert/strict";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { runKind } from "../../store/kernel-kinds.ts";
import type { DocumentWrite, Store, Unit } from "../../store/store.ts";
import { inTurn } from "../in-turn.ts";
import {
  account,
  append,
  commits,
  epochConflict,
  genesis,
  given,
  headConflict,
  noDigest,
  type StoreCase,
  seal,
  sealAll,
  stranger,
  textsOf,
  unit,
  type Writer,
  writerOf,
} from "./store-case.ts";

const runs = [
  ["run_c", "waiting", "package-a", account],
  ["run_a", "starting", "package-a", account],
  ["run_b", "recovery_needed", "package-a", account],
  ["run_d", "waiting", "package-b", account],
  ["run_e", "completed", "package-a", account],
  ["run_f", "calling", "package-a", stranger],
] as const;

function runDocument([id, status, packageFingerprint, accountId]: (typeof runs)[number]): DocumentWrite {
  const body = JSON.stringify({ agentId: "scribe", packageFingerprint, runId: id });
  return { type: "put", kind: runKind, accountId, id, expects: 0, status, body };
}

/** J3: one writer at a time, and a new one shuts out whoever wrote before. */
export const leaseCases: readonly StoreCase[] = [
  {
    name: "J3: a stream that is held is not leased again until it is released",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      assert.deepStrictEqual(await store.lease("run-1", account, genesis), { type: "held" });
      await store.release("run-1", writer.epoch + 1);
      await store.release("run-none", 1);
      assert.deepStrictEqual(await store.lease("run-1", account, genesis), { type: "held" });
      await commits(store, append(writer, seal(writer.head, "first")));
      await store.release("run-1", writer.epoch);
      await writerOf(store);
    },
  },
  {
    name: "J3: every lease has a greater epoch and the head that it continues, whatever genesis it names",
    run: async ({ store }) => {
      const first = await writerOf(store);
      const record = seal(first.head, "first");
      await store.release("run-1", first.epoch);
      const second = await writerOf(store, "run-1", account, noDigest);
      assert.deepStrictEqual(second.head, { seq: 0, hash: genesis });
      await commits(store, append(second, record));
      await store.release("run-1", second.epoch);
      const third = await writerOf(store, "run-1", account, noDigest);
      assert.deepStrictEqual(third.head, { seq: 1, hash: record.hash });
      assert(first.epoch >= 1 && second.epoch > first.epoch && third.epoch > second.epoch);
    },
  },
  {
    name: "J3: who released a stream, or was followed by another, writes no more",
    run: async ({ store }) => {
      const before = await writerOf(store);
      const record = seal(before.head, "first");
      await store.release("run-1", before.epoch);
      assert.deepStrictEqual(await store.commit(append(before, record)), epochConflict("run-1"));
      const after = await writerOf(store);
      assert.deepStrictEqual(await store.commit(append(before, record)), epochConflict("run-1"));
      await store.release("run-1", before.epoch);
      await commits(store, append(after, record));
    },
  },
  {
    name: "J3: whoever holds a stream renews its lease; who released it, or was followed by another, does not",
    run: async ({ store }) => {
      const before = await writerOf(store);
      assert.equal(await store.renew("run-1", before.epoch), true);
      assert.equal(await store.renew("run-1", before.epoch + 1), false);
      assert.equal(await store.renew("run-none", 1), false);
      await store.release("run-1", before.epoch);
      assert.equal(await store.renew("run-1", before.epoch), false);
      const after = await writerOf(store);
      assert.deepStrictEqual(
        [await store.renew("run-1", before.epoch), await store.renew("run-1", after.epoch)],
        [false, true],
      );
    },
  },
  {
    name: "what was asked for before a stream was released is written under the epoch that it had",
    run: async ({ store }) => {
      const before = await writerOf(store);
      const under = store.commit(append(before, seal(before.head, "first")));
      await store.release("run-1", before.epoch);
      assert.deepStrictEqual(await under, { type: "committed" });
      assert.equal((await writerOf(store)).head.seq, 1);
    },
  },
  {
    name: "leases of different streams do not touch each other",
    run: async ({ store }) => {
      const one = await writerOf(store, "run-1");
      const two = await writerOf(store, "run-2");
      await store.release("run-1", one.epoch);
      await commits(store, append(two, seal(two.head, "second")));
    },
  },
  {
    name: "J3: runs that have not ended and that nobody holds are listed for any number of accounts and packages, page by page",
    run: async ({ store }) => {
      const ours = { accountId: account, packageFingerprint: "package-a" };
      const others = { accountId: account, packageFingerprint: "package-b" };
      const strangers = { accountId: stranger, packageFingerprint: "package-a" };
      const listed = async (
        of: readonly (typeof ours)[] = [ours],
        page: { readonly limit?: number; readonly after?: string } = {},
      ) => await store.undrivenRuns({ of, limit: 10, ...page });
      const found = (of: typeof ours, ...ids: readonly string[]) => ids.map((id) => ({ ...of, id }));
      await commits(store, unit({ documents: runs.map(runDocument) }));
      const writers: Writer[] = [];
      await inTurn(runs, async ([id, , , owner]) => writers.push(await writerOf(store, id, owner)));
      assert.deepStrictEqual(await listed(), []);
      await inTurn(writers, async ({ stream, epoch }) => await store.release(stream, epoch));
      assert.deepStrictEqual(await listed(), found(ours, "run_a", "run_b", "run_c"));
      assert.deepStrictEqual(await listed([ours], { limit: 2 }), found(ours, "run_a", "run_b"));
      assert.deepStrictEqual(await listed([ours], { after: "run_b" }), found(ours, "run_c"));
      assert.deepStrictEqual(await listed([others]), found(others, "run_d"));
      assert.deepStrictEqual(await listed([strangers]), found(strangers, "run_f"));
      assert.deepStrictEqual(await listed([]), []);
      const all = [...found(ours, "run_a", "run_b", "run_c"), ...found(others, "run_d")];
      assert.deepStrictEqual(await listed([strangers, others, ours]), [...all, ...found(strangers, "run_f")]);
      assert.deepStrictEqual(await listed([strangers, others, ours], { limit: 2, after: "run_b" }), [
        ...found(ours, "run_c"),
        ...found(others, "run_d"),
      ]);
      await writerOf(store, "run_b");
      assert.deepStrictEqual(await listed(), found(ours, "run_a", "run_c"));
    },
  },
  {
    name: "what was committed is there after closing and opening, and so is the head",
    needs: "reopen",
    run: async ({ store, reopen }) => {
      const writer = await writerOf(store);
      const records = sealAll(writer.head, ["first", "second"]);
      await commits(store, append(writer, ...records));
      await writerOf(store, "run-2");
      await store.close();
      const again = await given(reopen, "reopen")();
      assert.deepStrictEqual(await textsOf(again), ["first", "second"]);
      assert.deepStrictEqual((await writerOf(again, "run-2")).head, { seq: 0, hash: genesis });
      const next = await writerOf(again);
      assert.deepStrictEqual(next.head, { seq: 2, hash: records[1]?.hash });
      assert(next.epoch > writer.epoch);
      const third = seal(next.head, "third");
      assert.deepStrictEqual(await again.commit(append(writer, third)), epochConflict("run-1"));
      assert.deepStrictEqual(
        await again.commit(append(next, seal(writer.head, "x"))),
        headConflict("run-1", next.head),
      );
      await commits(again, append(next, ...records, third));
    },
  },
  {
    name: "J3: a rival that has taken over shuts out who wrote before, and continues where that one ended",
    needs: "rival",
    run: async ({ store, rival }) => {
      const writer = await writerOf(store);
      const first = seal(writer.head, "first");
      await commits(store, append(writer, first));
      const other = await given(rival, "rival")();
      const next = await writerOf(other);
      assert.deepStrictEqual(next.head, { seq: 1, hash: first.hash });
      assert(next.epoch > writer.epoch);
      await assertShutOut(store, append(writer, seal(first, "late")));
      assert.equal(await store.renew("run-1", writer.epoch), false);
      assert.equal(await other.renew("run-1", next.epoch), true);
      await commits(other, append(next, seal(first, "second")));
      await assertShutOut(store, append(writer, seal(first, "later")));
      await store.release("run-1", writer.epoch);
      assert.deepStrictEqual(await textsOf(other), ["first", "second"]);
      await store.close();
      await commits(other, append(next, seal(seal(first, "second"), "third")));
    },
  },
];

/** By a refusal, or by a fault where the whole store was lost. */
async function assertShutOut(store: Store, late: Unit): Promise<void> {
  const outcome = await store.commit(late).catch((error: unknown) => error);
  if (isSimpleFunctionsError(outcome)) assert.equal(outcome.code, "lease_lost");
  else assert.deepStrictEqual(outcome, epochConflict("run-1"));
}
