// J3: one writer keeps one unbroken chain and tells everybody who writes through it the truth, whatever the store does.
import { type ContentRef, type Digest, hashText } from "@spfunctions/contracts";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../test-data/call-clock.ts";
import { type Fault, FaultyStore } from "../../test-data/call-store.ts";
import { gate, settlement, turn } from "../../test-data/call-waiting.ts";
import { draftContent, draftRecord } from "./record-draft.ts";
import { genesisOf, sealRecord } from "./seal.ts";
import { type Draft, StreamWriter, type Written } from "./stream-writer.ts";

const stream = "seg_00000000";
const accountId = "acct_1";

async function openWriter(store: FaultyStore): Promise<StreamWriter> {
  const lease = await store.lease(stream, accountId, genesisOf(stream, accountId));
  if (lease.type !== "leased") throw new Error("it is held");
  return new StreamWriter(store, new ManualClock(), {
    stream,
    accountId,
    epoch: lease.epoch,
    head: lease.head,
  });
}

/** A draft that can be told from every other one, of one record or more. */
function draftOf(name: string, count = 1, more: Partial<Draft> = {}): Draft {
  const records = Array.from({ length: count }, (_, index) => {
    const words = draftContent(`content_${name}-${index}` as ContentRef, "salt", name);
    return draftRecord(
      "call.withheld",
      { error: { code: "internal", message: words.digest } },
      {
        content: [words.row],
      },
    );
  });
  return { durability: "process", records, ...more };
}

type Kept = { readonly names: string[]; readonly problems: string[] };

/** The names of the drafts in the stream, and what is wrong with its chain. */
async function keptIn(store: FaultyStore): Promise<Kept> {
  const records = await store.inner.readStream({ stream, accountId, limit: 10_000 });
  const problems: string[] = [];
  let prev: Digest = genesisOf(stream, accountId);
  for (const [index, record] of records.entries()) {
    const said = JSON.parse(record.text) as { seq: number; prev: string };
    if (said.seq !== index + 1 || record.seq !== index + 1) problems.push(`${index + 1} has another number`);
    if (said.prev !== prev) problems.push(`${index + 1} does not continue the one before`);
    if (hashText(record.text) !== record.hash) problems.push(`${index + 1} has another hash`);
    prev = record.hash;
  }
  const names = records.map(({ content: [row] }) => (row !== undefined && "text" in row ? row.text : "?"));
  return { names, problems };
}

const claimConflict = { type: "conflict", on: "claim", key: { accountId, scope: "s", key: "k" } } as const;

describe("a writer", () => {
  test("does not wait for one record to seal the next", async () => {
    const store = new FaultyStore();
    const writer = await openWriter(store);
    const held = gate();
    store.fault = () => ({ type: "wait", for: held.promise });
    const writes = ["a", "b", "c"].map(async (name) => await writer.write(draftOf(name)));
    await turn();
    expect(store.units).toHaveLength(3);
    held.resolve();
    expect((await Promise.all(writes)).map(({ type }) => type)).toStrictEqual([
      "written",
      "written",
      "written",
    ]);
    expect(await keptIn(store)).toStrictEqual({ names: ["a", "b", "c"], problems: [] });
    expect(writer.head.seq).toBe(3);
  });

  test("seals again what was sealed upon a record that was not accepted", async () => {
    const store = new FaultyStore();
    const writer = await openWriter(store);
    store.failNext({ type: "conflict", conflict: claimConflict });
    const writes = ["a", "b", "c"].map(async (name) => await writer.write(draftOf(name)));
    expect((await Promise.all(writes)).map(({ type }) => type)).toStrictEqual([
      "conflict",
      "written",
      "written",
    ]);
    expect(await keptIn(store)).toStrictEqual({ names: ["b", "c"], problems: [] });
  });

  test("that has lost its lease writes nothing more, and says so", async () => {
    const store = new FaultyStore();
    const writer = await openWriter(store);
    await store.inner.release(stream, writer.epoch);
    await store.inner.lease(stream, accountId, genesisOf(stream, accountId));
    for (const name of ["a", "b"]) {
      expect(await settlement(writer.write(draftOf(name)))).toMatchObject({ error: { code: "lease_lost" } });
    }
    expect(await keptIn(store)).toStrictEqual({ names: [], problems: [] });
  });

  test("finds records that it did not write, and goes no further (B22)", async () => {
    const store = new FaultyStore();
    const writer = await openWriter(store);
    await writer.write(draftOf("a"));
    const other = new StreamWriter(store.inner, new ManualClock(), {
      stream,
      accountId,
      epoch: writer.epoch,
      head: writer.head,
    });
    await other.write(draftOf("smuggled in"));
    expect(await settlement(writer.write(draftOf("b")))).toMatchObject({
      error: { code: "journal_corrupt", details: { seq: 2, reason: "changed_underneath" } },
    });
  });

  test("that can neither write nor read says so, and goes on where the stream ends once it can", async () => {
    const store = new FaultyStore();
    const writer = await openWriter(store);
    store.failNext({ type: "lost" });
    store.beforeRead = () => {
      throw new Error("no");
    };
    const code = { error: { code: "journal_append_failed" } };
    expect(await settlement(writer.write(draftOf("a")))).toMatchObject(code);
    expect(await settlement(writer.write(draftOf("b")))).toMatchObject(code);
    store.beforeRead = () => {};
    expect(await settlement(writer.write(draftOf("c")))).toMatchObject({ value: { type: "written" } });
    expect(await keptIn(store)).toStrictEqual({ names: ["a", "c"], problems: [] });
  });
});

