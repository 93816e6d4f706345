// B22: a trace is made of what was written, or not at all; and an installation signs no trace of a segment that it did not seal.
import { canonicalJson, type Digest, hashText, type SegmentSeal } from "@spfunctions/contracts";
import { beforeEach, describe, expect, test } from "vitest";
import { collected, installation, openDesk, otherInstallation } from "../../test-data/call-desk.ts";
import { FaultyStore } from "../../test-data/call-store.ts";
import { bookOfTwelve, edits, type Loose, moves } from "../../test-data/call-tamper.ts";
import { settlement } from "../../test-data/call-waiting.ts";
import { isSignedBy, type Signer } from "../installation/installation.ts";
import { contentDigest } from "../journal/record-draft.ts";
import { genesisOf } from "../journal/seal.ts";
import { sealText } from "../journal/seal.ts";
import { segmentsOf } from "../journal/verify-account.ts";
import { segmentKind } from "../store/kernel-kinds.ts";
import type { StoredRecord } from "../store/store.ts";
import { exportTrace, traceSealText } from "./export-trace.ts";
import { readTrace, type Trace } from "./read-trace.ts";
import { traceEntries } from "./trace-entries.ts";

const accountId = "acct_1";
const { signer } = installation;
let store: FaultyStore;
let stream = "";
let records: StoredRecord[] = [];

async function keep(desk: ReturnType<typeof openDesk>): Promise<void> {
  await desk.seat.close();
  store = new FaultyStore(desk.store.inner);
  [stream = ""] = await collected(segmentsOf(store.inner, accountId));
  records = await store.inner.readStream({ stream, accountId, limit: 100 });
}

async function exported(by: Signer | undefined = signer): Promise<Trace> {
  const lines = await collected(exportTrace(store, accountId, stream, by));
  return await readTrace(lines.join("\n"));
}

async function reseal(change: (seal: SegmentSeal) => SegmentSeal): Promise<void> {
  const key = { kind: segmentKind, accountId, id: stream } as const;
  const document = await store.inner.document(key);
  const body = canonicalJson(change(JSON.parse(document?.body ?? "") as SegmentSeal));
  const write = { type: "put", ...key, expects: document?.revision ?? 0, status: "sealed", body } as const;
  await store.inner.commit({ durability: "process", now: 0, documents: [write] });
}

/** Whether an exported trace bears a signature, and whether it is the installation's. */
function signatureOf({ seal }: Trace): string {
  if (seal === undefined) return "no seal";
  if (seal.signature === undefined) return "unsigned";
  return isSignedBy(traceSealText(seal), seal.signature, signer.publicKey) ? "ours" : "strange";
}

/** What exporting comes to where the rows are these. */
async function outcomeOf(loose: readonly Loose[]): Promise<unknown> {
  const rows = loose.map(({ text, content }, at) => ({ seq: at + 1, text, content, hash: hashText(text) }));
  store.tamper = (_, { from = 1, limit }) => rows.slice(from - 1, from - 1 + limit);
  const { state, error } = (await settlement(exported())) as { state: string; error?: unknown };
  const { code, details } = (error ?? {}) as { code?: string; details?: { seq?: number } };
  return [state, code, details?.seq];
}

describe("B22: no trace is made of a segment in which", () => {
  beforeEach(async () => {
    await keep(await bookOfTwelve());
  });

  test("nothing was changed: that one is exported, and signed", async () => {
    const trace = await exported();
    expect([trace.verification.status, signatureOf(trace)]).toStrictEqual(["ok", "ours"]);
    expect(signatureOf(await exported(otherInstallation.signer))).toBe("unsigned");
  });

  test.each(Object.entries(edits))("a record was changed: %s", async (_, edit) => {
    for (const [index, record] of records.entries()) {
      const after = edit(record);
      if (after === undefined || canonicalJson(after) === canonicalJson(record)) continue;
      expect(await outcomeOf(records.with(index, { ...record, ...after }))).toStrictEqual([
        "broken",
        "journal_corrupt",
        index + 1,
      ]);
    }
  });

  test.each(Object.entries(moves))("a record was %s", async (name, move) => {
    for (const { seq } of records) {
      const moved = move(records, seq);
      // Without any record there is no such segment.
      if (moved === undefined || moved.to.length === 0) continue;
      expect([name, seq, await outcomeOf(moved.to)]).toStrictEqual([
        name,
        seq,
        ["broken", "journal_corrupt", moved.bad],
      ]);
    }
  });
});

/** The whole segment written anew by somebody who can make every hash fit: another input, and another end. */
function rewritten(): StoredRecord[] {
  let prev: Digest = genesisOf(stream, accountId);
  return records.map((row) => {
    const record: Record<string, unknown> = { ...(JSON.parse(row.text) as object), prev };
    const [first] = row.content;
    const isIntent = record["kind"] === "call.intended" && first !== undefined && "salt" in first;
    const text = '{"cents":1}';
    const content = isIntent ? [{ ...first, text }] : row.content;
    if (isIntent)
      Object.assign(record, { input: { ref: first.ref, digest: contentDigest(first.salt, text) } });
    const said = canonicalJson(record);
    prev = hashText(said);
    return { ...row, text: said, content, hash: prev };
  });
}

describe("B22: the installation does not sign", () => {
  beforeEach(async () => {
    const desk = openDesk();
    await desk.call({ tool: "notes.write", input: { cents: 1_000_000 } });
    await keep(desk);
  });

  test.each<[string, (seal: SegmentSeal) => SegmentSeal]>([
    ["with the signature that was there", (seal) => seal],
    ["without a signature", ({ count, head, sealedAt }) => ({ count, head, sealedAt })],
    [
      "signed by a stranger",
      (seal) => {
        const { keyId, sign } = otherInstallation.signer;
        return { ...seal, signature: { keyId, sig: sign(sealText(stream, seal)) } };
      },
    ],
  ])("what was written anew and sealed by others, %s", async (_, change) => {
    const rows = rewritten();
    const head = rows.at(-1)?.hash;
    store.tamper = (_rows, { from = 1, limit }) => rows.slice(from - 1, from - 1 + limit);
    await reseal((seal) => change({ ...seal, head: head ?? seal.head }));
    const trace = await exported();
    // It fits together, and that is all that can be said for it.
    expect([trace.verification.status, signatureOf(trace)]).toStrictEqual(["ok", "unsigned"]);
    expect(traceEntries(trace).map(({ input }) => input)).toStrictEqual([{ cents: 1 }]);
  });

  test("what has no seal yet", async () => {
    const desk = openDesk();
    await desk.call({ tool: "notes.write" });
    store = new FaultyStore(desk.store.inner);
    [stream = ""] = await collected(segmentsOf(store, accountId));
    expect(signatureOf(await exported())).toBe("no seal");
  });

  test("what was sealed before there was an installation, or for another segment", async () => {
    const plain = openDesk({ installation: undefined });
    await plain.call({ tool: "notes.write" });
    await keep(plain);
    expect(signatureOf(await exported())).toBe("unsigned");
    await reseal((seal) => {
      const { keyId, sign } = signer;
      return { ...seal, signature: { keyId, sig: sign(sealText("seg_00000000", seal)) } };
    });
    expect(signatureOf(await exported())).toBe("unsigned");
  });
});
