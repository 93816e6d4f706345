// B22: beside its records a journal keeps where it ends, its seals, the effects nobody knows the end of, and the contracts it
// takes to read it. What is missing or changed there is named with the record it is about, and is nobody's bad input.
import { canonicalJson, type ClaimedCall, type SegmentSeal } from "@spfunctions/contracts";
import { beforeEach, describe, expect, test } from "vitest";
import { collected, type Desk, installation, openDesk } from "../../test-data/call-desk.ts";
import { meet } from "../../test-data/call-journal.ts";
import { FaultyStore } from "../../test-data/call-store.ts";
import { settlement } from "../../test-data/call-waiting.ts";
import { effectKind, journalKind, segmentKind } from "../store/kernel-kinds.ts";
import { type DocumentKey, installationAccount, type StoredDocument } from "../store/store.ts";
import { exportTrace } from "../trace/export-trace.ts";
import { problemsOf, segmentsOf, verifyAccount } from "./verify-account.ts";

const accountId = "acct_1";
const { publicKey } = installation.signer;
let store: FaultyStore;
let streams: [first: string, second: string, third: string];
let effectId = "";
/** Of the tool that the first and the third segment have called, and of the one that the second has. */
let writeDigest = "";
let readDigest = "";

beforeEach(async () => {
  store = new FaultyStore();
  await live(1, async (desk) => {
    await meet(desk, "done", 1);
    await meet(desk, "unknown", 2);
    effectId = (await desk.seat.unknown())[0]?.effectId ?? "";
  });
  await live(2, async (desk) => await meet(desk, "read", 3));
  await live(3, async (desk) => await meet(desk, "done", 4));
  streams = (await collected(segmentsOf(store.inner, accountId))) as typeof streams;
  const desk = openDesk({ store });
  writeDigest =
    desk.deck.tools.find(({ contract }) => contract.name === "notes.write")?.contract.digest ?? "";
  readDigest = desk.deck.tools.find(({ contract }) => contract.name === "notes.read")?.contract.digest ?? "";
});

/** The next process on the same data. */
const nextDesk = () => openDesk({ life: 4, store: new FaultyStore(store.inner) });

async function live(life: number, act: (desk: Desk) => Promise<unknown>): Promise<void> {
  const desk = openDesk({ life, store: new FaultyStore(store.inner) });
  await act(desk);
  await desk.seat.close();
}

const endKey: DocumentKey = { kind: journalKind, accountId, id: journalKind };
const sealKey = (at: 0 | 1 | 2): DocumentKey => ({ kind: segmentKind, accountId, id: streams[at] });
const effectKey = (): DocumentKey => ({ kind: effectKind, accountId, id: effectId });
const contractKey = (id = writeDigest): DocumentKey => ({
  kind: "contract",
  accountId: installationAccount,
  id,
});

async function read({ kind, accountId: account, id }: DocumentKey): Promise<StoredDocument> {
  const document = await store.inner.document({ kind, accountId: account, id });
  if (document === undefined) throw new Error(`there is no ${kind} ${id}`);
  return document;
}

/** A document as somebody with the database open leaves it. */
async function edit(
  key: DocumentKey,
  change: Partial<Pick<StoredDocument, "status" | "body">>,
): Promise<void> {
  const { status, body, revision: expects } = await read(key);
  const write = { type: "put", ...key, expects, status, body, ...change } as const;
  await store.inner.commit({ durability: "process", now: 0, documents: [write] });
}

async function remove(key: DocumentKey): Promise<void> {
  const { revision: expects } = await read(key);
  await store.inner.commit({
    durability: "process",
    now: 0,
    documents: [{ type: "remove", ...key, expects }],
  });
}

/** Changes fields of a body that is an object. */
async function editBody(key: DocumentKey, change: (body: Record<string, unknown>) => unknown): Promise<void> {
  const { body } = await read(key);
  await edit(key, { body: canonicalJson(change(JSON.parse(body) as Record<string, unknown>)) });
}

async function problems(): Promise<string[]> {
  return problemsOf(await verifyAccount(store, accountId, [publicKey]));
}

const endless = "what says how many segments there are is missing or was changed";
const missing = (stream: string) => `${stream}: this segment, or one after it, is missing or was replaced`;
/** What the next segment, if there is one, has to say about one that is not as it was. */
const next = (at: 0 | 1 | 2) => (at === 2 ? [] : [missing(streams[at])]);
const unlisted = () => [`${streams[0]}: record 5 leaves an effect unknown that is not listed any more`];
const lost = (stream: string) => `${stream}: record 2 is under a contract that is missing or was changed`;
const corrupt = { state: "broken", error: { code: "journal_corrupt" } };
const noBody = ["", "{", "null", "7", "[]", "{}", '"x"', '{"segments":3', "\u0000"];