/** What a store may do to a commit, and how many turns it takes. */
const anyDeed = fc.record({
  type: fc.constantFrom("ok", "ok", "ok", "conflict", "throw", "lost"),
  turns: fc.nat(3),
});
/** Who writes: after how many turns, how many records, one after the other or not waiting. */
const anyWrite = fc.record({ turns: fc.nat(4), count: fc.integer({ min: 1, max: 3 }) });

type Deeds = (typeof anyDeed extends fc.Arbitrary<infer Deed> ? Deed : never)[];
type Writes = (typeof anyWrite extends fc.Arbitrary<infer Write> ? Write : never)[];

async function turns(count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    await turn();
  }
}

/** A store that takes its time before and after a commit, by a script. */
class SlowStore extends FaultyStore {
  readonly #script: readonly { readonly type: string; readonly turns: number }[];
  #at = 0;
  isWell = false;

  constructor(script: readonly { readonly type: string; readonly turns: number }[]) {
    super();
    this.#script = script;
  }

  override async commit(unit: Parameters<FaultyStore["commit"]>[0]) {
    const scripted = this.isWell ? undefined : this.#script[this.#at++ % this.#script.length];
    const deed = scripted ?? { type: "ok", turns: 0 };
    const faults: Readonly<Record<string, Fault | undefined>> = {
      conflict: { type: "conflict", conflict: claimConflict },
      throw: { type: "throw" },
      lost: { type: "lost" },
    };
    this.fault = () => faults[deed.type];
    // In order, as a store with one connection does it; only the answers take their time.
    const answer = super.commit(unit).then(
      (value) => () => value,
      (error: unknown) => () => {
        throw error;
      },
    );
    await turns(deed.turns);
    return (await answer)();
  }
}

test("one unbroken chain, and the truth for each writer, under any interleaving (J3)", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyDeed, { minLength: 1, maxLength: 8 }),
      fc.array(anyWrite, { minLength: 1, maxLength: 10 }),
      async (script, writes) => {
        const store = new SlowStore(script);
        const writer = await openWriter(store);
        const told = await Promise.all(
          writes.map(async ({ turns: wait, count }, index) => {
            await turns(wait);
            const result = await settlement(writer.write(draftOf(`w${index}`, count)));
            return { name: `w${index}`, count, result };
          }),
        );
        const { names, problems } = await keptIn(store);
        expect(problems).toStrictEqual([]);
        for (const { name, count, result } of told) {
          const isWritten = result.state === "kept" && (result.value as Written).type === "written";
          expect(result.state).not.toBe("pending");
          expect(result).not.toMatchObject({ error: { code: "journal_corrupt" } });
          expect(names.filter((one) => one === name)).toHaveLength(isWritten ? count : 0);
        }
        await Promise.all(
          told.flatMap(({ result }) =>
            result.state === "kept" ? [expectPlaced(store, result.value as Written)] : [],
          ),
        );
      },
    ),
    { numRuns: 120 },
  );
});

/** A draft in doubt is looked for while others fail: what was the end before looking is not the end after it. */
const raced: [Deeds, boolean[], Writes] = [
  [
    { type: "throw", turns: 0 },
    { type: "ok", turns: 1 },
    { type: "throw", turns: 1 },
    { type: "lost", turns: 0 },
  ],
  [false, true],
  [0, 0, 3, 1, 2, 2].map((wait) => ({ turns: wait, count: 1 })),
];

