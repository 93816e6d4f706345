// A1, A2, I1 over HTTP: what a client can try to get a call approved that nobody has approved.
import { createMemoryStore, verifyAccount } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../kernel/test-data/call-clock.ts";
import type { NewKey } from "../src/keys/change-keys.ts";
import { neutralWordsOf } from "../test-data/answer-words.ts";
import { approvalIn, asksAboutWrites, askingAccount, dataIn } from "../test-data/asking-account.ts";
import { recordsOf } from "../test-data/journal-records.ts";
import { type Answer, ask } from "../test-data/test-platform.ts";

const never = "appr_00000000-0000-4000-8000-000000000000";
const app = "https://app.example.com";
/** It makes keys without asking, and asks about trades. */
const termsOfBounded: NewKey = {
  scopes: ["write", "admin"],
  approvals: { requireForSideEffectAtOrAbove: "paper_trade" },
};

function codeOf({ status, body }: Answer): string {
  return `${status} ${body.ok ? "ok" : body.error.code}`;
}

describe.each(["socket", "embedded"] as const)("over HTTP (%s)", (way) => {
  test("B1: a forged id approves nothing, is answered as missing, and the attempt is on record", async () => {
    const { platform, operator, answer } = await askingAccount(way);
    expect(codeOf(await answer(never, operator, { answer: "approved" }))).toBe("404 not_found");
    for (const forged of ["appr_", "x", "..%2Fkeys", "appr_%00", `appr_${"a".repeat(300)}`]) {
      expect(codeOf(await answer(forged, operator, { answer: "approved" }))).toBe("404 not_found");
    }
    const records = await recordsOf(platform.store, "acct_1", "approval.answered");
    expect(records[0]).toMatchObject({
      approvalId: never,
      answer: "approved",
      error: { code: "not_found" },
    });
    expect(records.every(({ status, of }) => status === undefined && of === undefined)).toBe(true);
    expect((await verifyAccount(platform.store, "acct_1")).status).not.toBe("broken");
  });

  test("I1: another account's approval is answered as one that never was, byte for byte", async () => {
    const { platform, operator, asked, request } = await askingAccount(way);
    const { approvalId } = await asked();
    const stranger = await platform.key("acct_2", { scopes: ["admin"] });
    const pairs = [
      ["", {}],
      ["?waitMs=1", {}],
      ["/answer", { body: { answer: "approved" } }],
    ] as const;
    for (const [rest, more] of pairs) {
      const [theirs, nobodys] = await Promise.all(
        [approvalId, never].map((id) =>
          ask(platform, `/api/approvals/${id}${rest}`, { key: stranger, ...more }),
        ),
      );
      expect(codeOf(theirs as Answer)).toBe("404 not_found");
      expect(neutralWordsOf(theirs as Answer)).toBe(neutralWordsOf(nobodys as Answer));
    }
    expect(dataIn<object>((await request("/api/approvals", { key: stranger })).body)).toStrictEqual({
      items: [],
    });
    expect(dataIn((await request(`/api/approvals/${approvalId}`, { key: operator })).body).status).toBe(
      "pending",
    );
  });

  test("I1: the same for standing grants", async () => {
    const { platform, agent, operator, request, answer } = await askingAccount(way);
    const headers = { "x-sf-session": "s" };
    const { body } = await request("/api/notes", { key: agent, headers, body: { text: "milk" } });
    const approvalId = approvalIn(body);
    const granted = await answer(approvalId, operator, { answer: "approved_for_session" });
    const { grantId = "" } = dataIn(granted.body);
    const stranger = await platform.key("acct_2", { scopes: ["admin"] });
    const [theirs, nobodys] = await Promise.all(
      [grantId, grantId.replace(/.{4}$/, "0000")].map((id) =>
        request(`/api/approvals/grants/${id}/revoke`, { key: stranger, method: "POST" }),
      ),
    );
    expect(neutralWordsOf(theirs as Answer)).toBe(neutralWordsOf(nobodys as Answer));
    expect(codeOf(theirs as Answer)).toBe("404 not_found");
    expect(dataIn((await request("/api/approvals/grants", { key: stranger })).body)).toStrictEqual({
      items: [],
    });
    // Whoever has it sees it, and whoever sees it does not end it.
    const ownEnd = await request(`/api/approvals/grants/${grantId}/revoke`, { key: agent, method: "POST" });
    expect(codeOf(ownEnd)).toBe("403 forbidden");
    expect((await request("/api/notes", { key: agent, headers, body: { text: "milk" } })).status).toBe(200);
  });

  test("A2: neither who asked, nor a key without the scope, nor a token, nor nobody answers", async () => {
    const { platform, agent, operator, other, asked, answer, request } = await askingAccount(way, {
      allowedOrigins: [app],
    });
    const { approvalId } = await asked();
    const made = await request("/api/tokens", {
      key: other,
      body: { origin: app, scopes: ["read", "write"] },
    });
    const { token } = dataIn<{ token: string }>(made.body);
    const yes = { answer: "approved" };
    expect(codeOf(await answer(approvalId, agent, yes))).toBe("403 forbidden");
    // It does not even see it.
    expect(codeOf(await answer(approvalId, other, yes))).toBe("404 not_found");
    const page = { key: token, headers: { origin: app }, body: yes };
    expect(codeOf(await request(`/api/approvals/${approvalId}/answer`, page))).toBe("404 not_found");
    expect(codeOf(await request(`/api/approvals/${approvalId}/answer`, { body: yes }))).toBe(
      "401 missing_api_key",
    );
    const records = await recordsOf(platform.store, "acct_1", "approval.answered");
    expect(records.map(({ by, error }) => [by.kind, error?.code])).toStrictEqual([
      ["key", "forbidden"],
      ["key", "forbidden"],
      ["token", "forbidden"],
    ]);
    expect(dataIn((await request(`/api/approvals/${approvalId}`, { key: operator })).body).status).toBe(
      "pending",
    );
    expect(platform.deeds).toStrictEqual([]);
  });

  test("A2: an admin key does not approve what it asked for itself", async () => {
    const { platform, operator, request, answer } = await askingAccount(way);
    const both = await platform.key("acct_1", { scopes: ["write", "admin"], approvals: asksAboutWrites });
    const { body } = await request("/api/notes", { key: both, body: { text: "mine" } });
    const approvalId = approvalIn(body);
    expect(codeOf(await answer(approvalId, both, { answer: "approved" }))).toBe("403 forbidden");
    expect(codeOf(await answer(approvalId, operator, { answer: "approved" }))).toBe("200 ok");
  });

  test("A2: a key of whose calls some must be approved, and all that it has made, answer nothing of each other", async () => {
    const { platform, operator, request, answer } = await askingAccount(way);
    const ownerMade = await platform.key("acct_1", termsOfBounded);
    const made = async (key: string) =>
      dataIn<{ secret: string }>((await request("/api/keys", { key, body: termsOfBounded })).body).secret;
    const child = await made(ownerMade);
    const [grandchild, sibling] = [await made(child), await made(ownerMade)];
    const family = [ownerMade, child, grandchild, sibling];
    for (const asker of family) {
      const { body } = await request("/api/paper/orders", { key: asker, body: {} });
      const approvalId = approvalIn(body);
      for (const answerer of family)
        expect(codeOf(await answer(approvalId, answerer, { answer: "approved" }))).toBe("403 forbidden");
      expect(codeOf(await request("/api/paper/orders", { key: asker, body: {} }))).toBe(
        "409 approval_required",
      );
      expect(codeOf(await answer(approvalId, operator, { answer: "denied" }))).toBe("200 ok");
    }
    const records = await recordsOf(platform.store, "acct_1", "approval.answered");
    expect(records.filter(({ error }) => error?.code === "forbidden")).toHaveLength(16);
    expect(platform.deeds).toStrictEqual([]);
  });

  test("A2: nor once the key that made them has ended", async () => {
    const { platform, operator, request, answer } = await askingAccount(way);
    const { key, secret } = await platform.platform.createKey("acct_1", termsOfBounded);
    const made = async () =>
      dataIn<{ secret: string }>((await request("/api/keys", { key: secret, body: termsOfBounded })).body);
    const [one, other] = [await made(), await made()];
    await request(`/api/keys/${key.keyId}`, { key: operator, method: "DELETE" });
    const { body } = await request("/api/paper/orders", { key: one.secret, body: {} });
    const answered = await answer(approvalIn(body), other.secret, { answer: "approved" });
    expect(codeOf(answered)).toBe("403 forbidden");
  });

  test("A2: a key of whose calls some must be approved gets no secret of another that could answer for it", async () => {
    const { platform, request } = await askingAccount(way);
    const mine = await platform.platform.createKey("acct_1", termsOfBounded);
    const theirs = await platform.platform.createKey("acct_1", termsOfBounded);
    const made = await request("/api/keys", { key: mine.secret, body: termsOfBounded });
    const own = dataIn<{ key: { keyId: string } }>(made.body).key.keyId;
    const rotate = async (keyId: string) =>
      codeOf(await request(`/api/keys/${keyId}/rotate`, { key: mine.secret, method: "POST" }));
    expect(await rotate(theirs.key.keyId)).toBe("403 forbidden");
    expect([await rotate(mine.key.keyId), await rotate(own)]).toStrictEqual(["200 ok", "200 ok"]);
  });

  test("two keys of whose calls some must be approved answer each other where neither has made the other", async () => {
    const { operator, request, answer } = await askingAccount(way);
    const made = async () =>
      dataIn<{ secret: string }>((await request("/api/keys", { key: operator, body: termsOfBounded })).body);
    const [anna, ben] = [await made(), await made()];
    const { body } = await request("/api/paper/orders", { key: anna.secret, body: {} });
    expect(codeOf(await answer(approvalIn(body), ben.secret, { answer: "approved" }))).toBe("200 ok");
  });

  test("an admin key answers what a key asks that it has made", async () => {
    const { operator, request, answer } = await askingAccount(way);
    const body = { ...termsOfBounded, scopes: ["write"] };
    const made = dataIn<{ secret: string }>((await request("/api/keys", { key: operator, body })).body);
    const asked = await request("/api/paper/orders", { key: made.secret, body: {} });
    expect(codeOf(await answer(approvalIn(asked.body), operator, { answer: "approved" }))).toBe("200 ok");
  });

  test("an admin key that is bounded to some tools approves nothing of others", async () => {
    const { platform, asked, request, answer } = await askingAccount(way);
    const { approvalId } = await asked();
    const bounded = await platform.key("acct_1", { scopes: ["admin"], allowTools: ["paper.*"] });
    expect(codeOf(await request(`/api/approvals/${approvalId}`, { key: bounded }))).toBe("404 not_found");
    expect(codeOf(await answer(approvalId, bounded, { answer: "approved" }))).toBe("404 not_found");
    const near = await platform.key("acct_1", { scopes: ["admin"], allowTools: ["notes.*"] });
    expect(codeOf(await answer(approvalId, near, { answer: "approved" }))).toBe("200 ok");
  });

  test("B8, B9: a body is one of three words and their terms: never whose they are, and nothing that is nearly one", async () => {
    const { platform, operator, asked, answer, request } = await askingAccount(way);
    const { approvalId } = await asked();
    const bodies: readonly unknown[] = [
      { answer: "approve" },
      { answer: "yes" },
      { answer: "Approved" },
      { answer: "used" },
      { answer: true },
      {},
      null,
      [],
      [{ answer: "approved" }],
      { answer: "approved", decidedBy: { keyId: "key_boss", kind: "operator" } },
      { answer: "approved", by: "boss" },
      { answer: "approved", status: "approved" },
      { answer: "approved", fixed: ["/text"] },
      { answer: "denied", maxUses: 1 },
      { answer: "approved", note: "n".repeat(2001) },
      { answer: "approved", note: 1 },
      { answer: "approved_for_session", fixed: ["text"] },
      { answer: "approved_for_session", maxUses: 0 },
      { answer: "approved_for_session", forMs: 1.5 },
      '{"answer":"denied","answer":"approved"}',
      '{"answer":"approved"',
      '{"__proto__":{"answer":"approved"}}',
    ];
    for (const body of bodies) {
      expect([body, codeOf(await answer(approvalId, operator, body ?? "null"))]).toStrictEqual([
        body,
        "400 invalid_input",
      ]);
    }
    const huge = await answer(approvalId, operator, {
      answer: "approved",
      note: "n".repeat(2 ** 20),
    });
    expect(huge.status).toBe(413);
    const typed = await request(`/api/approvals/${approvalId}/answer`, {
      key: operator,
      body: { answer: "approved" },
      headers: { "content-type": "text/plain" },
    });
    expect(typed.status).toBe(415);
    expect(await recordsOf(platform.store, "acct_1", "approval.answered")).toStrictEqual([]);
    expect(dataIn((await request(`/api/approvals/${approvalId}`, { key: operator })).body).status).toBe(
      "pending",
    );
  });

  test("B8: of answers that come at once one stands; the same again is told so, another is refused, and each is on record", async () => {
    const { platform, operator, asked, answer, request, agent } = await askingAccount(way);
    const second = await platform.key("acct_1", { scopes: ["admin"] });
    const { approvalId } = await asked();
    const answers = await Promise.all([
      answer(approvalId, operator, { answer: "approved" }),
      answer(approvalId, operator, { answer: "approved" }),
      answer(approvalId, second, { answer: "denied" }),
      answer(approvalId, second, { answer: "denied" }),
    ]);
    const codes = answers.map(codeOf);
    const first = codes[0] === "200 ok";
    const won = ["200 ok", "200 ok"];
    const lost = ["409 invalid_transition", "409 invalid_transition"];
    expect(codes).toStrictEqual(first ? [...won, ...lost] : [...lost, ...won]);
    const records = await recordsOf(platform.store, "acct_1", "approval.answered");
    expect(records.filter(({ status }) => status !== undefined)).toHaveLength(1);
    const call = await request("/api/notes", { key: agent, body: { text: "milk" } });
    expect(codeOf(call)).toBe(first ? "200 ok" : "403 approval_denied");
    expect(platform.deeds).toHaveLength(first ? 1 : 0);
  });

  test("A1: one approval runs one call, also when two come at once", async () => {
    const { platform, agent, operator, asked, answer, request } = await askingAccount(way);
    const { approvalId } = await asked();
    await answer(approvalId, operator, { answer: "approved" });
    const calls = await Promise.all(
      [1, 2, 3].map(() => request("/api/notes", { key: agent, body: { text: "milk" } })),
    );
    expect(calls.map(codeOf).toSorted()).toStrictEqual([
      "200 ok",
      "409 approval_required",
      "409 approval_required",
    ]);
    expect(platform.deeds).toHaveLength(1);
  });

  test("A1: what was approved is that input, that key and that tool; anything else is asked about anew", async () => {
    const { platform, operator, other, asked, answer, request, agent } = await askingAccount(way);
    const { approvalId } = await asked();
    await answer(approvalId, operator, { answer: "approved" });
    const twin = await platform.key("acct_1", { scopes: ["read", "write"], approvals: asksAboutWrites });
    expect(codeOf(await request("/api/notes", { key: agent, body: { text: "milk and more" } }))).toBe(
      "409 approval_required",
    );
    expect(codeOf(await request("/api/notes", { key: twin, body: { text: "milk" } }))).toBe(
      "409 approval_required",
    );
    expect(codeOf(await request("/api/sessions/touch", { key: agent, body: { text: "milk" } }))).toBe(
      "200 ok",
    );
    expect(codeOf(await request("/api/notes", { key: other, body: { text: "milk" } }))).toBe("200 ok");
    expect(codeOf(await request("/api/notes", { key: agent, body: { text: "milk" } }))).toBe("200 ok");
  });
});

