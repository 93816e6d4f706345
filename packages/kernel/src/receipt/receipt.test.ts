// Receipts hold the five answers of a call, and somebody who trusts nobody can check them: against themselves, a trace, a key.
import { hashText, type Receipt } from "@spfunctions/contracts";
import { beforeAll, describe, expect, test } from "vitest";
import { Deck } from "../../test-data/call-deck.ts";
import {
  type Desk,
  type DeskOptions,
  installation,
  openDesk,
  otherInstallation,
  receiptOf,
  traceOf,
} from "../../test-data/call-desk.ts";
import { fates, meet, openBook } from "../../test-data/call-journal.ts";
import { withoutPayloads } from "../../test-data/call-tamper.ts";
import type { CallRequest } from "../call/call-host.ts";
import { readTrace, type Trace } from "../trace/read-trace.ts";
import { isSignedBy } from "../installation/installation.ts";
import { verifyReceipt } from "./verify-receipt.ts";

const { publicKey } = installation.signer;
const write = { tool: "notes.write", input: { text: "a" } };

async function receipted(
  request: CallRequest,
  options: DeskOptions = {},
): Promise<{ desk: Desk; receipt: Receipt }> {
  const desk = openDesk(options);
  return { desk, receipt: receiptOf(await desk.call(request)) };
}

async function sealed(desk: Desk): Promise<Trace> {
  await desk.seat.close();
  return await readTrace(await traceOf(desk.seat));
}

function results(given: unknown, evidence: Parameters<typeof verifyReceipt>[1] = {}) {
  const { status, checks } = verifyReceipt(given, evidence);
  return { status, ...Object.fromEntries(checks.map(({ check, result }) => [check, result])) };
}

test("a receipt says who called what, whether it was allowed, at what price, and where the proof is", async () => {
  const { desk, receipt } = await receipted(write);
  const [, intent, settled] = await desk.records();
  if (intent?.kind !== "call.intended" || settled?.kind !== "call.settled") throw new Error("other records");
  const [, , stored] = await desk.store.inner.readStream({
    stream: "seg_00000001-0000-4000-8000-000000000002",
    accountId: "acct_1",
    limit: 3,
  });
  expect(receipt).toStrictEqual({
    v: 1,
    runId: intent.runId,
    callId: intent.callId,
    principal: {
      accountId: "acct_1",
      keyId: "key_1",
      scopes: ["read", "write", "trade", "admin"],
      kind: "local",
    },
    origin: "direct",
    tool: "notes.write",
    toolDigest: intent.toolDigest,
    inputHash: hashText('{"text":"a"}'),
    outputHash: hashText('{"done":true}'),
    verdict: intent.verdict,
    policyDigest: desk.seat.policyDigest,
    sideEffect: "user_write",
    costEffect: "none",
    spent: { toolCalls: 1, wallMs: 0 },
    traceId: intent.traceId,
    seq: 3,
    hash: stored?.hash,
  });
});

describe("a receipt is", () => {
  test("consistent on its own, and nobody vouches for it", async () => {
    const { receipt } = await receipted(write);
    expect(results(receipt)).toStrictEqual({
      status: "consistent",
      shape: "passed",
      verdict: "passed",
      trace: "not_checked",
      signature: "not_checked",
    });
  });

  test("consistent with its trace", async () => {
    const { desk, receipt } = await receipted(write);
    expect(results(receipt, { trace: await sealed(desk) })).toMatchObject({
      status: "consistent",
      trace: "passed",
    });
  });

  test("authentic by a key that the asker brought, and by no other", async () => {
    const { desk, receipt } = await receipted({ ...write, signReceipt: true });
    expect(receipt.signature?.keyId).toBe(installation.signer.keyId);
    const trace = await sealed(desk);
    expect(results(receipt, { trace, publicKeys: [publicKey] })).toStrictEqual({
      status: "authentic",
      shape: "passed",
      verdict: "passed",
      trace: "passed",
      signature: "passed",
    });
    const foreign = otherInstallation.signer.publicKey;
    expect(results(receipt, { trace })).toMatchObject({ status: "consistent", signature: "not_checked" });
    expect(results(receipt, { publicKeys: [foreign] })).toMatchObject({ status: "consistent" });
    expect(results(receipt, { publicKeys: ["", "no key", foreign, publicKey] })).toMatchObject({
      status: "authentic",
    });
  });

  test("not authentic because it says so: a signature by another under our key's name is none", async () => {
    const { receipt } = await receipted({ ...write, signReceipt: true });
    const sig = otherInstallation.signer.sign("whatever");
    const forged = { ...receipt, signature: { keyId: installation.signer.keyId, sig } };
    expect(results(forged, { publicKeys: [publicKey] })).toMatchObject({
      status: "invalid",
      signature: "failed",
    });
  });

  test("invalid where it is none", () => {
    for (const given of [
      undefined,
      null,
      7,
      "",
      {},
      [],
      { v: 1 },
      () => {},
      new Proxy({}, { ownKeys: refuse }),
    ]) {
      expect(verifyReceipt(given)).toMatchObject({
        status: "invalid",
        checks: [{ check: "shape", result: "failed" }],
      });
    }
  });
});

