// B22: what lies in a store about an idempotency key is looked at before it is believed. Whoever comes with a key gets the answer of
// its own call, or is told that the journal is not what was written.
import { type ClaimedCall, canonicalJson, claimedCallSchema, parseJsonStrict } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { codeOf, type Desk, openDesk, outputOf, principalOf } from "../../test-data/call-desk.ts";
import { FaultyStore } from "../../test-data/call-store.ts";
import { settlement } from "../../test-data/call-waiting.ts";
import { claimKey } from "./claims.ts";
import type { CallRequest } from "./call-host.ts";

const own = { tool: "notes.write", input: { n: 1 }, idempotencyKey: "own" };

/** Calls of every kind that a claim could be made to point to. */
const others: Readonly<Record<string, CallRequest>> = {
  "another call of the tool": { ...own, input: { n: 2 }, idempotencyKey: "another" },
  "another key with the same input": { ...own, idempotencyKey: "same-input" },
  "another tool with the same key and input": { ...own, tool: "notes.put" },
  "another tool with another key": { ...own, tool: "notes.put", idempotencyKey: "another" },
};

async function claimOf({ store, clock }: Desk, request: CallRequest) {
  const key = claimKey("acct_1", request.tool, request.idempotencyKey ?? "");
  const claim = await store.inner.claim(key, clock.now());
  if (claim === undefined) throw new Error("there is no such claim");
  const ref = claimedCallSchema.parse(parseJsonStrict(claim.ref));
  return { claim, ref };
}

async function rewrite(desk: Desk, request: CallRequest, ref: string): Promise<void> {
  const { claim } = await claimOf(desk, request);
  const now = desk.clock.now();
  await desk.store.inner.commit({ durability: "process", now, claims: [{ ...claim, type: "update", ref }] });
}

/** As somebody would who keeps what the digest was made with. */
async function repoint(desk: Desk, { callId, records }: Omit<ClaimedCall, "salt">): Promise<void> {
  const { salt } = (await claimOf(desk, own)).ref;
  await rewrite(desk, own, JSON.stringify({ callId, records, salt }));
}

/** A desk on which `own` and, if it is said, another call have ended. */
async function served(other?: CallRequest): Promise<Desk> {
  const desk = openDesk({ deed: (input, _context, tool) => ({ tool, input }) });
  await desk.call(own);
  if (other !== undefined) await desk.call(other);
  return desk;
}

/** What somebody is told who comes with the key, and whether anything ran for it. */
async function toldBy(desk: Desk, request: CallRequest = own) {
  const before = desk.deck.runs.length;
  const { state, error } = { error: undefined, ...(await settlement(desk.call(request))) };
  const { code } = (error ?? {}) as { code?: unknown };
  return { state, code, ran: desk.deck.runs.length - before };
}

const corrupt = { state: "broken", code: "journal_corrupt", ran: 0 };

describe("a claim that was made to point to", () => {
  test.each(Object.entries(others))("%s is corrupt", async (_, other) => {
    const desk = await served(other);
    const { ref } = await claimOf(desk, other);
    await repoint(desk, ref);
    expect(await toldBy(desk)).toStrictEqual(corrupt);
    expect(outputOf(await desk.call(other))).toStrictEqual({ tool: other.tool, input: other.input });
  });

  test.each(Object.entries(others))("the records of %s, under its own name, is corrupt", async (_, other) => {
    const desk = await served(other);
    const { records } = (await claimOf(desk, other)).ref;
    const { callId } = (await claimOf(desk, own)).ref;
    await repoint(desk, { callId, records });
    expect(await toldBy(desk)).toStrictEqual(corrupt);
  });

  test("the name of another call, with its own records, is corrupt", async () => {
    const other = { ...own, idempotencyKey: "another" };
    const desk = await served(other);
    const { callId } = (await claimOf(desk, other)).ref;
    const { records } = (await claimOf(desk, own)).ref;
    await repoint(desk, { callId, records });
    expect(await toldBy(desk)).toStrictEqual(corrupt);
  });

  test("a read, a refusal or a repeated call is corrupt", async () => {
    const desk = await served();
    await desk.call({ tool: "notes.read", input: { n: 1 } });
    await desk.call({ tool: "notes.unheard" });
    await desk.call(own);
    const stored = await desk.store.inner.readStream({
      stream: desk.seat.segments[0] ?? "",
      accountId: "acct_1",
      from: 4,
      limit: 9,
    });
    expect(stored).toHaveLength(3);
    for (const { text, seq, hash } of stored) {
      const { callId } = JSON.parse(text) as Pick<ClaimedCall, "callId">;
      const records = [{ stream: desk.seat.segments[0] ?? "", seq, hash }];
      await repoint(desk, { callId, records });
      expect(await toldBy(desk)).toStrictEqual(corrupt);
    }
  });

  test("the same call of another account is corrupt (I1)", async () => {
    const desk = await served();
    const theirs = openDesk({
      deck: desk.deck,
      store: new FaultyStore(desk.store.inner),
      life: 2,
      principal: principalOf("acct_2"),
    });
    await theirs.call(own);
    const key = { ...claimKey("acct_2", own.tool, own.idempotencyKey) };
    const foreign = await desk.store.inner.claim(key, desk.clock.now());
    await repoint(desk, claimedCallSchema.parse(parseJsonStrict(foreign?.ref ?? "")));
    expect(await toldBy(desk)).toStrictEqual(corrupt);
  });
});

test("a claim with the salt of another, or with none, is for something else, and nothing runs by it", async () => {
  const other = { ...own, idempotencyKey: "another" };
  const desk = await served(other);
  const { salt: _, ...bare } = (await claimOf(desk, own)).ref;
  for (const ref of [(await claimOf(desk, other)).ref, bare]) {
    await rewrite(desk, own, canonicalJson(ref));
    const before = desk.deck.runs.length;
    expect(codeOf(await desk.call(own))).toBe("idempotency_conflict");
    expect(desk.deck.runs).toHaveLength(before);
  }
});

describe("a claim that is no claim is corrupt:", () => {
  const texts = [
    "",
    "{",
    "null",
    "[]",
    "{}",
    "7",
    '"call_x"',
    '{"callId":7}',
    '{"callId":"call_00000001","more":1}',
  ];
  test.each(texts)("%j", async (ref) => {
    const desk = await served();
    await rewrite(desk, own, ref);
    expect(await toldBy(desk)).toStrictEqual(corrupt);
  });

  test.each<[string, (records: NonNullable<ClaimedCall["records"]>) => unknown]>([
    ["no records", () => []],
    ["a record that is not there", ([first]) => [{ ...first, seq: 99 }]],
    ["a record with another hash", ([first, second]) => [{ ...first, hash: second?.hash }, second]],
    ["a record of a segment that is none", ([first]) => [{ ...first, stream: "seg_00000000" }]],
    ["its records the other way round", (records) => records.toReversed()],
    ["its end alone", (records) => records.slice(1)],
    ["its end twice", (records) => [...records, ...records.slice(1)]],
  ])("with %s", async (_, change) => {
    const desk = await served();
    const { callId, records = [] } = (await claimOf(desk, own)).ref;
    await repoint(desk, { callId, records: change(records) as typeof records });
    expect(await toldBy(desk)).toStrictEqual(corrupt);
  });
});

test("a claim as it was written answers", async () => {
  const desk = await served();
  const { ref } = await claimOf(desk, own);
  await rewrite(desk, own, canonicalJson(ref));
  expect(outputOf(await desk.call(own))).toStrictEqual({ tool: own.tool, input: own.input });
});
