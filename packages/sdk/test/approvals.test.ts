// Questions to people, through the client: typed, checked before anything is sent, and read whole or not at all.
import { ApprovalRequiredError, MissingApiKeyError, UpstreamError } from "@spfunctions/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { rejectionOf } from "../../contracts/test-data/refusal-of.ts";
import { approval, standingGrant as grant } from "../../contracts/test-data/samples.ts";
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

const { approvalId } = approval;
const seen = () => platform.arrived.map(({ method, path, body }) => `${method} ${path} ${body}`.trim());

describe.each([
  ["on a socket", () => testClient({ baseUrl: platform.baseUrl, apiKey: testKey }, { timing })],
  ["in process", () => embeddedClient(platform, { apiKey: testKey }, { timing })],
])("%s", (_, open) => {
  test("each method sends its request with the key, and gives what it is answered", async () => {
    const sf = open();
    platform.handler = ({ path }) => {
      if (path.endsWith("/revoke")) return answer({ grantId: grant.grantId });
      if (path.endsWith("/grants")) return answer({ items: [grant] });
      return answer(path.includes(approvalId) ? approval : { items: [approval] });
    };
    expect(await sf.approvals.list()).toStrictEqual({ items: [approval] });
    expect(await sf.approvals.list({ status: "any", limit: 5 })).toStrictEqual({ items: [approval] });
    expect(await sf.approvals.get(approvalId)).toStrictEqual(approval);
    expect(await sf.approvals.get(approvalId, { waitMs: 25_000 })).toStrictEqual(approval);
    const given = { answer: "approved_for_session", note: "ok", fixed: ["/a"], maxUses: 2 } as const;
    expect(await sf.approvals.answer(approvalId, given)).toStrictEqual(approval);
    expect(await sf.approvals.grants()).toStrictEqual([grant]);
    expect(await sf.approvals.revoke(grant.grantId)).toBeUndefined();
    expect(seen()).toStrictEqual([
      "GET /api/approvals",
      "GET /api/approvals?status=any&limit=5",
      `GET /api/approvals/${approvalId}`,
      `GET /api/approvals/${approvalId}?waitMs=25000`,
      `POST /api/approvals/${approvalId}/answer ${JSON.stringify(given)}`,
      "GET /api/approvals/grants",
      `POST /api/approvals/grants/${grant.grantId}/revoke {}`,
    ]);
    const keys = platform.arrived.map(({ headers }) => headers.get("authorization"));
    expect(new Set(keys)).toStrictEqual(new Set([`Bearer ${testKey}`]));
  });

  test("a list is read to its end, page by page", async () => {
    const sf = open();
    platform.handler = ({ path }) =>
      answer(path.includes("after") ? { items: [approval] } : { items: [approval], next: "2026,x" });
    const all = [];
    for await (const one of sf.approvals.list({ status: "denied" })) all.push(one.approvalId);
    expect(all).toStrictEqual([approvalId, approvalId]);
    expect(seen()).toStrictEqual([
      "GET /api/approvals?status=denied",
      "GET /api/approvals?status=denied&after=2026%2Cx",
    ]);
  });

  test("a call that must be approved is refused with which approval it takes, and is not sent again", async () => {
    const sf = open();
    const details = { approvalId, expiresAt: approval.expiresAt };
    platform.handler = () => refuse("approval_required", 409, { details });
    const error = await rejectionOf(sf.notes.write({ text: "x" }, { idempotencyKey: "once" }));
    expect(error).toBeInstanceOf(ApprovalRequiredError);
    expect(error.details).toMatchObject(details);
    expect(platform.arrived).toHaveLength(1);
  });
});

