// What a key was used for is erased with its call: whoever holds the store cannot find the input again by guessing, and nothing runs
// by the key a second time.
import {
  canonicalJson,
  type ClaimedCall,
  claimedCallSchema,
  hashInput,
  hashText,
  parseJsonStrict,
} from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import {
  codeOf,
  type Desk,
  type DeskOptions,
  kindsOf,
  openDesk,
  outputOf,
  reopenDesk,
} from "../../test-data/call-desk.ts";
import { atFirst, FaultyStore } from "../../test-data/call-store.ts";
import { until } from "../../test-data/call-waiting.ts";
import type { Claim } from "../store/store.ts";
import { contentDigest } from "../journal/record-draft.ts";
import { claimKey } from "./claims.ts";

const unlock = { tool: "notes.write", input: { pin: 4711 }, idempotencyKey: "unlock-1" };
const key = claimKey("acct_1", unlock.tool, unlock.idempotencyKey);

async function keptOf({ store }: Desk): Promise<{ readonly claim: Claim; readonly ref: ClaimedCall }> {
  // Also where it has run out.
  const claim = await store.inner.claim(key, 0);
  if (claim === undefined) throw new Error("there is no claim");
  return { claim, ref: claimedIn(claim) };
}

function claimedIn(claim: Claim | undefined): ClaimedCall {
  return claimedCallSchema.parse(parseJsonStrict(claim?.ref ?? ""));
}

function toolDigestOf({ deck }: Desk): string {
  return deck.tools.find(({ contract }) => contract.name === unlock.tool)?.contract.digest ?? "";
}

/** What somebody finds who knows how claims are made, tries every pin, and has all that is kept of the key. */
async function pinsFoundIn(desk: Desk): Promise<number[]> {
  const { claim, ref } = await keptOf(desk);
  const toolDigest = toolDigestOf(desk);
  return Array.from({ length: 10_000 }, (_, pin) => pin).filter((pin) => {
    const use = `${toolDigest}\n${hashInput({ pin })}`;
    return [hashText(use), contentDigest(ref.salt ?? "", use)].some((digest) => digest === claim.digest);
  });
}

/** A desk on which it was called. */
async function called(options: DeskOptions = {}): Promise<{ desk: Desk; callId: string }> {
  const desk = openDesk(options);
  const outcome = await desk.call(unlock);
  if (outcome.type !== "completed") throw outcome.error;
  return { desk, callId: outcome.result.callId };
}

const erased = {
  type: "refused",
  error: { code: "not_found", details: { tool: unlock.tool, reason: "erased" } },
};

describe("after a call is erased", () => {
  test("nothing that is kept of its key tells what the input was, not by trying every one", async () => {
    const { desk, callId } = await called();
    expect(await pinsFoundIn(desk)).toStrictEqual([4711]);
    const { expiresAt } = (await keptOf(desk)).claim;
    await desk.seat.erase(callId);
    expect(await pinsFoundIn(desk)).toStrictEqual([]);
    expect((await keptOf(desk)).claim).toStrictEqual({
      ...key,
      digest: hashText(""),
      expiresAt,
      ref: canonicalJson({ callId, erased: true }),
    });
  });

  test("whoever comes with its key is told so, with the same input or another, and nothing runs", async () => {
    const { desk, callId } = await called();
    await desk.seat.erase(callId);
    for (const request of [unlock, { ...unlock, input: { pin: 1 } }]) {
      const outcome = await desk.call(request);
      expect(outcome).toMatchObject(erased);
      expect(codeOf(outcome)).toBe("not_found");
    }
    expect(desk.deck.runs).toHaveLength(1);
    expect((await kindsOf(desk)).slice(-2)).toStrictEqual(["call.refused", "call.refused"]);
    expect(await desk.seat.isClaimed(unlock.tool, unlock.idempotencyKey)).toBe(true);
    await desk.seat.close();
    expect((await desk.seat.verify()).status).toBe("ok");
    const next = reopenDesk(desk);
    expect(await next.call(unlock)).toMatchObject(erased);
    expect(next.deck.runs).toStrictEqual([]);
  });

  test("its key is free again when its time is over, as any other", async () => {
    const { desk, callId } = await called({ limits: { claimMs: 1000 } });
    await desk.seat.erase(callId);
    desk.clock.advance(999);
    expect(await desk.call(unlock)).toMatchObject(erased);
    desk.clock.advance(1);
    expect(codeOf(await desk.call(unlock))).toBe("completed");
  });

  test("a key whose time was over by then tells nothing either, and stays free", async () => {
    const { desk, callId } = await called({ limits: { claimMs: 1000 } });
    desk.clock.advance(1000);
    await desk.seat.erase(callId);
    expect(await pinsFoundIn(desk)).toStrictEqual([]);
    expect(await desk.seat.isClaimed(unlock.tool, unlock.idempotencyKey)).toBe(false);
    expect(codeOf(await desk.call(unlock))).toBe("completed");
  });

  test("a key that another call has since is that call's, and answers", async () => {
    const { desk, callId } = await called({ limits: { claimMs: 1000 } });
    desk.clock.advance(1000);
    const second = outputOf(await desk.call(unlock));
    await desk.seat.erase(callId);
    expect(await pinsFoundIn(desk)).toStrictEqual([4711]);
    expect(outputOf(await desk.call(unlock))).toStrictEqual(second);
  });

  test("the keys of other calls answer as before", async () => {
    const { desk, callId } = await called();
    const other = { ...unlock, idempotencyKey: "unlock-2" };
    await desk.call(other);
    await desk.seat.erase(callId);
    expect(await desk.call(other)).toMatchObject({ result: { replayed: true } });
  });
});

