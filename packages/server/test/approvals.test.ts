// A person approves what a key calls: at the platform nothing waits, nothing is claimed and nothing runs until somebody with another
// credential has said yes to exactly that call.
import { approvalSchema } from "@spfunctions/contracts";
import { openGuestOperator, verifyAccount } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { approvalIn, asksAboutWrites, askingAccount, dataIn, errorIn } from "../test-data/asking-account.ts";
import { recordsOf } from "../test-data/journal-records.ts";
import { ask, installation, testPlatform } from "../test-data/test-platform.ts";

describe.each(["socket", "embedded"] as const)("a call that must be approved (%s)", (way) => {
  test("is answered with 409 and which approval it takes; nothing runs and no key is claimed", async () => {
    const { platform, agent, request } = await askingAccount(way);
    const headers = { "idempotency-key": "once" };
    const { status, body } = await request("/api/notes", { key: agent, headers, body: { text: "milk" } });
    expect(status).toBe(409);
    expect(errorIn(body)).toStrictEqual({
      code: "approval_required",
      status: 409,
      message: expect.stringContaining("a person must approve"),
      details: expect.objectContaining({
        tool: "notes.add",
        approvalId: expect.stringMatching(/^appr_/),
        expiresAt: expect.stringMatching(/Z$/),
      }),
    });
    expect(body.meta.receipt?.verdict).toMatchObject({ outcome: "ask", gate: "approval" });
    expect(platform.deeds).toStrictEqual([]);
    const claim = { accountId: "acct_1", scope: "call:notes.add", key: "once" };
    expect(await platform.store.claim(claim, Date.now())).toBeUndefined();
  });

  test("runs once after an operator has approved it, under the same idempotency key, and is answered again from the record", async () => {
    const { platform, agent, operator, request, asked, answer } = await askingAccount(way);
    const headers = { "idempotency-key": "once" };
    const { approvalId } = await asked("milk", { headers });
    const approved = await answer(approvalId, operator, { answer: "approved", note: "go on" });
    expect(dataIn(approved.body)).toMatchObject({
      approvalId,
      status: "approved",
      tool: "notes.add",
      input: { text: "milk" },
      note: "go on",
    });
    const call = { key: agent, headers, body: { text: "milk" } };
    const first = await request("/api/notes", call);
    expect(first).toMatchObject({ status: 200, body: { ok: true, meta: { receipt: { approvalId } } } });
    const again = await request("/api/notes", call);
    expect(again).toMatchObject({ status: 200, body: { ok: true, meta: { replayed: true } } });
    expect(platform.deeds.map(({ input }) => input)).toStrictEqual([{ text: "milk" }]);
    const used = await request(`/api/approvals/${approvalId}`, { key: operator });
    expect(dataIn(used.body)).toMatchObject({ status: "used", usedBy: first.body.meta.receipt?.callId });
    expect(approvalSchema.parse(dataIn(used.body))).toStrictEqual(dataIn(used.body));
  });

  test("is refused with who said no, and why, once it was denied: B13", async () => {
    const { platform, agent, operator, request, asked, answer } = await askingAccount(way);
    const { approvalId } = await asked();
    await answer(approvalId, operator, { answer: "denied", note: "we have enough milk" });
    const { status, body } = await request("/api/notes", { key: agent, body: { text: "milk" } });
    expect({ status, code: errorIn(body).code }).toStrictEqual({ status: 403, code: "approval_denied" });
    expect(errorIn(body).message).toContain("we have enough milk");
    expect(platform.deeds).toStrictEqual([]);
  });

  test("is approved for its session, and then again only in it, with what was fixed, and as often as was said", async () => {
    const { platform, agent, operator, request, answer } = await askingAccount(way);
    const call = (session: string, text: string) =>
      request("/api/notes", { key: agent, headers: { "x-sf-session": session }, body: { text } });
    const approvalId = approvalIn((await call("morning", "milk")).body);
    const terms = { answer: "approved_for_session", fixed: ["/text"], maxUses: 2, forMs: 60_000 };
    const { body } = await answer(approvalId, operator, terms);
    const { grantId } = dataIn(body);
    const grants = await request("/api/approvals/grants", { key: agent });
    expect(dataIn<{ items: unknown }>(grants.body).items).toMatchObject([
      { grantId, sessionId: "morning", fixedInput: { "/text": "milk" }, maxUses: 2, uses: 0 },
    ]);
    const statuses = [];
    for (const [session, text] of [
      ["evening", "milk"],
      ["morning", "eggs"],
      ["morning", "milk"],
      ["morning", "milk"],
      ["morning", "milk"],
    ] as const) {
      statuses.push((await call(session, text)).status);
    }
    expect(statuses).toStrictEqual([409, 409, 200, 200, 409]);
    expect(platform.deeds).toHaveLength(2);
  });

  test("is asked about anew once a standing grant was revoked, and the revocation is on record", async () => {
    const { platform, agent, operator, request, answer } = await askingAccount(way);
    const call = () =>
      request("/api/notes", { key: agent, headers: { "x-sf-session": "s" }, body: { text: "milk" } });
    const approvalId = approvalIn((await call()).body);
    const { body } = await answer(approvalId, operator, {
      answer: "approved_for_session",
    });
    const { grantId = "" } = dataIn(body);
    expect((await call()).status).toBe(200);
    const revoke = { key: operator, method: "POST" };
    const revoked = await request(`/api/approvals/grants/${grantId}/revoke`, revoke);
    expect(dataIn(revoked.body)).toStrictEqual({ grantId });
    expect((await call()).status).toBe(409);
    expect((await request(`/api/approvals/grants/${grantId}/revoke`, revoke)).status).toBe(404);
    expect(await recordsOf(platform.store, "acct_1", "grant.revoked")).toMatchObject([{ grantId }]);
    expect((await verifyAccount(platform.store, "acct_1")).status).not.toBe("broken");
  });
});