test("the journal that is changed here is whole", async () => {
  expect(await verifyAccount(store, accountId, [publicKey])).toMatchObject({ status: "ok", signed: 3 });
});

test("what nobody reads means nothing: another spelling of the same, a revision, a status that is never asked for", async () => {
  for (const key of [endKey, sealKey(0), sealKey(2), effectKey(), contractKey()]) {
    const { body } = await read(key);
    await edit(key, { body: JSON.stringify(JSON.parse(body), null, 2) });
    await edit(key, { body: ` ${body}` });
  }
  await edit(endKey, { status: "other" });
  await edit(contractKey(), { status: "other" });
  expect(await verifyAccount(store, accountId, [publicKey])).toMatchObject({
    status: "ok",
    missing: [],
    signed: 3,
  });
});

describe("B22: where the journal ends is named when", () => {
  test("it is missing", async () => {
    await remove(endKey);
    expect(await problems()).toStrictEqual([endless]);
  });

  test.each(noBody)("it says %j", async (body) => {
    await edit(endKey, { body });
    expect(await problems()).toStrictEqual([endless]);
  });

  test.each([
    { segments: 0 },
    { segments: "3" },
    { segments: null },
    { last: 7 },
    { last: "x" },
    { more: 1 },
  ])("it says %j", async (changes) => {
    await editBody(endKey, (body) => ({ ...body, ...changes }));
    expect(await problems()).toStrictEqual([endless]);
  });

  test("it counts segments that are not there, or names one that is not", async () => {
    await editBody(endKey, (body) => ({ ...body, segments: 4 }));
    expect(await problems()).toStrictEqual([missing(streams[2])]);
    await editBody(endKey, (body) => ({ ...body, segments: 3, last: "seg_00000000" }));
    expect(await problems()).toStrictEqual([missing("seg_00000000")]);
  });

  test("it counts fewer segments than there are, so that one could go", async () => {
    for (const segments of [1, 2]) {
      await editBody(endKey, (body) => ({ ...body, segments }));
      expect([segments, await problems()]).not.toStrictEqual([segments, []]);
    }
  });

  test("it names an earlier segment as the last, so that the next one would continue that", async () => {
    for (const last of streams.slice(0, 2)) {
      await editBody(endKey, (body) => ({ ...body, last }));
      expect([last, await problems()]).not.toStrictEqual([last, []]);
    }
  });

  test("it was missing when somebody wrote on: no journal is begun anew over what is left of another", async () => {
    await remove(endKey);
    await remove(sealKey(1));
    await remove(sealKey(2));
    const desk = nextDesk();
    await settlement(desk.call({ tool: "notes.write" }));
    await desk.seat.close();
    expect(await problems()).not.toStrictEqual([]);
  });
});

describe("B22: a segment is named when its seal", () => {
  /** How many records each has. */
  const counts = [5, 2, 3] as const;

  describe.each([0, 1, 2] as const)("(of segment %i)", (at) => {
    test("is missing", async () => {
      await remove(sealKey(at));
      expect(await problems()).toStrictEqual([missing(streams[at])]);
    });

    test.each(noBody)("says %j", async (body) => {
      await edit(sealKey(at), { body });
      const line = `${streams[at]}: record ${counts[at]} is under a seal that cannot be read`;
      expect(await problems()).toStrictEqual([line, ...next(at)]);
    });

    test.each<[string, (seal: SegmentSeal) => unknown]>([
      ["has a count in words", (seal) => ({ ...seal, count: `${seal.count}` })],
      ["has no end", (seal) => ({ ...seal, head: undefined })],
      ["has no time", (seal) => ({ ...seal, sealedAt: undefined })],
      ["has a field more", (seal) => ({ ...seal, forged: 1 })],
      ["has half a signature", (seal) => ({ ...seal, signature: { keyId: "x" } })],
    ])("%s", async (_, change) => {
      await editBody(sealKey(at), (seal) => change(seal as unknown as SegmentSeal));
      const line = `${streams[at]}: record ${counts[at]} is under a seal that cannot be read`;
      expect(await problems()).toStrictEqual([line, ...next(at)]);
    });

    test("counts one more, one less, or ends otherwise", async () => {
      const stream = streams[at];
      const count = counts[at];
      await editBody(sealKey(at), (seal) => ({ ...seal, count: count + 1 }));
      expect(await problems()).toStrictEqual([
        `${stream}: record ${count + 1} is missing, as is everything after it; the seal counts ${count + 1} records`,
        ...next(at),
      ]);
      await editBody(sealKey(at), (seal) => ({ ...seal, count: count - 1 }));
      expect(await problems()).toStrictEqual([
        `${stream}: record ${count} was added after the seal`,
        ...next(at),
      ]);
      await editBody(sealKey(at), (seal) => ({ ...seal, count, head: writeDigest }));
      expect(await problems()).toStrictEqual([
        `${stream}: record ${count} is not the one that was sealed`,
        ...next(at),
      ]);
    });
  });

  test("is taken away: a sealed one that the next has named is missing, and the last one is open and never ok", async () => {
    for (const at of [0, 1] as const) {
      await edit(sealKey(at), { status: "open" });
      expect(await problems()).toStrictEqual([missing(streams[at])]);
      await edit(sealKey(at), { status: "sealed" });
    }
    await edit(sealKey(2), { status: "open" });
    expect(await verifyAccount(store, accountId, [publicKey])).toMatchObject({ status: "open", signed: 2 });
  });

  test("is neither there nor still to come, so that nobody would ever settle what is in it", async () => {
    await edit(sealKey(2), { status: "gone" });
    expect(await problems()).not.toStrictEqual([]);
  });
});

