// G3, A2, I1 over HTTP: what a client can try to reach what nobody has granted it.
import { verifyAccount } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { neutralWordsOf } from "../test-data/answer-words.ts";
import { dataIn, errorIn } from "../test-data/asking-account.ts";
import { recordsOf } from "../test-data/journal-records.ts";
import { page, type ReachingAccount, reachingAccount } from "../test-data/reaching-account.ts";
import type { Answer } from "../test-data/test-platform.ts";

const never = "cap_00000000-0000-4000-8000-000000000000";
const app = "https://app.example.com";
const yes = { answer: "granted" } as const;

function codeOf({ status, body }: Answer): string {
  return `${status} ${body.ok ? "ok" : body.error.code}`;
}

async function lentOf({ request, agent }: ReachingAccount): Promise<string> {
  const lent = await request("/api/runs/run_0123456789/credential", { key: agent, body: {} });
  return dataIn<{ token: string }>(lent.body).token;
}

describe.each(["socket", "embedded"] as const)("over HTTP (%s)", (way) => {
  test("B1: a forged id grants nothing, and is answered as missing; so is a capability in its place", async () => {
    const { platform, operator, answer, list, agent, fetch } = await reachingAccount(way);
    expect(codeOf(await answer(never, operator, yes))).toBe("404 not_found");
    for (const forged of [
      "cap_",
      "net",
      "net:example.com",
      "..%2Fkeys",
      "cap_%00",
      `cap_${"a".repeat(300)}`,
    ]) {
      expect([forged, codeOf(await answer(forged, operator, yes))]).toStrictEqual([forged, "404 not_found"]);
    }
    expect(await list(operator, "?status=granted")).toStrictEqual([]);
    expect(codeOf(await fetch(agent))).toBe("403 capability_denied");
    const records = await recordsOf(platform.store, "acct_1", "capability.answered");
    expect(records).toMatchObject([{ named: never, answer: "granted", error: { code: "not_found" } }]);
    expect((await verifyAccount(platform.store, "acct_1")).status).not.toBe("broken");
  });

  test("I1: another account's is answered as one that never was, byte for byte, and grants there are none here", async () => {
    const { platform, operator, agent, asked, answer, list, fetch, request } = await reachingAccount(way);
    const { grantId } = await asked();
    const stranger = await platform.key("acct_2", { scopes: ["admin"] });
    for (const body of [yes, { answer: "denied" }, { answer: "revoked" }]) {
      const [theirs, nobodys] = await Promise.all([grantId, never].map((id) => answer(id, stranger, body)));
      expect(codeOf(theirs as Answer)).toBe("404 not_found");
      expect(neutralWordsOf(theirs as Answer)).toBe(neutralWordsOf(nobodys as Answer));
    }
    expect(await list(stranger, "?status=any")).toStrictEqual([]);
    const made = await request("/api/grants", { key: stranger, body: { capability: "net" } });
    expect(codeOf(made)).toBe("200 ok");
    expect(codeOf(await fetch(agent))).toBe("403 capability_denied");
    expect((await list(operator)).map((one) => [one.grantId, one.status])).toStrictEqual([
      [grantId, "pending"],
    ]);
  });

  test("A2: neither who asked, nor a key without the scope, nor a token, nor a run, nor nobody answers", async () => {
    const account = await reachingAccount(way, { allowedOrigins: [app] });
    const { platform, agent, operator, other, asked, answer, list, request, reached } = account;
    const { grantId } = await asked();
    const made = await request("/api/tokens", {
      key: agent,
      body: { origin: app, scopes: ["read", "write"] },
    });
    const pageOf = { key: dataIn<{ token: string }>(made.body).token, headers: { origin: app } };
    const run = await lentOf(account);
    // Whoever asked sees it, and is told that it may not; to the others it is not there.
    expect(codeOf(await answer(grantId, agent, yes))).toBe("403 forbidden");
    const unseen = await answer(grantId, other, yes);
    expect(codeOf(unseen)).toBe("404 not_found");
    expect(neutralWordsOf(unseen)).toBe(neutralWordsOf(await answer(never, other, yes)));
    expect(codeOf(await answer(grantId, run, yes))).toBe("404 not_found");
    expect(codeOf(await request(`/api/grants/${grantId}/answer`, { ...pageOf, body: yes }))).toBe(
      "404 not_found",
    );
    expect(codeOf(await request(`/api/grants/${grantId}/answer`, { body: yes }))).toBe("401 missing_api_key");
    const name = { body: { capability: "net" } };
    const grants = [
      await request("/api/grants", { key: agent, ...name }),
      await request("/api/grants", { key: run, ...name }),
      await request("/api/grants", { ...pageOf, ...name }),
    ];
    expect(grants.map(codeOf)).toStrictEqual(["403 forbidden", "403 forbidden", "403 forbidden"]);
    expect(codeOf(await request("/api/grants", name))).toBe("401 missing_api_key");
    const records = await recordsOf(platform.store, "acct_1", "capability.answered");
    expect(records.map(({ by, error }) => [by.kind, error?.code])).toStrictEqual([
      ["key", "forbidden"],
      ["key", "forbidden"],
      ["key", "forbidden"],
      ["run", "forbidden"],
      ["token", "forbidden"],
      ["key", "forbidden"],
      ["run", "forbidden"],
      ["token", "forbidden"],
    ]);
    expect(await list(operator)).toMatchObject([{ grantId, status: "pending" }]);
    expect(reached).toStrictEqual([]);
  });

  test("a token and a run list nothing, and are told no more than that", async () => {
    const account = await reachingAccount(way, { allowedOrigins: [app] });
    const { agent, asked, request } = account;
    await asked();
    const made = await request("/api/tokens", { key: agent, body: { origin: app, scopes: ["write"] } });
    const token = dataIn<{ token: string }>(made.body).token;
    const lists = [
      await request("/api/grants?status=any", { key: token, headers: { origin: app } }),
      await request("/api/grants?status=any", { key: await lentOf(account) }),
    ];
    for (const { status, body } of lists)
      expect([status, errorIn(body).details]).toStrictEqual([403, { reason: "token_list" }]);
    expect(codeOf(await request("/api/grants", {}))).toBe("401 missing_api_key");
  });

  test("A2: an admin key does not grant what it asked for itself, and one that is bounded to some tools grants nothing", async () => {
    const { platform, operator, fetch, list, answer, request } = await reachingAccount(way);
    const both = await platform.key("acct_1", { scopes: ["read", "admin"] });
    await fetch(both);
    const [own] = await list(operator);
    expect(codeOf(await answer(own?.grantId ?? "", both, yes))).toBe("403 forbidden");
    const bounded = await platform.key("acct_1", { scopes: ["read", "admin"], allowTools: ["web.*"] });
    expect(codeOf(await answer(own?.grantId ?? "", bounded, yes))).toBe("404 not_found");
    expect(codeOf(await request("/api/grants", { key: bounded, body: { capability: "net" } }))).toBe(
      "403 forbidden",
    );
    await fetch(bounded, "https://other.example/");
    const [mine] = await list(bounded);
    expect(mine?.capability).toBe("net:other.example");
    expect(codeOf(await answer(mine?.grantId ?? "", bounded, yes))).toBe("403 forbidden");
    expect((await list(operator)).map(({ status }) => status)).toStrictEqual(["pending", "pending"]);
  });

  test("a body is what is granted, or one of three words, with their terms: never whose they are", async () => {
    const { platform, operator, asked, answer, request, list } = await reachingAccount(way);
    const { grantId } = await asked();
    const answers: readonly unknown[] = [
      { answer: "grant" },
      { answer: "Granted" },
      { answer: "used" },
      { answer: true },
      {},
      null,
      [yes],
      { ...yes, decidedBy: { keyId: "boss", kind: "operator" } },
      { ...yes, by: "boss" },
      { ...yes, capability: "net" },
      { ...yes, keyId: "key_1" },
      { ...yes, scope: "always" },
      { ...yes, forMs: 0 },
      { ...yes, forMs: 1.5 },
      { ...yes, forMs: "1h" },
      { ...yes, note: "n".repeat(2001) },
      { ...yes, note: 1 },
      { answer: "denied", forMs: 5 },
      { answer: "revoked", scope: "once" },
      '{"answer":"denied","answer":"granted"}',
      '{"__proto__":{"answer":"granted"}}',
    ];
    const grants: readonly unknown[] = [
      {},
      null,
      { capability: grantId },
      { capability: "net:*" },
      { capability: "net:127.0.0.1" },
      { capability: "NET" },
      { capability: "net", accountId: "acct_2" },
      { capability: "net", holder: { accountId: "acct_2" } },
      { capability: "net", status: "granted" },
      { capability: "net", keyId: "no key!" },
      { capability: "net", runId: "monday" },
      { capability: "net", sessionId: "a b" },
      { capability: "net", answer: "granted" },
    ];
    for (const body of answers) {
      expect([body, codeOf(await answer(grantId, operator, body ?? "null"))]).toStrictEqual([
        body,
        "400 invalid_input",
      ]);
    }
    for (const body of grants) {
      const refused = await request("/api/grants", { key: operator, body: body ?? "null" });
      expect([body, codeOf(refused)]).toStrictEqual([body, "400 invalid_input"]);
    }
    expect(await recordsOf(platform.store, "acct_1", "capability.answered")).toStrictEqual([]);
    const huge = { ...yes, note: "n".repeat(2 ** 20) };
    expect((await answer(grantId, operator, huge)).status).toBe(413);
    const headers = { "content-type": "text/plain" };
    expect(
      (await request("/api/grants", { key: operator, body: { capability: "net" }, headers })).status,
    ).toBe(415);
    expect(await list(operator)).toMatchObject([{ grantId, status: "pending" }]);
  });

  test("terms that the kernel refuses are refused with where they are wrong, and are on record", async () => {
    const { platform, operator, asked, answer, request, list } = await reachingAccount(way);
    const { grantId } = await asked();
    const refused = [
      [await answer(grantId, operator, { ...yes, scope: "until" }), "/forMs"],
      [await answer(grantId, operator, { ...yes, scope: "turn" }), "/runId"],
      [await answer(grantId, operator, { ...yes, forMs: 1e12 }), "/forMs"],
      [await request("/api/grants", { key: operator, body: { capability: "net:*.co.uk" } }), "/capability"],
      [
        await request("/api/grants", { key: operator, body: { capability: "net", scope: "session" } }),
        "/sessionId",
      ],
    ] as const;
    for (const [one, path] of refused)
      expect([codeOf(one), errorIn(one.body).details?.["path"]]).toStrictEqual(["400 invalid_input", path]);
    const records = await recordsOf(platform.store, "acct_1", "capability.answered");
    expect(records.map(({ error }) => error?.code)).toStrictEqual(refused.map(() => "invalid_input"));
    expect(await list(operator)).toMatchObject([{ grantId, status: "pending" }]);
  });

  test("of answers that come at once one stands; another is refused, and each is on record", async () => {
    const { platform, operator, asked, answer, fetch, agent } = await reachingAccount(way);
    const second = await platform.key("acct_1", { scopes: ["admin"] });
    const { grantId } = await asked();
    const codes = (
      await Promise.all([
        answer(grantId, operator, yes),
        answer(grantId, second, { answer: "denied" }),
        answer(grantId, second, yes),
      ])
    ).map(codeOf);
    expect(codes.toSorted()).toStrictEqual(["200 ok", "409 invalid_transition", "409 invalid_transition"]);
    const [other] = codes[1] === "200 ok" ? [yes] : [{ answer: "denied" }];
    expect(codeOf(await answer(grantId, operator, other))).toBe("409 invalid_transition");
    const records = await recordsOf(platform.store, "acct_1", "capability.answered");
    expect(records.filter(({ grant }) => grant !== undefined)).toHaveLength(1);
    expect(records).toHaveLength(4);
    expect(codeOf(await fetch(agent))).toBe(codes[1] === "200 ok" ? "403 capability_denied" : "200 ok");
  });
});

