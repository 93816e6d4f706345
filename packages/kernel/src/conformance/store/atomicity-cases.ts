import assert from "node:assert/strict";
import type { Store, Unit } from "../../store/store.ts";
import {
  account,
  append,
  commits,
  headConflict,
  noDigest,
  recordsOf,
  row,
  type StoreCase,
  seal,
  unit,
  type Writer,
  writerOf,
} from "./store-case.ts";

type Parts = Required<Omit<Unit, "durability" | "now">>;
const document = { kind: "session", accountId: account, id: "s" };
const claim = { accountId: account, scope: "tool", key: "k", digest: "d", expiresAt: 2_000, ref: "r" };
const erasure = { stream: "run-1", accountId: account, seq: 1, ref: "content_one" };
const put = { ...document, type: "put", status: "open", body: "new" } as const;

/** What stands before: a record with content, a document and a claim of each sort that a unit can touch. */
async function prepare(store: Store): Promise<{ writer: Writer; parts: Parts }> {
  const writer = await writerOf(store);
  const first = seal(writer.head, "first", [row("one", "private")]);
  await commits(store, append(writer, first));
  await commits(
    store,
    unit({
      documents: [
        { ...put, expects: 0 },
        { ...put, id: "gone", expects: 0 },
      ],
      claims: [
        { ...claim, type: "take" },
        { ...claim, key: "gone", type: "take" },
      ],
    }),
  );
  const second = seal(first, "second");
  return {
    writer: { ...writer, head: second },
    parts: {
      appends: [{ stream: "run-1", epoch: writer.epoch, records: [second] }],
      documents: [
        { ...put, expects: 1 },
        { ...put, id: "made", type: "keep" },
        { ...document, id: "gone", type: "remove", expects: 1 },
      ],
      claims: [
        { ...claim, ref: "moved", type: "update" },
        { ...claim, key: "made", type: "take" },
        { ...claim, key: "gone", type: "release" },
      ],
      erasures: [erasure],
      wakes: ["somebody"],
    },
  };
}

async function everything(store: Store) {
  const documents = await store.documentsById("session", account, ["s", "made", "gone"]);
  const claims = await Promise.all(["k", "made", "gone"].map((key) => store.claim({ ...claim, key }, 1_000)));
  return { records: await recordsOf(store), documents, claims };
}

const neighbour = (id: string) => unit({ documents: [{ ...put, kind: "neighbour", id, expects: 0 }] });

/** Each adds to a unit that would be committed one last part that cannot be. */
const breaks: readonly [what: string, (parts: Parts, writer: Writer) => Partial<Parts>][] = [
  [
    "a record that does not continue its stream",
    ({ appends }, { stream, epoch, head }) => ({
      appends: [...appends, { stream, epoch, records: [{ ...seal(head, "x"), prev: noDigest }] }],
    }),
  ],
  [
    "an append under a lost epoch",
    ({ appends }, { stream, epoch, head }) => ({
      appends: [...appends, { stream, epoch: epoch + 1, records: [seal(head, "x")] }],
    }),
  ],
  [
    "an append of nothing under a lost epoch",
    ({ appends }, { stream, epoch }) => ({
      appends: [...appends, { stream, epoch: epoch + 1, records: [] }],
    }),
  ],
  [
    "a document at another revision",
    ({ documents }) => ({ documents: [...documents, { ...put, expects: 7 }] }),
  ],
  [
    "the removal of a missing document",
    ({ documents }) => ({
      documents: [...documents, { ...document, id: "none", type: "remove", expects: 1 }],
    }),
  ],
  ["a claim that is taken", ({ claims }) => ({ claims: [...claims, { ...claim, type: "take" }] })],
  [
    "an update of a missing claim",
    ({ claims }) => ({ claims: [...claims, { ...claim, key: "none", type: "update" }] }),
  ],
  [
    "the release of another's claim",
    ({ claims }) => ({ claims: [...claims, { ...claim, digest: "other", type: "release" }] }),
  ],
  [
    "an erasure of missing content",
    ({ erasures }) => ({ erasures: [...erasures, { ...erasure, ref: "content_none" }] }),
  ],
];

/** All or nothing. */
export const atomicityCases: readonly StoreCase[] = [
  {
    name: "a unit with parts of every kind is committed whole",
    run: async ({ store }) => {
      const { parts } = await prepare(store);
      await commits(store, { ...unit(parts), durability: "power" });
      const { records, documents, claims } = await everything(store);
      assert.deepStrictEqual(
        records.map(({ text, content }) => [text, content]),
        [
          ["first", [{ ref: "content_one", erased: true }]],
          ["second", []],
        ],
      );
      assert.deepStrictEqual(
        documents.map(({ id, revision }) => [id, revision]),
        [
          ["s", 2],
          ["made", 1],
        ],
      );
      assert.deepStrictEqual(
        claims.map((found) => found?.ref),
        ["moved", "r", undefined],
      );
    },
  },
  ...breaks.map(
    ([what, breakIt]): StoreCase => ({
      name: `all or nothing: ${what}, last in a unit, leaves no part of it`,
      run: async ({ store }) => {
        const { writer, parts } = await prepare(store);
        const before = await everything(store);
        const refused = unit({ ...parts, ...breakIt(parts, writer) });
        assert.equal((await store.commit(refused)).type, "conflict");
        assert.deepStrictEqual(await everything(store), before);
        await commits(store, unit(parts));
      },
    }),
  ),
  ...breaks.map(
    ([what, breakIt]): StoreCase => ({
      name: `all or nothing beside others: ${what} leaves no part of its unit, and all of the others`,
      run: async ({ store }) => {
        const { writer, parts } = await prepare(store);
        const before = await everything(store);
        const broken = breakIt(parts, writer);
        // Alone with its like, what fails may be the first step after the only write.
        const refused = [unit(broken), unit({ ...parts, ...broken })];
        const units = [neighbour("1"), ...refused, neighbour("2")];
        const results = await Promise.all(units.map((one) => store.commit(one)));
        assert.deepStrictEqual(
          results.map(({ type }) => type),
          ["committed", "conflict", "conflict", "committed"],
        );
        assert.deepStrictEqual(await everything(store), before);
        const neighbours = await store.documents({ kind: "neighbour", accountId: account, limit: 9 });
        assert.deepStrictEqual(
          neighbours.map(({ id }) => id),
          ["1", "2"],
        );
        await commits(store, unit(parts));
      },
    }),
  ),
  {
    name: "a conflict tells the head as it stood before the unit",
    run: async ({ store }) => {
      const writer = await writerOf(store);
      const first = seal(writer.head, "first");
      const { stream, epoch } = writer;
      const appends = [
        { stream, epoch, records: [first] },
        { stream, epoch, records: [{ ...seal(first, "second"), prev: noDigest }] },
      ];
      assert.deepStrictEqual(await store.commit(unit({ appends })), headConflict(stream, writer.head));
    },
  },
  {
    name: "a unit of nothing is committed",
    run: async ({ store }) => {
      await commits(store, unit({}), unit({ appends: [], documents: [], claims: [], erasures: [] }));
    },
  },
];