test("B9: what has run out is expired from that millisecond on, for everybody, whether it was swept up or not", async () => {
  const clock = new ManualClock(Date.now());
  const store = createMemoryStore();
  const { operator, agent, asked, answer, request } = await askingAccount("embedded", { clock, store });
  const [late, approved] = [await asked("late"), await asked("approved")];
  await answer(approved.approvalId, operator, { answer: "approved" });
  clock.jump(3_600_000 - 1);
  const statusOf = async (id: string) =>
    dataIn((await request(`/api/approvals/${id}`, { key: operator })).body).status;
  expect([await statusOf(late.approvalId), await statusOf(approved.approvalId)]).toStrictEqual([
    "pending",
    "approved",
  ]);
  clock.jump(1);
  expect([await statusOf(late.approvalId), await statusOf(approved.approvalId)]).toStrictEqual([
    "expired",
    "expired",
  ]);
  expect(codeOf(await answer(late.approvalId, operator, { answer: "approved" }))).toBe(
    "409 approval_expired",
  );
  expect(codeOf(await request("/api/notes", { key: agent, body: { text: "approved" } }))).toBe(
    "409 approval_required",
  );
  const listed = async (status: string) =>
    dataIn<{ items: { approvalId: string }[] }>(
      (await request(`/api/approvals?status=${status}`, { key: operator })).body,
    ).items.map(({ approvalId }) => approvalId);
  expect(new Set(await listed("expired"))).toStrictEqual(new Set([late.approvalId, approved.approvalId]));
  expect(await listed("approved")).toStrictEqual([]);
  expect(await listed("pending")).not.toContain(late.approvalId);
});