test("the server's own policy asks as well as a key's, and the stricter counts", async () => {
  const policy = {
    maxSideEffect: "paper_trade",
    maxCostEffect: "llm_cost",
    approvals: asksAboutWrites,
  } as const;
  const platform = await testPlatform("embedded", { policy });
  const key = await platform.key("acct_1", {
    scopes: ["read", "write"],
    approvals: { requireForSideEffectAtOrAbove: "paper_trade" },
  });
  const { status, body } = await ask(platform, "/api/notes", { key, body: { text: "milk" } });
  expect([status, errorIn(body).code]).toStrictEqual([409, "approval_required"]);
  expect((await ask(platform, "/api/agent/world", { key })).status).toBe(200);
});

test("a read that costs can be asked about, and takes nothing from the quota until it ran", async () => {
  const platform = await testPlatform();
  const key = await platform.key("acct_1", {
    scopes: ["read"],
    approvals: { requireForCostEffectAtOrAbove: "search_cost" },
    quotas: { search_cost: 1 },
  });
  const operator = await platform.key("acct_1", { scopes: ["admin"] });
  const read = () => ask(platform, "/api/research?text=rain", { key });
  const first = await read();
  expect((await read()).status).toBe(409);
  const approvalId = approvalIn(first.body);
  await ask(platform, `/api/approvals/${approvalId}/answer`, { key: operator, body: { answer: "approved" } });
  expect((await read()).status).toBe(200);
  expect((await read()).status).toBe(429);
});

test("what a policy names as approvers may answer, sees what it may answer, and nothing else", async () => {
  const { platform, other, request, asked } = await askingAccount();
  const approver = await platform.platform.createKey("acct_1", { scopes: ["read"] });
  const agent = await platform.key("acct_1", {
    scopes: ["write"],
    approvals: { ...asksAboutWrites, approvers: [approver.key.keyId], ttlMs: 60_000 },
  });
  const unnamed = await asked("not theirs");
  const { approvalId, expiresAt } = await asked("theirs", { key: agent });
  expect(Date.parse(expiresAt) - Date.parse(unnamed.expiresAt)).toBeLessThan(0);
  const idsFor = async (key: string) => {
    const { body } = await request("/api/approvals", { key });
    return dataIn<{ items: { approvalId: string }[] }>(body).items.map((one) => one.approvalId);
  };
  expect(await idsFor(approver.secret)).toStrictEqual([approvalId]);
  expect(await idsFor(other)).toStrictEqual([]);
  expect((await request(`/api/approvals/${unnamed.approvalId}`, { key: approver.secret })).status).toBe(404);
  const answered = await request(`/api/approvals/${approvalId}/answer`, {
    key: approver.secret,
    body: { answer: "approved" },
  });
  expect(dataIn(answered.body).decidedBy?.keyId).toBe(approver.key.keyId);
  expect((await request("/api/notes", { key: agent, body: { text: "theirs" } })).status).toBe(200);
});

test("whoever says the same again is told what stands, and the journal has one answer", async () => {
  const { platform, agent, operator, request, asked, answer } = await askingAccount();
  const { approvalId } = await asked();
  const first = await answer(approvalId, operator, { answer: "approved", note: "one" });
  const second = await answer(approvalId, operator, { answer: "approved", note: "two" });
  expect(dataIn(second.body)).toStrictEqual(dataIn(first.body));
  await request("/api/notes", { key: agent, body: { text: "milk" } });
  const third = await answer(approvalId, operator, { answer: "approved" });
  expect(dataIn(third.body)).toMatchObject({ status: "used", note: "one" });
  const records = await recordsOf(platform.store, "acct_1", "approval.answered");
  expect(records.map(({ answer: word, status }) => [word, status])).toStrictEqual([["approved", "approved"]]);
});

test("an operator beside the platform, at its store, leaves an answer there, and the platform takes it and has it on record", async () => {
  const { platform, asked, request, agent } = await askingAccount();
  const first = await asked("milk");
  const beside = () =>
    openGuestOperator({
      store: platform.store,
      installation,
      principal: { accountId: "acct_1", keyId: "anna", scopes: ["admin"], kind: "operator" },
      waitMs: 5000,
    });
  expect(await beside().approve(first.approvalId)).toMatchObject({ status: "approved" });
  expect((await request("/api/notes", { key: agent, body: { text: "milk" } })).status).toBe(200);
  expect(await recordsOf(platform.store, "acct_1", "approval.answered")).toMatchObject([
    { approvalId: first.approvalId, answer: "approved", by: { keyId: "anna", kind: "operator" } },
  ]);
});
