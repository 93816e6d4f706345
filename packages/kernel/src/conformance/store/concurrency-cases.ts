import assert from "node:assert/strict";
import type { CommitResult } from "../../store/store.ts";
import {
  account,
  append,
  commits,
  genesis,
  headConflict,
  type StoreCase,
  seal,
  sealAll,
  textsOf,
  unit,
  writerOf,
} from "./store-case.ts";

const numbers = Array.from({ length: 200 }, (_, at) => `${at + 1}`);
const countOf = (results: readonly CommitResult[], type: CommitResult["type"]) =>
  results.filter((result) => result.type === type).length;

/** Commits that are under way together come out as if each had waited for the one before. */
export const concurrencyCases: readonly StoreCase[] = [
  {
    name: "200 commits at once of one chain are all committed, in the order in which they were asked for",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      const records = sealAll(writer.head, numbers);
      const results = await Promise.all(
        records.map((record, at) =>
          store.commit({ ...append(writer, record), durability: at % 3 === 0 ? "power" : "process" }),
        ),
      );
      assert.equal(countOf(results, "committed"), 200);
      assert.deepStrictEqual(await textsOf(store), numbers);
    },
  },
  {
    name: "a commit in conflict takes down those that build on it and no others",
    run: async ({ store }) => {
      const one = await writerOf(store, "run-1");
      const two = await writerOf(store, "run-2");
      const ones = sealAll(one.head, numbers);
      const twos = sealAll(two.head, numbers);
      const blocked = { kind: "k", accountId: account, id: "i", type: "remove", expects: 1 } as const;
      const both = numbers.flatMap((_, at) => {
        const first = append(one, ones[at] as (typeof ones)[number]);
        const second = append(two, twos[at] as (typeof twos)[number]);
        return [at === 100 ? { ...first, documents: [blocked] } : first, second];
      });
      const results = await Promise.all(both.map((each) => store.commit(each)));
      const stopped = results.filter((_, at) => at % 2 === 0).slice(100);
      assert.deepStrictEqual(stopped[0], {
        type: "conflict",
        on: "document",
        key: { kind: "k", accountId: account, id: "i" },
        revision: 0,
      });
      const head = ones[99] as (typeof ones)[number];
      for (const result of stopped.slice(1)) assert.deepStrictEqual(result, headConflict("run-1", head));
      assert.equal(countOf(results, "committed"), 300);
      assert.deepStrictEqual(await textsOf(store, "run-1"), numbers.slice(0, 100));
      assert.deepStrictEqual(await textsOf(store, "run-2"), numbers);
      await commits(store, append(one, seal(head, "on")));
    },
  },
  {
    name: "of many who change one document at once exactly one wins",
    run: async ({ store }) => {
      const key = { kind: "approval", accountId: account, id: "a" };
      const put = (expects: number, body: string) =>
        unit({ documents: [{ ...key, type: "put", expects, status: "s", body }] });
      await commits(store, put(0, "none"));
      const results = await Promise.all(numbers.map((body) => store.commit(put(1, body))));
      const winner = results.findIndex(({ type }) => type === "committed");
      assert.equal(countOf(results, "committed"), 1);
      const lost = { type: "conflict", on: "document", key, revision: 2 };
      for (const [at, result] of results.entries()) if (at !== winner) assert.deepStrictEqual(result, lost);
      const standing = { ...key, status: "s", revision: 2, body: numbers[winner] };
      assert.deepStrictEqual(await store.document(key), standing);
    },
  },
  {
    name: "of many who take one claim at once exactly one has it, and the others learn who",
    run: async ({ store }) => {
      const key = { accountId: account, scope: "tool", key: "k" };
      const claims = numbers.map((ref) => ({ ...key, digest: "d", expiresAt: 2_000, ref }));
      const results = await Promise.all(
        claims.map((claim) => store.commit(unit({ claims: [{ ...claim, type: "take" }] }))),
      );
      assert.equal(countOf(results, "committed"), 1);
      const claim = claims[results.findIndex(({ type }) => type === "committed")];
      const lost = { type: "conflict", on: "claim", key, claim };
      for (const result of results) if (result.type !== "committed") assert.deepStrictEqual(result, lost);
      assert.deepStrictEqual(await store.claim(key, 1_000), claim);
    },
  },
  {
    name: "of many who lease one stream at once exactly one gets it",
    run: async ({ store }) => {
      const leases = numbers.map(() => store.lease("run-1", account, genesis));
      const results = await Promise.all(leases);
      assert.equal(results.filter(({ type }) => type === "leased").length, 1);
    },
  },
];
