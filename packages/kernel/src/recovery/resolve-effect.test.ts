// X1: an effect of which nobody knows what became is listed until a person has decided, and their word is looked at before it is kept.
import { heldSecrets, type JournalRecord, RecoveryNeededError } from "@spfunctions/contracts";
import { afterAll, describe, expect, test } from "vitest";
import { codeOf, type Desk, keptText, openDesk, traceOf } from "../../test-data/call-desk.ts";
import { settlement } from "../../test-data/call-waiting.ts";
import { readTrace } from "../trace/read-trace.ts";

const write = { tool: "notes.write", input: { text: "a" } };
const secret = "a secret that this process holds";
heldSecrets.add(secret, "held");
afterAll(() => heldSecrets.remove(secret));

// proves PORT-15.9
test("an effect of which its tool does not know what became is listed until a person has decided (X1)", async () => {
  const desk = openDesk({
    deed: (_input, context) => {
      context.external({ operationId: "op-7", reconciliationRef: "GET /ops/7" });
      throw new RecoveryNeededError("the venue hung up");
    },
  });
  const outcome = await desk.call({ ...write, idempotencyKey: "k" });
  expect(codeOf(outcome)).toBe("recovery_needed");
  const [effect, ...rest] = await desk.seat.unknown();
  expect(rest).toStrictEqual([]);
  expect(effect).toMatchObject({
    tool: "notes.write",
    idempotencyKey: "k",
    reason: "the venue hung up",
    externalOperationId: "op-7",
    reconciliationRef: "GET /ops/7",
  });
  const id = effect?.effectId ?? "";
  await desk.seat.resolve(id, { status: "completed", note: "seen" });
  expect(await desk.seat.unknown()).toStrictEqual([]);
  expect((await desk.records()).at(-1)).toMatchObject({
    kind: "call.resolved",
    effectId: id,
    status: "completed",
    by: { accountId: "acct_1", keyId: "key_1" },
  });
  await expect(desk.seat.resolve(id, { status: "failed", note: "no" })).rejects.toMatchObject({
    code: "not_found",
  });
  await expect(desk.seat.resolve("eff_nobody00", { status: "failed", note: "no" })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("every unknown effect is listed, however many there are (X1)", async () => {
  const desk = openDesk();
  const documents = Array.from({ length: 1001 }, (_, n) => listedEffect(n));
  await desk.store.inner.commit({ durability: "power", now: 0, documents });
  expect(await desk.seat.unknown()).toHaveLength(1001);
});

describe("a person's word about an effect is looked at before it is kept:", () => {
  test.each([
    ["a status that is none", { status: "maybe", note: "x" }],
    ["a note that is no text", { status: "failed", note: 7 }],
    ["a note that says nothing", { status: "failed", note: " \n" }],
    ["a note that is no whole text", { status: "failed", note: "\ud800" }],
  ])("%s", async (_, resolution) => {
    const { desk, id } = await unknownEffect();
    await settlement(desk.seat.resolve(id, resolution as never));
    await desk.seat.close();
    const trace = await settlement(traceOf(desk.seat));
    expect(trace.state).toBe("kept");
    expect((await readTrace((trace as { value: string }).value)).verification.status).toBe("ok");
  });

  test("S1: a secret in it is not kept", async () => {
    const { desk, id } = await unknownEffect();
    await desk.seat.resolve(id, { status: "failed", note: `asked with ${secret}` });
    expect((await keptText(desk.store.inner)).includes(secret)).toBe(false);
  });
});

describe("B22: what the list says of an unknown effect is looked up in the journal before a person's word about it is kept", () => {
  const rewritten = async (desk: Desk, id: string, more: object) => {
    const key = { kind: "effect", accountId: "acct_1", id } as const;
    const { revision = 0, body = "{}" } = (await desk.store.inner.document(key)) ?? {};
    const changed = JSON.stringify({ ...JSON.parse(body), effectId: id, ...more });
    const put = { ...key, type: "put", expects: revision, status: "unknown", body: changed } as const;
    await desk.store.inner.commit({ durability: "power", now: 0, documents: [put] });
  };
  const corrupt = { code: "journal_corrupt", details: { reason: "changed_effect" } };
  const kinds = async (desk: Desk) => (await desk.records()).map(({ kind }) => kind);

  test.each([
    ["another tool", { tool: "notes.put" }],
    ["another idempotency key", { idempotencyKey: "another" }],
    ["another run", { runId: "run_00000099" }],
    ["a call that there is not", { callId: "call_00000099" }],
    ["a stream that there is not", { stream: "seg_00000099" }],
  ])("a row that names %s is resolved by nobody", async (_, more) => {
    const { desk, id } = await unknownEffect();
    const before = await kinds(desk);
    await rewritten(desk, id, more);
    const word = { status: "failed", note: "it did not happen" } as const;
    await expect(desk.seat.resolve(id, word)).rejects.toMatchObject(corrupt);
    expect(await kinds(desk)).toStrictEqual(before);
  });

  test("nor is one of a call whose end is known", async () => {
    const { desk } = await unknownEffect();
    const [effect] = await desk.seat.unknown();
    const done = { tool: "notes.write", input: { text: "b" }, idempotencyKey: "done" };
    await desk.call(done);
    const { effectId, callId, runId } = (await desk.records()).findLast(
      (record) => record.kind === "call.intended",
    ) as Extract<JournalRecord, { kind: "call.intended" }>;
    await rewritten(desk, effectId, { ...effect, effectId, callId, runId, idempotencyKey: "done" });
    const word = { status: "failed", note: "it did not happen" } as const;
    await expect(desk.seat.resolve(effectId, word)).rejects.toMatchObject(corrupt);
    expect((await desk.call(done)).type).toBe("completed");
  });
});

/** A desk with one unknown effect. */
async function unknownEffect(): Promise<{ desk: Desk; id: string }> {
  const desk = openDesk({
    deed: (input) => {
      if (JSON.stringify(input) === JSON.stringify(write.input))
        throw new RecoveryNeededError("nobody saw it");
      return {};
    },
  });
  await desk.call(write);
  const [effect] = await desk.seat.unknown();
  return { desk, id: effect?.effectId ?? "" };
}

function listedEffect(n: number) {
  const effectId = `eff_${String(n).padStart(8, "0")}`;
  const key = { kind: "effect", accountId: "acct_1", id: effectId } as const;
  const [runId, callId] = [`run_${n + 1e7}`, `call_${n + 1e7}`];
  const more = {
    runId,
    callId,
    stream: "seg_00000001",
    idempotencyKey: effectId,
    reason: "it was asked for",
  };
  const body = JSON.stringify({ effectId, tool: "notes.write", ...more });
  return { ...key, type: "put", expects: 0, status: "unknown", body } as const;
}
