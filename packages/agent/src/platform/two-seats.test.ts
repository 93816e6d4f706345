// One law, two seats: what is called here is journaled here and there, and each record says which of the other it belongs to.
import { canonicalJson } from "@spfunctions/contracts";
import { createMemoryStore, defineTool, verifyReceipt } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { DeskPack } from "../../test-data/desk-pack.ts";
import { platformAgent, recordOf, recordsOf } from "../../test-data/platform-agent.ts";

/** This platform's takes a text, and the types know another's. */
const reading: string = "world.read";

const anotherWrite = defineTool({
  name: "desk.write",
  description: "Does something else.",
  input: {},
  output: {},
  permissions: [],
  sideEffect: "user_write",
  costEffect: "none",
  http: { method: "POST", path: "/api/desk/write" },
  run: () => {
    throw new Error("it has run");
  },
});

const writes = { policy: { maxSideEffect: "user_write" } } as const;

/** The platform's own record of a call that was made with a key. */
async function platformRecords(store: Parameters<typeof recordsOf>[0]) {
  const all = await recordsOf(store, "acct_1");
  const opened = all.flatMap((record) =>
    "principal" in record && record.principal.kind === "key" ? [record] : [],
  );
  const ids = new Set(opened.flatMap((record) => ("callId" in record ? [record.callId] : [])));
  return all.filter((record) => "callId" in record && ids.has(record.callId));
}

describe("an effect", () => {
  // proves KEY-13.15
  test("has one key and one trace id on both sides, and its origin there", async () => {
    const store = createMemoryStore();
    const { agent, house, sent } = await platformAgent({ ...writes, store });
    const { receipt } = await agent.call("notes.add", { text: "x" });
    const mine = await recordOf(store, "local", "call.intended");
    const [theirs] = await platformRecords(house.store);
    expect(theirs).toMatchObject({
      kind: "call.intended",
      idempotencyKey: mine.effectId,
      traceId: mine.traceId,
      origin: "direct",
      principal: { accountId: "acct_1", kind: "key" },
      toolDigest: mine.toolDigest,
    });
    expect(mine.idempotencyKey).toBe(mine.effectId);
    expect([receipt.traceId, receipt.origin]).toStrictEqual([mine.traceId, "direct"]);
    expect(house.deeds).toMatchObject([{ traceId: mine.traceId, key: mine.effectId }]);
    const headers = sent.at(-1)?.headers;
    expect(headers?.get("traceparent")).toMatch(new RegExp(`^00-${mine.traceId}-[0-9a-f]{16}-01$`));
    expect([headers?.get("idempotency-key"), headers?.get("x-sf-origin")]).toStrictEqual([
      mine.effectId,
      "direct",
    ]);
  });

  test("goes under its caller's own key where there is one, on both sides", async () => {
    const store = createMemoryStore();
    const { agent, house } = await platformAgent({ ...writes, store });
    const first = await agent.call("notes.add", { text: "x" }, { idempotencyKey: "mine-1" });
    const again = await agent.call("notes.add", { text: "x" }, { idempotencyKey: "mine-1" });
    expect(again).toStrictEqual({ ...first, replayed: true });
    expect(house.deeds).toMatchObject([{ key: "mine-1" }]);
  });

  test("keeps here what it is called there: the call, and its record's hash", async () => {
    const store = createMemoryStore();
    const { agent, house } = await platformAgent({ ...writes, store });
    await agent.call("notes.add", { text: "x" });
    const settled = await recordOf(store, "local", "call.settled");
    const theirs = (await platformRecords(house.store)).at(-1);
    if (theirs?.kind !== "call.settled") throw new Error("the platform has not settled it");
    const stream =
      (await house.store.documents({ kind: "segment", accountId: "acct_1", limit: 9 })).at(-1)?.id ?? "";
    const [row] = await house.store.readStream({ stream, accountId: "acct_1", from: theirs.seq, limit: 1 });
    expect([settled.externalOperationId, settled.reconciliationRef]).toStrictEqual([
      theirs.callId,
      row?.hash,
    ]);
  });

  test("that the platform refuses names the refusal there", async () => {
    const store = createMemoryStore();
    const { agent, house } = await platformAgent({ ...writes, store }, { scopes: { scopes: ["read"] } });
    const error = await rejectionOf(agent.call("notes.add", { text: "x" }));
    const settled = await recordOf(store, "local", "call.settled");
    const theirs = await recordOf(house.store, "acct_1", "call.refused");
    expect([settled.status, settled.externalOperationId]).toStrictEqual(["failed", theirs.callId]);
    expect(error.details).toMatchObject({
      verdict: { outcome: "deny" },
      receipt: { callId: settled.callId },
    });
    expect(await agent.unknown()).toStrictEqual([]);
  });
});