describe("X1: an effect that nobody knows the end of is named when it", () => {
  test("is not listed any more", async () => {
    await remove(effectKey());
    expect(await problems()).toStrictEqual(unlisted());
  });

  test("is listed for another account", async () => {
    const { status, body } = await read(effectKey());
    await remove(effectKey());
    const write = { type: "put", ...effectKey(), accountId: "acct_2", expects: 0, status, body } as const;
    await store.inner.commit({ durability: "process", now: 0, documents: [write] });
    expect(await problems()).toStrictEqual(unlisted());
  });

  test("is no longer named once somebody has decided about it, whatever becomes of the list", async () => {
    const desk = nextDesk();
    await desk.seat.resolve(effectId, { status: "failed", note: "it is not there" });
    await desk.seat.close();
    await remove(effectKey());
    expect(await problems()).toStrictEqual([]);
  });

  test("is listed as something that nobody has decided", async () => {
    for (const status of ["resolved", "gone", ""]) {
      await edit(effectKey(), { status });
      expect([status, await problems()]).toStrictEqual([status, unlisted()]);
    }
  });

  test("is listed as what nobody can read", async () => {
    for (const body of noBody) {
      await edit(effectKey(), { body });
      expect([body, await problems()]).toStrictEqual([body, unlisted()]);
    }
  });

  test("is listed as another one, so that a decision about it would be about that", async () => {
    const { body } = await read(effectKey());
    for (const changes of [
      { callId: "call_00000000" },
      { runId: "run_00000000" },
      { stream: "seg_00000000" },
      { tool: "notes.put" },
      { idempotencyKey: "another" },
      { effectId: "eff_00000000" },
    ]) {
      await edit(effectKey(), { body: canonicalJson({ ...(JSON.parse(body) as object), ...changes }) });
      expect([changes, await problems()]).toStrictEqual([changes, unlisted()]);
    }
  });
});

describe("a contract is named by the first record that is under it when it", () => {
  test("is missing", async () => {
    await remove(contractKey());
    expect(await problems()).toStrictEqual([lost(streams[0]), lost(streams[2])]);
    await remove(contractKey(readDigest));
    expect(await problems()).toStrictEqual(streams.map(lost));
  });

  test.each(noBody)("says %j", async (body) => {
    await edit(contractKey(), { body });
    expect(await problems()).toStrictEqual([lost(streams[0]), lost(streams[2])]);
  });

  test.each([
    { sideEffect: "none" },
    { idempotency: { type: "natural" } },
    { replay: { replayable: false, match: "tool+inputHash" } },
    { description: "Does nothing at all." },
    { forged: 1 },
  ])("was changed: %j", async (changes) => {
    await editBody(contractKey(), (body) => ({ ...body, ...changes }));
    expect(await problems()).toStrictEqual([lost(streams[0]), lost(streams[2])]);
  });

  test("says another digest than its own, which no trace with it would survive", async () => {
    await editBody(contractKey(), (body) => ({ ...body, digest: readDigest }));
    expect(await problems()).toStrictEqual([lost(streams[0]), lost(streams[2])]);
  });

  test("lies under another's digest, and the other under its own", async () => {
    const [one, other] = [await read(contractKey()), await read(contractKey(readDigest))];
    await edit(contractKey(), { body: other.body });
    await edit(contractKey(readDigest), { body: one.body });
    expect(await problems()).toStrictEqual(streams.map(lost));
  });
});