test("a draft that is tried until it is written stands once, also where the store could not say before (J2)", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyDeed, { minLength: 1, maxLength: 8 }),
      fc.array(fc.boolean(), { minLength: 1, maxLength: 8 }),
      fc.array(anyWrite, { minLength: 1, maxLength: 6 }),
      async (script, reads, writes) => {
        const store = new SlowStore(script.filter(({ type }) => type !== "conflict"));
        const writer = await openWriter(store);
        let read = 0;
        store.beforeRead = () => {
          // In time every store recovers.
          if (read < 40 && reads[read++ % reads.length] === true) throw new Error("the disk does not answer");
        };
        await Promise.all(
          writes.map(async ({ turns: wait, count }, index) => {
            const draft = draftOf(`w${index}`, count);
            await turns(wait);
            await untilWritten(writer, draft, store);
          }),
        );
        const { names, problems } = await keptIn(store);
        expect(problems).toStrictEqual([]);
        const wanted = writes.flatMap(({ count }, index) => Array.from({ length: count }, () => `w${index}`));
        expect(names.toSorted()).toStrictEqual(wanted.toSorted());
        expect([writer.isDoubtful, writer.head.seq]).toStrictEqual([false, wanted.length]);
      },
    ),
    { numRuns: 120, examples: [raced] },
  );
});

/** The same draft again and again; after many attempts the store is well. */
async function untilWritten(writer: StreamWriter, draft: Draft, store: SlowStore): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    if (attempt === 20) store.isWell = true;
    const told = await writer.write(draft).catch(notCorrupt);
    if (told?.type === "written") return;
  }
}

/** A store that fails is no reason to call a journal corrupt. */
function notCorrupt(error: unknown): undefined {
  expect(error).not.toMatchObject({ code: "journal_corrupt" });
}

/** What a writer was told is what is there: the same records, at the same places. */
async function expectPlaced(store: FaultyStore, written: Written): Promise<void> {
  if (written.type !== "written") return;
  const kept = await store.inner.readStream({ stream, accountId, limit: 10_000 });
  for (const { seq, hash, text } of written.records) expect(kept[seq - 1]).toMatchObject({ seq, hash, text });
}

describe("what was sealed before it is written", () => {
  function sealedOn(writer: StreamWriter, name: string): Draft {
    const draft = draftOf(name, 2);
    const [first] = draft.records;
    if (first === undefined) throw new Error("a draft has records");
    return { ...draft, sealed: [sealRecord(writer.head, first, "2026-01-02T03:04:05.000Z")] };
  }

  test("is written as it was sealed, and the others upon it", async () => {
    const store = new FaultyStore();
    const writer = await openWriter(store);
    const draft = sealedOn(writer, "aaaaaaaa");
    const written = await writer.write(draft);
    expect(written).toMatchObject({
      type: "written",
      records: [{ hash: draft.sealed?.[0]?.hash }, { seq: 2 }],
    });
    expect(await keptIn(store)).toStrictEqual({ names: ["aaaaaaaa", "aaaaaaaa"], problems: [] });
  });

  test("upon an end that is no more is not written, nor anything beside it", async () => {
    const store = new FaultyStore();
    const writer = await openWriter(store);
    const draft = sealedOn(writer, "aaaaaaaa");
    await writer.write(draftOf("bbbbbbbb"));
    expect(await settlement(writer.write(draft))).toMatchObject({
      state: "broken",
      error: { code: "journal_corrupt", details: { reason: "changed_underneath" } },
    });
    await writer.write(draftOf("cccccccc"));
    expect(await keptIn(store)).toStrictEqual({ names: ["bbbbbbbb", "cccccccc"], problems: [] });
  });
});

test("what may be forgotten is kept in memory up to a bound: then the next is asked to keep everything before it", async () => {
  const store = new FaultyStore();
  store.lasts = () => true;
  const writer = await openWriter(store);
  for (let at = 0; at < 12; at += 1) await writer.write(draftOf("x".repeat(10_000)));
  const fourTimes = Array<string>(4).fill("process");
  expect(store.units.map(({ durability }) => durability)).toStrictEqual([
    ...fourTimes,
    "power",
    ...fourTimes,
    "power",
    "process",
    "process",
  ]);
});
