import assert from "node:assert/strict";
import { isSimpleFunctionsError } from "@spfunctions/contracts";
import { inTurn } from "../in-turn.ts";
import {
  account,
  append,
  commits,
  genesis,
  given,
  recordsOf,
  row,
  type StoreCase,
  seal,
  stored,
  textsOf,
  unit,
  writerOf,
} from "./store-case.ts";

const key = { kind: "k", accountId: account, id: "i" };
const claim = { accountId: account, scope: "s", key: "k", digest: "d", expiresAt: 2_000, ref: "r" };

/** What is kept is the store's own, from the call of commit until it is closed. */
export const ownershipCases: readonly StoreCase[] = [
  {
    name: "what the caller changes after it called commit is not what is kept",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      const content = [row("one", "given")];
      const record = { ...seal(writer.head, "given", content) };
      const document = { ...key, type: "put" as const, expects: 0, status: "given", body: "given" };
      const taken = { ...claim, type: "take" as const };
      const records = [record];
      const documents = [document];
      const under = store.commit(
        unit({ appends: [{ stream: "run-1", epoch: writer.epoch, records }], documents, claims: [taken] }),
      );
      record.text = "changed";
      Object.assign(content[0] as object, { text: "changed" });
      content.push(row("two", "changed"));
      records.push(seal(record, "changed"));
      document.body = "changed";
      documents.push({ ...document, id: "changed" });
      taken.ref = "changed";
      assert.deepStrictEqual(await under, { type: "committed" });
      taken.ref = "changed again";
      const asGiven = seal(writer.head, "given", [row("one", "given")]);
      assert.deepStrictEqual(await recordsOf(store), [stored(asGiven)]);
      const kept = { ...key, status: "given", revision: 1, body: "given" };
      assert.deepStrictEqual(await store.documents({ ...key, limit: 9 }), [kept]);
      assert.deepStrictEqual(await store.claim(claim, 1_000), claim);
    },
  },
  {
    name: "what the caller changes in an answer is not what is kept",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      const record = seal(writer.head, "first", [row("one", "one")]);
      const documents = [{ ...key, type: "put", expects: 0, status: "s", body: "b" }] as const;
      await commits(store, { ...append(writer, record), documents, claims: [{ ...claim, type: "take" }] });
      const read = async () => ({
        records: await recordsOf(store),
        documents: await store.documents({ ...key, limit: 9 }),
        document: await store.document(key),
        claim: await store.claim(claim, 1_000),
        accounts: await store.accountsWith("k", "s"),
      });
      const before = structuredClone(await read());
      spoil(await read());
      assert.deepStrictEqual(await read(), before);
    },
  },
  {
    name: "a closed store does nothing more, and says so",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      await store.close();
      await store.close();
      await store.release("run-1", writer.epoch);
      const calls = [
        () => store.commit(append(writer, seal(writer.head, "late"))),
        () => store.commit(unit({})),
        () => store.lease("run-2", account, genesis),
        () => recordsOf(store),
        () => store.document(key),
        () => store.documents({ ...key, limit: 1 }),
        () => store.documentsById("k", account, ["i"]),
        () => store.accountsWith("k", "s"),
        () => store.claim(claim, 1_000),
        () => store.abandoned(account),
        () => store.abandonedWith("k", "s"),
        () => store.undrivenRuns({ of: [], limit: 1 }),
        () => store.moved([{ type: "stream", stream: "run-1", accountId: account, seq: 0 }]),
      ];
      await inTurn(calls, async (call) => {
        const fault = await call().then(
          () => "no fault",
          (error: unknown) => error,
        );
        assert.equal(isSimpleFunctionsError(fault) && fault.code, "lease_lost");
      });
    },
  },
  {
    name: "commits that were asked for before closing are answered and kept",
    needs: "reopen",
    run: async ({ store, reopen }) => {
      const writer = await writerOf(store);
      const first = seal(writer.head, "first");
      const under = [
        store.commit(append(writer, first)),
        store.commit(append(writer, seal(first, "second"))),
      ];
      await store.close();
      assert.deepStrictEqual(await Promise.all(under), [{ type: "committed" }, { type: "committed" }]);
      const again = await given(reopen, "reopen")();
      assert.deepStrictEqual(await textsOf(again), ["first", "second"]);
    },
  },
];

/** Overwrites whatever can be overwritten, at every depth. */
function spoil(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  for (const name of Object.keys(value)) {
    spoil((value as Record<string, unknown>)[name]);
    Reflect.set(value, name, "spoilt");
  }
}
