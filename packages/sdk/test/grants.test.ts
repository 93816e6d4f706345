// What calls may reach, through the client: typed, checked before anything is sent, and read whole or not at all.
import { MissingApiKeyError, UpstreamError } from "@spfunctions/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { rejectionOf } from "../../contracts/test-data/refusal-of.ts";
import { capabilityGrant as grant } from "../../contracts/test-data/samples.ts";
import { embeddedClient, type TestClient, testClient, testKey } from "../test-data/test-client.ts";
import { answer, refuse, TestPlatform } from "../test-data/test-platform.ts";
import { TestTiming } from "../test-data/test-timing.ts";

let platform: TestPlatform;
let timing: TestTiming;
beforeEach(async () => {
  platform = await TestPlatform.start();
  timing = new TestTiming();
});
afterEach(() => platform.stop());

const { grantId } = grant;
const seen = () => platform.arrived.map(({ method, path, body }) => `${method} ${path} ${body}`.trim());

describe.each([
  ["on a socket", () => testClient({ baseUrl: platform.baseUrl, apiKey: testKey }, { timing })],
  ["in process", () => embeddedClient(platform, { apiKey: testKey }, { timing })],
])("%s", (_, open) => {
  test("each method sends its request with the key, and gives what it is answered", async () => {
    const sf = open();
    platform.handler = ({ method }) => answer(method === "GET" ? { items: [grant] } : grant);
    expect(await sf.grants.list()).toStrictEqual({ items: [grant] });
    expect(await sf.grants.list({ status: "any", limit: 5 })).toStrictEqual({ items: [grant] });
    const given = {
      capability: "net:*.example.com",
      scope: "until",
      forMs: 2_592_000_000,
      keyId: "key_1",
      note: "ok",
    } as const;
    expect(await sf.grants.grant(given)).toStrictEqual(grant);
    const yes = { answer: "granted", scope: "session", note: "ok" } as const;
    expect(await sf.grants.answer(grantId, yes)).toStrictEqual(grant);
    expect(await sf.grants.answer(grantId, { answer: "revoked" })).toStrictEqual(grant);
    expect(seen()).toStrictEqual([
      "GET /api/grants",
      "GET /api/grants?status=any&limit=5",
      `POST /api/grants ${JSON.stringify(given)}`,
      `POST /api/grants/${grantId}/answer ${JSON.stringify(yes)}`,
      `POST /api/grants/${grantId}/answer {"answer":"revoked"}`,
    ]);
    const keys = platform.arrived.map(({ headers }) => headers.get("authorization"));
    expect(new Set(keys)).toStrictEqual(new Set([`Bearer ${testKey}`]));
  });

  test("a list is read to its end, page by page", async () => {
    const sf = open();
    platform.handler = ({ path }) =>
      answer(path.includes("after") ? { items: [grant] } : { items: [grant], next: "2026,x" });
    const all = [];
    for await (const one of sf.grants.list({ status: "denied" })) all.push(one.grantId);
    expect(all).toStrictEqual([grantId, grantId]);
    expect(seen()).toStrictEqual([
      "GET /api/grants?status=denied",
      "GET /api/grants?status=denied&after=2026%2Cx",
    ]);
  });

  test("a call that lacks a capability is refused with which, and is not sent again", async () => {
    const sf = open();
    const details = { capability: "net:example.com", grantId };
    platform.handler = () => refuse("capability_denied", 403, { details });
    const error = await rejectionOf(sf.notes.write({ text: "x" }, { idempotencyKey: "once" }));
    expect([error.code, error.details]).toMatchObject(["capability_denied", details]);
    expect(platform.arrived).toHaveLength(1);
  });
});

describe("what is sent again when no answer comes", () => {
  const calls: readonly (readonly [string, (sf: TestClient) => Promise<unknown>, number])[] = [
    ["a list", async (sf) => await sf.grants.list(), 3],
    ["not a grant", async (sf) => await sf.grants.grant({ capability: "net" }), 1],
    ["not an answer", async (sf) => await sf.grants.answer(grantId, { answer: "denied" }), 1],
  ];
  test.each(calls)("%s", async (_, call, times) => {
    platform.handler = () => "break";
    const sf = testClient({ baseUrl: platform.baseUrl, apiKey: testKey }, { timing });
    expect((await rejectionOf(call(sf))).code).toBe("upstream_error");
    expect(platform.arrived).toHaveLength(times);
  });
});

test.each<[string, (sf: TestClient) => Promise<unknown>]>([
  ["an answer that is none", (sf) => sf.grants.answer(grantId, { answer: "grant" as "granted" })],
  ["whose answer it is", (sf) => sf.grants.answer(grantId, { answer: "granted", decidedBy: "me" } as never)],
  ["how far a no goes", (sf) => sf.grants.answer(grantId, { answer: "denied", scope: "once" } as never)],
  [
    "whom a question is granted to",
    (sf) => sf.grants.answer(grantId, { answer: "granted", keyId: "k" } as never),
  ],
  ["an id that is none", (sf) => sf.grants.answer("../keys", { answer: "denied" })],
  ["a capability for an id", (sf) => sf.grants.answer("net", { answer: "granted" })],
  ["an id for a capability", (sf) => sf.grants.grant({ capability: grantId })],
  ["what is no capability", (sf) => sf.grants.grant({ capability: "net:127.0.0.1" })],
  ["no capability", (sf) => sf.grants.grant({} as never)],
  ["another's account", (sf) => sf.grants.grant({ capability: "net", accountId: "acct_2" } as never)],
  ["an unknown scope", (sf) => sf.grants.grant({ capability: "net", scope: "always" as "once" })],
  ["no time", (sf) => sf.grants.grant({ capability: "net", forMs: 0 })],
  ["half a time", (sf) => sf.grants.answer(grantId, { answer: "granted", forMs: 1.5 })],
  ["an unknown status", async (sf) => await sf.grants.list({ status: "open" as "pending" })],
  ["an unknown option", (sf) => sf.grants.grant({ capability: "net" }, { wait: 1 } as never)],
])("%s is refused before anything is sent", async (_, call) => {
  const sf = testClient({ baseUrl: platform.baseUrl, apiKey: testKey });
  expect((await rejectionOf(call(sf))).code).toBe("invalid_input");
  expect(platform.arrived).toStrictEqual([]);
});

test("without a key nothing is sent", async () => {
  const sf = testClient({ baseUrl: platform.baseUrl });
  expect(await rejectionOf(sf.grants.grant({ capability: "net" }))).toBeInstanceOf(MissingApiKeyError);
  expect(platform.arrived).toStrictEqual([]);
});

test.each<[string, unknown, (sf: TestClient) => Promise<unknown>]>([
  ["a grant", { ...grant, status: "approved" }, (sf) => sf.grants.answer(grantId, { answer: "denied" })],
  ["a capability", { ...grant, capability: "net:*" }, (sf) => sf.grants.grant({ capability: "net" })],
  [
    "a grant with more than it has",
    { ...grant, isFine: true },
    (sf) => sf.grants.grant({ capability: "net" }),
  ],
  ["a list", { items: [{}] }, async (sf) => await sf.grants.list()],
])("%s that is none is believed in no part", async (_, data, call) => {
  platform.handler = () => answer(data);
  const sf = testClient({ baseUrl: platform.baseUrl, apiKey: testKey });
  const error = await rejectionOf(call(sf));
  expect(error).toBeInstanceOf(UpstreamError);
  expect(error.retry).toBe("never");
});
