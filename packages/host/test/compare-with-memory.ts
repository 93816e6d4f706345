// Whatever is asked of both, in whatever order and company: a store answers as the memory store does.
import { hashText } from "@spfunctions/contracts";
import { createMemoryStore, type Head, type SealedRecord, type Store, type Unit } from "@spfunctions/kernel";
import * as fc from "fast-check";
import { expect } from "vitest";
import { inTurn } from "./in-turn.ts";

const genesis = hashText("the beginning");
const streams = ["s", "t"];
const accounts = ["a", "b"];
const keys = ["k", "l", "m", "n"];
const ids = ["i", "\u{1D11E}", "\uFFFD"];

const stream = fc.constantFrom(...streams);
const accountId = fc.constantFrom(...accounts);
/** The first most of the time, so that many units are committed, and each of the others now and then. */
const mostly = <Value>(first: Value, ...others: Value[]) =>
  fc.oneof(
    { weight: 9, arbitrary: fc.constant(first) },
    { weight: 1, arbitrary: fc.constantFrom(...others) },
  );
const small = fc.integer({ min: 0, max: 3 });
/** How many records to take back before going on, and what is wrong with the last one. */
const record = fc.record({
  stream,
  epochOff: mostly(0, 1),
  again: small,
  count: fc.integer({ min: 0, max: 3 }),
  flaw: mostly<"none" | "prev" | "seq" | "text">("none", "prev", "seq", "text"),
  rows: fc.integer({ min: 0, max: 2 }),
});
const document = fc.record({
  type: mostly<"put" | "keep" | "remove">("put", "keep", "remove"),
  kind: fc.constantFrom("k", "l"),
  accountId,
  id: fc.constantFrom(...ids),
  expects: mostly(0, 1, 2),
  status: fc.constantFrom("open", "closed"),
  body: fc.string({ maxLength: 5 }),
});
const claim = fc.record({
  type: mostly<"take" | "update" | "release">("take", "update", "release"),
  accountId,
  scope: fc.constant("scope"),
  key: fc.constantFrom(...keys),
  digest: fc.constantFrom("d", "e"),
  expiresAt: fc.integer({ min: 0, max: 10 }),
  ref: fc.string({ maxLength: 3 }),
});
const erasure = fc.record({ stream, accountId, seq: small, ref: fc.constantFrom("content_0", "content_1") });
const plan = fc.record({
  durability: fc.constantFrom("power" as const, "process" as const),
  now: fc.integer({ min: 0, max: 10 }),
  appends: fc.array(record, { maxLength: 2 }),
  documents: fc.array(document, { maxLength: 2 }),
  claims: fc.array(claim, { maxLength: 1 }),
  erasures: fc.oneof({ weight: 5, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: fc.tuple(erasure) }),
});
const move = fc.oneof(
  { weight: 5, arbitrary: fc.array(plan, { minLength: 1, maxLength: 4 }).map((plans) => ({ plans })) },
  { weight: 2, arbitrary: fc.record({ lease: stream, accountId }) },
  { weight: 1, arbitrary: fc.record({ release: stream, epoch: small }) },
);
type Move = typeof move extends fc.Arbitrary<infer Value> ? Value : never;
type Plan = Extract<Move, { plans: unknown }>["plans"][number];

/** What the writer of both stores knows: the epochs that it was given, and the records that it sealed. */
type Writer = { readonly epochs: Map<string, number>; readonly sealed: Map<string, SealedRecord[]> };

function recordsFor(writer: Writer, wanted: Plan["appends"][number]): SealedRecord[] {
  const known = writer.sealed.get(wanted.stream) ?? [];
  const records = known.slice(Math.max(0, known.length - wanted.again));
  for (let made = 0; made < wanted.count; made += 1) {
    const head: Head = known.at(-1) ?? { seq: 0, hash: genesis };
    const text = `${wanted.stream} ${head.seq + 1}`;
    const content = Array.from({ length: wanted.rows }, (_, at) => ({
      ref: `content_${at}`,
      salt: "s",
      text,
    }));
    const next = {
      seq: head.seq + 1,
      prev: head.hash,
      hash: hashText(head.hash + text),
      text,
      content: content as never,
    };
    known.push(next);
    records.push(next);
  }
  writer.sealed.set(wanted.stream, known);
  const last = records.pop();
  if (last === undefined) return [];
  const flawed = { prev: { prev: genesis }, seq: { seq: last.seq + 1 }, text: { text: "other" }, none: {} };
  return [...records, { ...last, ...flawed[wanted.flaw] }];
}

function unitFor(writer: Writer, { appends, ...rest }: Plan): Unit {
  return {
    ...rest,
    appends: appends.map((wanted) => ({
      stream: wanted.stream,
      epoch: (writer.epochs.get(wanted.stream) ?? 0) + wanted.epochOff,
      records: recordsFor(writer, wanted),
    })),
  };
}

async function everythingIn(store: Store): Promise<unknown> {
  const pairs = accounts.flatMap((account) => streams.map((name) => ({ stream: name, accountId: account })));
  return {
    records: await Promise.all(pairs.map((pair) => store.readStream({ ...pair, limit: 1_000 }))),
    documents: await Promise.all(
      accounts.flatMap((account) =>
        ["k", "l"].flatMap((kind) => [
          store.documents({ kind, accountId: account, limit: 9 }),
          store.documents({ kind, accountId: account, status: "open", after: "i", limit: 1 }),
          store.documentsById(kind, account, ids),
        ]),
      ),
    ),
    accounts: await store.accountsWith("k", "open"),
    claims: await Promise.all(
      accounts.flatMap((account) =>
        keys.map((key) => store.claim({ accountId: account, scope: "scope", key }, 5)),
      ),
    ),
  };
}

/** Opens a fresh store for each run, and closes it. */
export async function compareWithMemory(open: () => Promise<Store>, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 12 }), async (moves) => {
      const [memory, tried] = [createMemoryStore(), await open()];
      const both = async <Value>(act: (store: Store) => Promise<Value>): Promise<Value> => {
        const expected = await act(memory);
        expect(await act(tried)).toStrictEqual(expected);
        return expected;
      };
      const writer: Writer = { epochs: new Map(), sealed: new Map() };
      const first = streams.map((name, at) => ({ lease: name, accountId: accounts[at] ?? "" }));
      await inTurn([...first, ...moves], async (one) => {
        if ("release" in one) return both((store) => store.release(one.release, one.epoch));
        if ("lease" in one) {
          const result = await both((store) => store.lease(one.lease, one.accountId, genesis));
          if (result.type === "leased") writer.epochs.set(one.lease, result.epoch);
          return result;
        }
        const units = one.plans.map((each) => unitFor(writer, each));
        await both((store) => Promise.all(units.map((unit) => store.commit(unit))));
        // What was refused was never there; the writer goes on from what is.
        await inTurn(streams, async (name) => {
          const kept = await Promise.all(
            accounts.map((account) => memory.readStream({ stream: name, accountId: account, limit: 1_000 })),
          );
          writer.sealed.set(
            name,
            writer.sealed.get(name)?.slice(0, Math.max(...kept.map(({ length }) => length))) ?? [],
          );
        });
        return undefined;
      });
      await both(everythingIn);
      await tried.close();
    }),
    { numRuns },
  );
}