test("a read, too, has the platform's receipt and trace id, and no key", async () => {
  const store = createMemoryStore();
  const { agent, house, sent } = await platformAgent({ store });
  await agent.call(reading, { text: "x" });
  const mine = await recordOf(store, "local", "call.read");
  const theirs = await recordOf(house.store, "acct_1", "call.read");
  expect([mine.externalOperationId, mine.traceId]).toStrictEqual([theirs.callId, theirs.traceId]);
  expect(sent.at(-1)?.headers.get("idempotency-key")).toBeNull();
});

test("a read that costs more is sent under its key: it is paid for once, however often it is sent", async () => {
  const store = createMemoryStore();
  const desk = new DeskPack();
  const { agent, sent } = await platformAgent(
    { store },
    { retries: 1, between: cutFirst("/api/desk/search"), platform: { packs: [desk.pack] } },
  );
  const { output } = await agent.call("desk.search", { text: "x" });
  const { effectId } = await recordOf(store, "local", "call.intended");
  expect(output).toStrictEqual({ done: { text: "x" } });
  expect(sent.filter(({ what }) => what === "GET /api/desk/search")).toHaveLength(2);
  expect(desk.runs).toStrictEqual([{ tool: "desk.search", key: effectId, attempt: 1 }]);
});

test("a call that was judged here by another contract than the platform has by now runs nowhere, and is not in doubt", async () => {
  const [old, now] = [new DeskPack(), new DeskPack()];
  const before = await platformAgent({}, { platform: { packs: [old.pack] } });
  const manifest = await before.agent.manifest();
  const changed = now.pack.map((tool) => (tool.contract.name === "desk.write" ? anotherWrite : tool));
  const { agent } = await platformAgent({ ...writes, manifest }, { platform: { packs: [changed] } });
  const error = await rejectionOf(agent.call("desk.write", { text: "x" }));
  expect([error.code, error.details?.reason]).toStrictEqual(["revision_conflict", "other_contract"]);
  expect([now.runs, await agent.unknown()]).toStrictEqual([[], []]);
  expect((await agent.call("desk.read", {})).tool).toBe("desk.read");
});

// proves KEY-2.3
test("the receipts of both sides hold what they say, and neither has the other's account or key", async () => {
  const store = createMemoryStore();
  const { agent, client, house, key } = await platformAgent({ ...writes, store });
  const { receipt } = await agent.call("notes.add", { text: "x" });
  expect(verifyReceipt(receipt).status).toBe("consistent");
  expect(receipt.principal).toMatchObject({ accountId: "local", kind: "key", keyId: client.credentialId() });
  const theirs = await platformRecords(house.store);
  expect(canonicalJson(theirs)).not.toContain(client.credentialId() ?? "?");
  expect(canonicalJson(await recordsOf(store, "local"))).not.toContain("acct_1");
  expect(canonicalJson([theirs, await recordsOf(store, "local")])).not.toContain(key.slice(8));
});

/** Lets the first request of a path do what it does, and loses its answer. */
function cutFirst(path: string) {
  let isCut = false;
  return async (request: Request, pass: () => Promise<Response>) => {
    const response = await pass();
    if (isCut || new URL(request.url).pathname !== path) return response;
    isCut = true;
    throw new TypeError("fetch failed");
  };
}