test("the same input under two keys has two digests", async () => {
  const { desk } = await called();
  const before = (await keptOf(desk)).claim.digest;
  await desk.call({ ...unlock, idempotencyKey: "unlock-2" });
  const other = await desk.store.inner.claim({ ...key, key: "unlock-2" }, 0);
  expect(other?.digest).not.toBe(before);
});

test("a call that is erased before it has ended leaves a key that runs nothing and tells nothing", async () => {
  const release = Promise.withResolvers<unknown>();
  const desk = openDesk({ deed: () => release.promise });
  const first = desk.call(unlock);
  await until(() => desk.deck.runs.length === 1);
  await desk.seat.erase((await keptOf(desk)).ref.callId);
  release.resolve({ done: true });
  expect(codeOf(await first)).toBe("completed");
  expect(await pinsFoundIn(desk)).toStrictEqual([]);
  expect(await desk.call(unlock)).toMatchObject(erased);
  expect(desk.deck.runs).toHaveLength(1);
});

test("a call that is erased before its process dies is settled by the next one, and its key stays erased", async () => {
  const put = { ...unlock, tool: "notes.put" };
  const own = claimKey("acct_1", put.tool, put.idempotencyKey);
  const release = Promise.withResolvers<unknown>();
  const desk = openDesk({ deed: () => release.promise });
  void desk.call(put);
  await until(() => desk.deck.runs.length === 1);
  const { callId } = claimedIn(await desk.store.inner.claim(own, 0));
  const beside = openDesk({ store: new FaultyStore(desk.store.inner), life: 2 });
  await beside.seat.erase(callId);
  await beside.seat.close();
  desk.store.fault = atFirst("call.settled", { type: "die", written: false });
  release.resolve({ done: true });
  await desk.store.died.promise;
  const next = reopenDesk(desk, { life: 3 });
  await next.seat.open();
  const kept = await desk.store.inner.claim(own, 0);
  expect([kept?.digest, claimedIn(kept).erased]).toStrictEqual([hashText(""), true]);
  expect(codeOf(await next.call(put))).toBe("not_found");
});

describe("a claim from before there were salts", () => {
  /** As it was kept then. */
  async function unsalted(): Promise<{ desk: Desk; callId: string }> {
    const { desk, callId } = await called();
    const { claim, ref } = await keptOf(desk);
    const { salt: _, ...bare } = ref;
    const digest = hashText(`${toolDigestOf(desk)}\n${hashInput(unlock.input)}`);
    const older = { ...claim, type: "take", digest, ref: canonicalJson(bare) } as const;
    const claims = [{ ...claim, type: "release" } as const, older];
    await desk.store.inner.commit({ durability: "process", now: desk.clock.now(), claims });
    return { desk, callId };
  }

  test("answers the same input, and no other", async () => {
    const { desk } = await unsalted();
    expect(await desk.call(unlock)).toMatchObject({ result: { replayed: true } });
    expect(codeOf(await desk.call({ ...unlock, input: { pin: 1 } }))).toBe("idempotency_conflict");
    expect(desk.deck.runs).toHaveLength(1);
  });

  test("tells nothing once its call is erased", async () => {
    const { desk, callId } = await unsalted();
    expect(await pinsFoundIn(desk)).toStrictEqual([4711]);
    await desk.seat.erase(callId);
    expect(await pinsFoundIn(desk)).toStrictEqual([]);
    expect(await desk.call(unlock)).toMatchObject(erased);
  });
});