test("once is once, also when several calls come at once", async () => {
  const { agent, operator, request, fetch, reached } = await reachingAccount();
  await request("/api/grants", { key: operator, body: { capability: "net:example.com" } });
  const direct = await Promise.all([1, 2, 3, 4].map(() => fetch(agent, page, {})));
  expect(direct.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(reached).toStrictEqual([page]);
});

test("S1: a secret in a note, or in place of an id, is in no answer, no record and no document", async () => {
  const canary = "sf_live_CanaryCanaryCanaryCanaryCanary01";
  const { platform, operator, agent, asked, answer, list, request } = await reachingAccount();
  const { grantId } = await asked();
  const wordy = `not with ${canary} ${"\u{1f512}\u202e".repeat(500)}`;
  const refused = [
    await request("/api/grants", { key: operator, body: { capability: "net", keyId: canary } }),
    await request("/api/grants", { key: operator, body: { capability: "net", sessionId: canary } }),
  ];
  expect(refused.map(codeOf)).toStrictEqual(["400 invalid_input", "400 invalid_input"]);
  const answers = [
    ...refused,
    await answer(grantId, operator, { ...yes, scope: "until", forMs: 60_000, note: wordy }),
    await request("/api/grants", { key: operator, body: { capability: "net", note: wordy } }),
    await answer(grantId, operator, { answer: "revoked", note: canary }),
  ];
  const texts = JSON.stringify([
    answers.map(({ body }) => body),
    await list(agent, "?status=any"),
    await list(operator, "?status=any"),
    await recordsOf(platform.store, "acct_1", "capability.answered"),
    await platform.store.documents({ kind: "capability", accountId: "acct_1", after: "", limit: 100 }),
  ]);
  for (const secret of [canary, agent, operator]) expect(texts).not.toContain(secret);
  expect(texts).toContain("[redacted:");
  expect(texts).toContain("\u{1f512}");
});
