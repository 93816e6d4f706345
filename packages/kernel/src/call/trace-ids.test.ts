// A call is part of the trace that its caller names, and of one of its own otherwise.
import { describe, expect, test } from "vitest";
import { openDesk, reopenDesk } from "../../test-data/call-desk.ts";
import { atFirst } from "../../test-data/call-store.ts";
import type { CallOutcome, CallRequest } from "./call-host.ts";

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";

async function tracesOf(request: CallRequest) {
  const seen: string[] = [];
  const desk = openDesk({
    deed: (_, context) => {
      seen.push(context.traceId);
      return null;
    },
  });
  const outcome = await desk.call(request);
  const records = (await desk.records()).flatMap((record) => ("traceId" in record ? [record.traceId] : []));
  return { tool: seen, records, receipt: receiptIn(outcome)?.traceId };
}

function receiptIn(outcome: CallOutcome) {
  return outcome.type === "completed" ? outcome.result.receipt : outcome.receipt;
}

describe("the trace that a caller names is in the record, in the receipt and with the tool:", () => {
  test.each(["notes.read", "notes.search", "notes.write"])("%s", async (tool) => {
    const all = { tool: [traceId], records: [traceId], receipt: traceId };
    expect(await tracesOf({ tool, traceId })).toStrictEqual(all);
  });

  test("also of a call that is refused", async () => {
    const expected = { tool: [], records: [traceId], receipt: traceId };
    expect(await tracesOf({ tool: "notes.strict", traceId })).toStrictEqual(expected);
  });

  test("and of one that comes again with its key: each has its own, the answer that of the first", async () => {
    const desk = openDesk();
    const request = { tool: "notes.write", idempotencyKey: "k" };
    const other = "f".repeat(32);
    const first = await desk.call({ ...request, traceId });
    const again = await desk.call({ ...request, traceId: other });
    expect([receiptIn(first)?.traceId, receiptIn(again)?.traceId]).toStrictEqual([traceId, traceId]);
    const records = (await desk.records()).flatMap((record) => ("traceId" in record ? [record.traceId] : []));
    expect(records).toStrictEqual([traceId, other]);
  });

  test("and after a crash, when it is tried again", async () => {
    const desk = openDesk();
    desk.store.fault = atFirst("call.settled", { type: "die", written: false });
    void desk.call({ tool: "notes.put", traceId });
    await desk.store.died.promise;
    const seen: string[] = [];
    const next = reopenDesk(desk, { deed: (_, context) => seen.push(context.traceId) });
    await next.seat.open();
    expect(seen).toStrictEqual([traceId]);
  });
});

test("without one it has its own, made of its name", async () => {
  const own = "00000001000040008000000000000001";
  const all = { tool: [own], records: [own], receipt: own };
  expect(await tracesOf({ tool: "notes.write" })).toStrictEqual(all);
  expect(await tracesOf({ tool: "notes.write", traceId: undefined })).toStrictEqual(all);
});

describe("what is no trace id is refused before anything is written:", () => {
  test.each([
    ["nothing but zeros", "0".repeat(32)],
    ["capitals", traceId.toUpperCase()],
    ["too short", traceId.slice(1)],
    ["too long", `${traceId}0`],
    ["a line more", `${traceId}\n`],
    ["other digits", traceId.replace("4", "٤")],
    ["empty", ""],
    ["null", null],
    ["a number", 5],
    ["something that becomes one", { toString: () => traceId }],
  ])("%s", async (_, given) => {
    const desk = openDesk();
    const call = desk.call({ tool: "notes.write", traceId: given as string });
    await expect(call).rejects.toMatchObject({
      code: "invalid_input",
      message: "a trace id has 32 lower-case hex digits, not all 0",
      details: { path: "/traceId" },
    });
    expect(desk.deck.runs).toStrictEqual([]);
    expect(await desk.records()).toStrictEqual([]);
  });
});

test("G4: it is read once", async () => {
  const answers = [traceId, "f".repeat(32)];
  const request = {
    tool: "notes.write",
    get traceId() {
      return answers.shift() ?? "";
    },
  };
  expect(await tracesOf(request)).toStrictEqual({ tool: [traceId], records: [traceId], receipt: traceId });
});