test("S1: a secret in an input or in a note is in no answer, no record and no event", async () => {
  const canary = "sf_live_CanaryCanaryCanaryCanaryCanary01";
  const { platform, agent, operator, request, answer } = await askingAccount();
  const call = await request("/api/notes", {
    key: agent,
    body: { text: `use ${canary}`, password: "hunter-22" },
  });
  const approvalId = approvalIn(call.body);
  const answers = [
    call,
    await request(`/api/approvals/${approvalId}`, { key: operator }),
    await request("/api/approvals", { key: operator }),
    await answer(approvalId, operator, { answer: "denied", note: `not with ${canary}` }),
    await request("/api/notes", { key: agent, body: { text: `use ${canary}`, password: "hunter-22" } }),
    await request("/api/approvals?status=any", { key: agent }),
  ];
  const texts = [JSON.stringify(answers.map(({ body }) => body))];
  const records = await Promise.all(
    (["approval.answered", "call.refused"] as const).map((kind) => recordsOf(platform.store, "acct_1", kind)),
  );
  texts.push(JSON.stringify(records));
  const kept = await platform.store.documents({
    kind: "approval",
    accountId: "acct_1",
    after: "",
    limit: 100,
  });
  texts.push(JSON.stringify(kept));
  expect(kept).toHaveLength(1);
  for (const secret of [canary, "hunter-22", agent, operator]) expect(texts.join("\n")).not.toContain(secret);
  expect(texts[0]).toContain("[redacted:");
});