/** Another value for each field of a receipt. */
const lies: Readonly<Record<keyof Omit<Receipt, "approvalId" | "signature">, unknown>> = {
  v: 2,
  runId: "run_00000000-0000",
  callId: "call_00000000-0000",
  principal: { accountId: "acct_2", keyId: "key_1", scopes: ["read"], kind: "local" },
  origin: "model",
  tool: "notes.read",
  toolDigest: hashText("x"),
  inputHash: hashText("x"),
  outputHash: hashText("x"),
  verdict: undefined,
  policyDigest: hashText("x"),
  sideEffect: "none",
  costEffect: "llm_cost",
  spent: { toolCalls: 2 },
  traceId: "f".repeat(32),
  seq: 2,
  hash: hashText("x"),
};

describe("a receipt in which one thing was changed is invalid:", () => {
  let receipt: Receipt;
  let trace: Trace;
  beforeAll(async () => {
    const made = await receipted({ ...write, signReceipt: true });
    receipt = made.receipt;
    trace = await sealed(made.desk);
  });

  test.each(Object.entries(lies))("%s, by its trace and by its signature", (field, lie) => {
    const changed = { ...receipt, [field]: lie };
    const { signature: _, ...unsigned } = changed;
    expect(results(unsigned, { trace }).status).toBe("invalid");
    expect(results(changed, { publicKeys: [publicKey] }).status).toBe("invalid");
  });

  test.each(Object.keys(lies))("%s, taken away", (field) => {
    const { [field as keyof Receipt]: _, ...less } = receipt;
    const { signature: _s, ...unsigned } = less as Receipt;
    expect(results(less, { publicKeys: [publicKey] }).status).toBe("invalid");
    expect(results(unsigned, { trace }).status).toBe("invalid");
  });

  test("an approval that nobody gave", () => {
    const changed = { ...receipt, approvalId: "appr_00000000" };
    expect(results({ ...changed, signature: undefined }, { trace }).status).toBe("invalid");
    expect(results(changed, { publicKeys: [publicKey] }).status).toBe("invalid");
  });

  test("a gate of its verdict", () => {
    const gates = receipt.verdict.gates.with(5, { gate: "deny", result: "not_applicable" });
    const changed = { ...receipt, verdict: { ...receipt.verdict, gates } };
    expect(results(changed, { publicKeys: [publicKey] }).status).toBe("invalid");
    expect(results({ ...changed, signature: undefined }, { trace }).status).toBe("invalid");
  });

  test("its signature", () => {
    const sig = receipt.signature?.sig ?? "";
    for (const at of [0, 1, 40, 60]) {
      const letter = sig[at] === "A" ? "B" : "A";
      const changed = {
        ...receipt,
        signature: { ...receipt.signature, sig: sig.slice(0, at) + letter + sig.slice(at + 1) },
      };
      expect(results(changed, { publicKeys: [publicKey] }).status).toBe("invalid");
    }
    expect(isSignedBy("x", { keyId: installation.signer.keyId, sig: "" }, publicKey)).toBe(false);
  });
});

describe("a trace that is no proof proves nothing:", () => {
  test("one that was changed", async () => {
    const { desk, receipt } = await receipted(write);
    await desk.seat.close();
    const text = (await traceOf(desk.seat)).replace('{\\"done\\":true}', '{\\"done\\":null}');
    expect(results(receipt, { trace: await readTrace(text) })).toMatchObject({
      status: "invalid",
      trace: "failed",
    });
  });

  test("one of other calls", async () => {
    const { receipt } = await receipted(write);
    const other = await receipted(write, { life: 2 });
    expect(results(receipt, { trace: await sealed(other.desk) })).toMatchObject({
      status: "invalid",
      trace: "failed",
    });
  });
});