describe("what is sent again when no answer comes", () => {
  const calls: readonly (readonly [string, (sf: TestClient) => Promise<unknown>, number])[] = [
    ["a question", async (sf) => await sf.approvals.get(approvalId), 3],
    ["a list", async (sf) => await sf.approvals.list(), 3],
    [
      "an answer, which stands once",
      async (sf) => await sf.approvals.answer(approvalId, { answer: "denied" }),
      3,
    ],
    ["not the end of a grant", async (sf) => await sf.approvals.revoke(grant.grantId), 1],
  ];
  test.each(calls)("%s", async (_, call, times) => {
    platform.handler = () => "break";
    const sf = testClient({ baseUrl: platform.baseUrl, apiKey: testKey }, { timing });
    expect((await rejectionOf(call(sf))).code).toBe("upstream_error");
    expect(platform.arrived).toHaveLength(times);
  });
});

test.each<[string, (sf: TestClient) => Promise<unknown>]>([
  ["an answer that is none", (sf) => sf.approvals.answer(approvalId, { answer: "approve" as "approved" })],
  [
    "whose answer it is",
    (sf) => sf.approvals.answer(approvalId, { answer: "approved", decidedBy: "me" } as never),
  ],
  ["an id that is none", (sf) => sf.approvals.get("../keys")],
  ["an id that is another's kind", (sf) => sf.approvals.answer(grant.grantId, { answer: "denied" })],
  ["a grant that is none", (sf) => sf.approvals.revoke(approvalId)],
  ["a wait that is too long", (sf) => sf.approvals.get(approvalId, { waitMs: 25_001 })],
  ["an unknown status", async (sf) => await sf.approvals.list({ status: "open" as "pending" })],
  ["an unknown option", (sf) => sf.approvals.get(approvalId, { wait: 1 } as never)],
])("%s is refused before anything is sent", async (_, call) => {
  const sf = testClient({ baseUrl: platform.baseUrl, apiKey: testKey });
  expect((await rejectionOf(call(sf))).code).toBe("invalid_input");
  expect(platform.arrived).toStrictEqual([]);
});

test("of an id that was cut off it is said that it is not whole, and not how those begin", async () => {
  const sf = testClient({ baseUrl: platform.baseUrl, apiKey: testKey });
  expect((await rejectionOf(sf.approvals.get("appr_x"))).message).toContain("is no whole approval's id");
  expect((await rejectionOf(sf.approvals.revoke("grant_x"))).message).toContain("is no whole grant's id");
  expect(platform.arrived).toStrictEqual([]);
});

test("without a key nothing is sent", async () => {
  const sf = testClient({ baseUrl: platform.baseUrl });
  expect(await rejectionOf(sf.approvals.get(approvalId))).toBeInstanceOf(MissingApiKeyError);
  expect(platform.arrived).toStrictEqual([]);
});

test.each<[string, unknown, (sf: TestClient) => Promise<unknown>]>([
  ["an approval", { ...approval, status: "granted" }, (sf) => sf.approvals.get(approvalId)],
  ["an approval with more than it has", { ...approval, isFine: true }, (sf) => sf.approvals.get(approvalId)],
  ["a list", { items: [{}] }, async (sf) => await sf.approvals.list()],
  ["grants", { items: "all" }, (sf) => sf.approvals.grants()],
])("%s that is none is believed in no part", async (_, data, call) => {
  platform.handler = () => answer(data);
  const sf = testClient({ baseUrl: platform.baseUrl, apiKey: testKey });
  const error = await rejectionOf(call(sf));
  expect(error).toBeInstanceOf(UpstreamError);
  expect(error.retry).toBe("never");
});

test("the session of a call travels with it, and one that is none does not", async () => {
  const sf = testClient({ baseUrl: platform.baseUrl, apiKey: testKey });
  await sf.notes.write({ text: "x" }, { sessionId: "monday" });
  expect(platform.arrived[0]?.headers.get("x-sf-session")).toBe("monday");
  expect((await rejectionOf(sf.notes.write({ text: "x" }, { sessionId: "a b" }))).code).toBe("invalid_input");
  expect(platform.arrived).toHaveLength(1);
});
