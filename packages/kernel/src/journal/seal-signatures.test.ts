// B22: whoever holds the store can rewrite it and make every hash fit. What they cannot do is sign, and it shows.
import { canonicalJson, type SegmentSeal } from "@spfunctions/contracts";
import { beforeEach, describe, expect, test } from "vitest";
import {
  collected,
  type DeskOptions,
  installation,
  openDesk,
  otherInstallation,
} from "../../test-data/call-desk.ts";
import { FaultyStore } from "../../test-data/call-store.ts";
import type { Signer } from "../installation/installation.ts";
import { sealText } from "./seal.ts";
import { type AccountVerification, problemsOf, segmentsOf, verifyAccount } from "./verify-account.ts";
import { segmentKind } from "../store/kernel-kinds.ts";

const { publicKey } = installation.signer;
const unsigned = "is under a seal that none of the known keys has signed";

let store: FaultyStore;
let first = "";
let second = "";
let third = "";

beforeEach(async () => {
  store = new FaultyStore();
  [first = "", second = "", third = ""] = await livesOf([{}, {}, {}]);
});

/** One life after the other, each with a segment of three records that it seals. */
async function livesOf(lives: readonly DeskOptions[]): Promise<string[]> {
  for (const [index, options] of lives.entries()) {
    const desk = openDesk({ life: index + 1, ...options, store: new FaultyStore(store.inner) });
    await desk.call({ tool: "notes.write" });
    await desk.seat.close();
  }
  return await collected(segmentsOf(store.inner, "acct_1"));
}

/** Writes a segment's seal anew. */
async function reseal(stream: string, change: (seal: SegmentSeal) => SegmentSeal): Promise<void> {
  const key = { kind: segmentKind, accountId: "acct_1", id: stream } as const;
  const document = await store.inner.document(key);
  if (document === undefined) throw new Error("there is no such segment");
  const { status, revision: expects, body } = document;
  const after = canonicalJson(change(JSON.parse(body) as SegmentSeal));
  const write = { type: "put", ...key, expects, status, body: after } as const;
  await store.inner.commit({ durability: "process", now: 0, documents: [write] });
}

function withoutSignature({ count, head, sealedAt }: SegmentSeal): SegmentSeal {
  return { count, head, sealedAt };
}

function asItIs(seal: SegmentSeal): SegmentSeal {
  return seal;
}

function signedBy(stream: string, { keyId, sign }: Signer): (seal: SegmentSeal) => SegmentSeal {
  return (seal) => ({ ...seal, signature: { keyId, sig: sign(sealText(stream, seal)) } });
}

async function verified(...keys: readonly string[]): Promise<AccountVerification> {
  return await verifyAccount(store, "acct_1", keys);
}

test("with nothing changed every seal is signed, by who has signed it and by nobody else", async () => {
  expect(await verified(publicKey)).toMatchObject({ status: "ok", missing: [], signed: 3 });
  expect(await verified(otherInstallation.signer.publicKey, "no key", publicKey)).toMatchObject({
    signed: 3,
  });
  expect(await verified(otherInstallation.signer.publicKey)).toMatchObject({ status: "ok", signed: 0 });
  expect(await verified()).toMatchObject({ status: "ok", signed: 0 });
});

describe("B22: with the known key, a seal is broken that", () => {
  test("bears its signature and says something else", async () => {
    await reseal(third, (seal) => ({ ...seal, sealedAt: "1999-01-01T00:00:00.000Z" }));
    expect(problemsOf(await verified(publicKey))).toStrictEqual([`${third}: record 3 ${unsigned}`]);
    expect(await verified(publicKey)).toMatchObject({ status: "broken", missing: [], signed: 2 });
  });

  test("bears the signature of another segment's", async () => {
    let other: SegmentSeal["signature"];
    await reseal(second, (seal) => {
      other = seal.signature;
      return seal;
    });
    await reseal(third, (seal) => ({ ...withoutSignature(seal), ...(other && { signature: other }) }));
    expect(problemsOf(await verified(publicKey))).toStrictEqual([`${third}: record 3 ${unsigned}`]);
  });

  test("bears anything under the known key's name, also the first one", async () => {
    for (const sig of ["A".repeat(86), "x", "=", "\u{1f511}"]) {
      await reseal(first, (seal) => ({ ...seal, signature: { keyId: installation.signer.keyId, sig } }));
      expect([sig, problemsOf(await verified(publicKey))]).toStrictEqual([
        sig,
        [`${first}: record 3 ${unsigned}`],
      ]);
    }
  });

  test.each([
    ["was stripped of its signature", () => withoutSignature],
    ["a stranger has signed", (stream: string) => signedBy(stream, otherInstallation.signer)],
  ])("%s, behind a signed one", async (_, changeOf) => {
    await reseal(third, changeOf(third));
    expect(problemsOf(await verified(publicKey))).toStrictEqual([`${third}: record 3 ${unsigned}`]);
    await reseal(second, changeOf(second));
    expect(problemsOf(await verified(publicKey))).toContain(`${second}: record 3 ${unsigned}`);
    expect(await verified(publicKey)).toMatchObject({ status: "broken", signed: 1 });
  });

  test("was made to fit what was cut away, whatever becomes of its signature", async () => {
    const [one] = await store.inner.readStream({ stream: third, accountId: "acct_1", limit: 1 });
    store.tamper = (rows, { stream }) => (stream === third ? rows.slice(0, 1) : rows);
    const cut = (seal: SegmentSeal): SegmentSeal => ({ ...seal, count: 1, head: one?.hash ?? seal.head });
    for (const change of [asItIs, signedBy(third, otherInstallation.signer), withoutSignature]) {
      await reseal(third, (seal) => change(cut(seal)));
      expect(problemsOf(await verified(publicKey))).toStrictEqual([`${third}: record 1 ${unsigned}`]);
    }
  });
});

test("how many are signed is said, so that whoever strips every signature shows, too", async () => {
  for (const [left, stream] of [first, second, third].entries()) {
    expect((await verified(publicKey)).signed).toBe(3 - left);
    await reseal(stream, withoutSignature);
  }
  expect(await verified(publicKey)).toMatchObject({ status: "ok", signed: 0 });
});

test("whoever signs from some day on finds nothing wrong with what was sealed before", async () => {
  store = new FaultyStore();
  const streams = await livesOf([{ installation: undefined }, { installation: undefined }, {}, {}]);
  expect(streams).toHaveLength(4);
  expect(await verified(publicKey)).toMatchObject({ status: "ok", signed: 2 });
});

test("a seal that was stripped shows behind a signed one also where an open segment lies between", async () => {
  store = new FaultyStore();
  await livesOf([{}]);
  const dead = openDesk({ life: 2, store: new FaultyStore(store.inner) });
  await dead.call({ tool: "notes.read" });
  const streams = await livesOf([{ life: 3 }]);
  expect(await verified(publicKey)).toMatchObject({ status: "open", signed: 2 });
  await reseal(streams[2] ?? "", withoutSignature);
  expect(problemsOf(await verified(publicKey))).toStrictEqual([`${streams[2]}: record 3 ${unsigned}`]);
});