test("what was erased is the receipt's word alone, and the rest is still checked", async () => {
  const { desk, receipt } = await receipted({ ...write, signReceipt: true });
  expect(await desk.seat.erase(receipt.callId)).toBe(2);
  const trace = await sealed(desk);
  expect(trace.verification).toMatchObject({ status: "ok", erased: 2, absent: 0 });
  expect(results(receipt, { trace, publicKeys: [publicKey] })).toMatchObject({
    status: "authentic",
    trace: "not_checked",
  });
  expect(results({ ...receipt, seq: 2, signature: undefined }, { trace }).status).toBe("invalid");
});

test("payloads that were taken out of a trace make no invented hash the same", async () => {
  const { desk, receipt } = await receipted(write);
  await desk.seat.close();
  const text = withoutPayloads(await traceOf(desk.seat));
  const trace = await readTrace(text);
  expect(trace.verification).toMatchObject({ status: "ok", erased: 0, absent: 2 });
  const lie = { ...receipt, inputHash: hashText("x"), outputHash: hashText("y") };
  expect(results(lie, { trace })).toMatchObject({ status: "consistent", trace: "not_checked" });
});

describe("every call has a receipt that its trace bears out,", () => {
  test("however it ended", async () => {
    const book = openBook();
    const receipts: Receipt[] = [];
    const seen = book.seat.call.bind(book.seat);
    const keeping: Desk = {
      ...book,
      call: async (request) => {
        const outcome = await seen(request);
        receipts.push(receiptOf(outcome));
        return outcome;
      },
    };
    for (const [n, fate] of fates.entries()) await meet(keeping, fate, n);
    const trace = await sealed(book);
    const said = receipts.map((receipt) => [receipt.tool, results(receipt, { trace }).status]);
    expect(said).toStrictEqual(receipts.map(({ tool }) => [tool, "consistent"]));
    expect(receipts).toHaveLength(fates.length + 1);
  });

  test("also one that was refused, signed on request like any other", async () => {
    const refusals: readonly (readonly [CallRequest, DeskOptions])[] = [
      [{ tool: "notes.unheard" }, {}],
      [{ tool: "notes.strict", input: { text: 1 } }, {}],
      [write, { levels: [{ level: "agent", policy: {} }] }],
      [{ ...write, signal: AbortSignal.abort() }, {}],
    ];
    for (const [request, options] of refusals) {
      const { desk, receipt } = await receipted({ ...request, signReceipt: true }, options);
      expect(receipt).not.toHaveProperty("outputHash");
      const trace = await sealed(desk);
      expect(results(receipt, { trace, publicKeys: [publicKey] }).status).toBe("authentic");
    }
  });

  test("also one that came again with its key, signed on request", async () => {
    const desk = openDesk();
    const request = { ...write, idempotencyKey: "k", signReceipt: true };
    await desk.call(request);
    const again = receiptOf(await desk.call(request));
    const trace = await sealed(desk);
    expect(results(again, { trace, publicKeys: [publicKey] }).status).toBe("authentic");
  });
});

test("a refusal that claims an output is invalid, and so is an allow in which a gate was not asked", async () => {
  const { receipt } = await receipted({ tool: "notes.unheard" });
  expect(results({ ...receipt, outputHash: hashText("x") })).toMatchObject({
    status: "invalid",
    verdict: "failed",
  });
  const allowed = (await receipted(write)).receipt;
  const gates = allowed.verdict.gates.with(11, { gate: "input", result: "not_checked" });
  expect(results({ ...allowed, verdict: { ...allowed.verdict, gates } })).toMatchObject({
    status: "invalid",
    verdict: "failed",
  });
});

test("without an installation nothing is signed, and asking for it is refused before anything runs", async () => {
  const deck = new Deck();
  const desk = openDesk({ deck, installation: undefined });
  await expect(desk.call({ ...write, signReceipt: true })).rejects.toMatchObject({
    code: "host_configuration_needed",
  });
  expect(deck.runs).toStrictEqual([]);
  expect(receiptOf(await desk.call(write))).not.toHaveProperty("signature");
});

function refuse(): never {
  throw new Error("no");
}