describe("B22: what cannot be read stops whoever needs it, and is a corrupt journal:", () => {
  test.each(noBody)("a call, where the journal's end says %j", async (body) => {
    await edit(endKey, { body });
    const desk = nextDesk();
    expect(await settlement(desk.call({ tool: "notes.write" }))).toMatchObject(corrupt);
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test.each(noBody)("a call, where the last seal says %j", async (body) => {
    await edit(sealKey(2), { body });
    const desk = nextDesk();
    expect(await settlement(desk.call({ tool: "notes.write" }))).toMatchObject(corrupt);
    expect(desk.deck.runs).toStrictEqual([]);
  });

  test.each(noBody)("the list of unknown effects, and a decision, where one says %j", async (body) => {
    await edit(effectKey(), { body });
    expect(await settlement(nextDesk().seat.unknown())).toMatchObject(corrupt);
    const decision = { status: "failed", note: "it is not there" } as const;
    expect(await settlement(nextDesk().seat.resolve(effectId, decision))).toMatchObject(corrupt);
  });

  test.each(noBody)("a trace, where the seal says %j", async (body) => {
    await edit(sealKey(0), { body });
    expect(await settlement(collected(exportTrace(store, accountId, streams[0])))).toMatchObject(corrupt);
  });

  test("a trace, where a contract cannot be read", async () => {
    for (const body of noBody) {
      await edit(contractKey(), { body });
      const trace = await settlement(collected(exportTrace(store, accountId, streams[0])));
      expect([body, trace]).toMatchObject([body, corrupt]);
    }
  });

  test("a trace, where a contract is missing", async () => {
    await remove(contractKey());
    expect(await settlement(collected(exportTrace(store, accountId, streams[0])))).toMatchObject(corrupt);
  });

  describe("a key that comes again, where what is kept of it", () => {
    const request = { tool: "notes.write", input: { n: 1 }, idempotencyKey: "k" };
    const key = { accountId, scope: "call:notes.write", key: "k" };

    /** Writes what is kept of the key anew, and comes again with it. */
    async function again(change: (ref: ClaimedCall) => unknown): Promise<unknown> {
      const desk = nextDesk();
      await desk.call(request);
      const claim = await store.inner.claim(key, 0);
      if (claim === undefined) throw new Error("there is no claim");
      const ref = change(JSON.parse(claim.ref) as ClaimedCall);
      const write = {
        ...claim,
        type: "update",
        ref: typeof ref === "string" ? ref : canonicalJson(ref),
      } as const;
      await store.inner.commit({ durability: "process", now: 0, claims: [write] });
      const answer = await settlement(desk.call(request));
      expect(desk.deck.runs).toHaveLength(1);
      return answer;
    }

    test.each(noBody)("says %j", async (body) => {
      expect(await again(() => body)).toMatchObject(corrupt);
    });

    test.each<[string, (records: NonNullable<ClaimedCall["records"]>) => unknown]>([
      ["are none", () => []],
      ["are of other hashes", (records) => records.map((one) => ({ ...one, hash: writeDigest }))],
      ["are of another segment", (records) => records.map((one) => ({ ...one, stream: streams[0] }))],
      ["are those of the next ones", (records) => records.map((one) => ({ ...one, seq: one.seq + 1 }))],
    ])("names records that %s", async (_, change) => {
      expect(
        await again(({ records = [], ...rest }) => ({ ...rest, records: change(records) })),
      ).toMatchObject(corrupt);
    });

    test.each<[string, (records: NonNullable<ClaimedCall["records"]>) => unknown]>([
      ["in another order", (records) => records.toReversed()],
      ["without the first", (records) => records.slice(1)],
      ["one of them twice", (records) => [...records, ...records.slice(1)]],
    ])("names its records %s", async (_, change) => {
      expect(
        await again(({ records = [], ...rest }) => ({ ...rest, records: change(records) })),
      ).toMatchObject(corrupt);
    });
  });

  test("erasing a call, where a record of it cannot be read", async () => {
    const desk = nextDesk();
    const [callId] = (await desk.records()).flatMap((record) => ("callId" in record ? [record.callId] : []));
    desk.store.tamper = (rows, { stream }) =>
      stream === streams[0] ? rows.map((row) => ({ ...row, text: row.text.slice(0, -1) })) : rows;
    expect(await settlement(desk.seat.erase(callId ?? ""))).toMatchObject(corrupt);
  });
});
