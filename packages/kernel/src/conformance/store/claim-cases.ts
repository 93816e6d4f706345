import assert from "node:assert/strict";
import type { Claim, ClaimWrite } from "../../store/store.ts";
import { inTurn } from "../in-turn.ts";
import { account, commits, type StoreCase, unit } from "./store-case.ts";

const key = { accountId: account, scope: "tool.orders", key: "k-1" };
const claim: Claim = { ...key, digest: "digest-1", expiresAt: 2_000, ref: "run-1" };
const at = (now: number, ...claims: readonly ClaimWrite[]) => unit({ claims }, now);
const take = (changes: Partial<Claim> = {}) => ({ ...claim, ...changes, type: "take" }) as const;
const update = (changes: Partial<Claim> = {}) => ({ ...claim, ...changes, type: "update" }) as const;
const release = (digest = claim.digest) => ({ ...key, type: "release", digest }) as const;
const conflict = (standing?: Claim) => ({
  type: "conflict",
  on: "claim",
  key,
  ...(standing === undefined ? {} : { claim: standing }),
});

/** A claim is taken once until it is released or expires. */
export const claimCases: readonly StoreCase[] = [
  {
    name: "a claim is taken once: the second is told who stands, for the same digest and for another",
    run: async ({ store }) => {
      assert.equal(await store.claim(key, 1_000), undefined);
      await commits(store, at(1_000, take()));
      const again = [take(), take({ digest: "digest-2" }), take({ ref: "run-2", expiresAt: 9_000 })];
      await inTurn(again, async (second) =>
        assert.deepStrictEqual(await store.commit(at(1_999, second)), conflict(claim)),
      );
      assert.deepStrictEqual(await store.claim(key, 1_000), claim);
    },
  },
  {
    name: "from its expiry on a claim counts as not there, by the clock of whoever asks",
    run: async ({ store }) => {
      await commits(store, at(1_000, take()));
      assert.deepStrictEqual(await store.claim(key, 1_999), claim);
      assert.equal(await store.claim(key, 2_000), undefined);
      const second = { digest: "digest-2", ref: "run-2", expiresAt: 3_000 };
      assert.deepStrictEqual(await store.commit(at(1_999, take(second))), conflict(claim));
      assert.deepStrictEqual(await store.commit(at(2_000, update())), conflict());
      assert.deepStrictEqual(await store.commit(at(2_000, release())), conflict());
      await commits(store, at(2_000, take(second)));
      assert.deepStrictEqual(await store.claim(key, 2_000), { ...claim, ...second });
    },
  },
  {
    name: "a claim is updated only by its digest",
    run: async ({ store }) => {
      assert.deepStrictEqual(await store.commit(at(1_000, update())), conflict());
      await commits(store, at(1_000, take()), at(1_500, update({ ref: "done", expiresAt: 5_000.5 })));
      const updated = { ...claim, ref: "done", expiresAt: 5_000.5 };
      assert.deepStrictEqual(await store.claim(key, 4_000), updated);
      const other = await store.commit(at(1_500, update({ digest: "digest-2", ref: "stolen" })));
      assert.deepStrictEqual(other, conflict(updated));
      assert.deepStrictEqual(await store.claim(key, 4_000), updated);
    },
  },
  {
    name: "a claim is released only by its digest, and can be taken again then",
    run: async ({ store }) => {
      assert.deepStrictEqual(await store.commit(at(1_000, release())), conflict());
      await commits(store, at(1_000, take()));
      assert.deepStrictEqual(await store.commit(at(1_000, release("digest-2"))), conflict(claim));
      await commits(store, at(1_000, release()));
      assert.equal(await store.claim(key, 1_000), undefined);
      await commits(store, at(1_000, take({ digest: "digest-2" })));
    },
  },
  {
    name: "the same key in another scope is another claim",
    run: async ({ store }) => {
      await commits(store, at(1_000, take(), take({ scope: "tool.quotes", ref: "run-2" })));
      assert.deepStrictEqual(await store.claim(key, 1_000), claim);
      assert.equal(await store.claim({ ...key, scope: "tool" }, 1_000), undefined);
    },
  },
  {
    name: "the claims of one unit see each other, and a conflict tells what stood before the unit",
    run: async ({ store }) => {
      await commits(
        store,
        at(1_000, take({ ref: "a" }), update({ ref: "b" }), release(), take({ ref: "c" })),
      );
      const standing = { ...claim, ref: "c" };
      assert.deepStrictEqual(await store.claim(key, 1_000), standing);
      const result = await store.commit(at(1_000, update({ ref: "d" }), take()));
      assert.deepStrictEqual(result, conflict(standing));
      assert.deepStrictEqual(await store.claim(key, 1_000), standing);
    },
  },
];
