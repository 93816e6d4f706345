// A key's approval rules are among its terms: they are kept, shown, judged, and bind what the key can make.
import { describe, expect, test } from "vitest";
import { askingAccount, dataIn, errorIn } from "../test-data/asking-account.ts";
import { ask, testPlatform } from "../test-data/test-platform.ts";

const rules = {
  requireForSideEffectAtOrAbove: "runtime",
  requireForCostEffectAtOrAbove: "llm_cost",
  ttlMs: 60_000,
  approvers: ["key_boss"],
} as const;

type Made = { key: { keyId: string; approvals?: unknown }; secret: string };

test("they are kept with the key, shown with it, and stay when it is rotated", async () => {
  const { operator, request } = await askingAccount();
  const body = { name: "ruled", scopes: ["read", "write"], approvals: rules };
  const made = dataIn<Made>((await request("/api/keys", { key: operator, body })).body);
  expect(made.key.approvals).toStrictEqual(rules);
  const { keyId } = made.key;
  const rotated = await request(`/api/keys/${keyId}/rotate`, { key: operator, method: "POST" });
  expect(dataIn<Made>(rotated.body).key.approvals).toStrictEqual(rules);
  const listed = await request("/api/keys", { key: operator });
  const keys = dataIn<{ items: Made["key"][] }>(listed.body).items;
  expect(keys.find((one) => one.keyId === keyId)?.approvals).toStrictEqual(rules);
  const { secret } = dataIn<Made>(rotated.body);
  const brief = await request("/api/brief", { key: secret, body: {} });
  expect(errorIn(brief.body).code).toBe("approval_required");
  expect((await request("/api/notes", { key: secret, body: {} })).status).toBe(200);
});

test("a token asks for what its key must ask for", async () => {
  const origin = "https://app.example.com";
  const { agent, request } = await askingAccount("embedded", { allowedOrigins: [origin] });
  const made = await request("/api/tokens", { key: agent, body: { origin, scopes: ["write"] } });
  const { token } = dataIn<{ token: string }>(made.body);
  const { body } = await request("/api/notes", { key: token, headers: { origin }, body: {} });
  expect(errorIn(body).code).toBe("approval_required");
});

test.each([
  ["an unknown rule", { requireForEverything: true }, "/approvals"],
  ["an unknown effect", { requireForSideEffectAtOrAbove: "everything" }, "/approvals"],
  ["no time at all", { ...rules, ttlMs: 0 }, "/approvals"],
  [
    "a secret for an approver",
    { ...rules, approvers: [`sf_live_${"a1B2c3D4".repeat(4)}`] },
    "/approvals/approvers",
  ],
])("%s is refused, and no key is made", async (_, approvals, path) => {
  const { operator, request } = await askingAccount();
  const { status, body } = await request("/api/keys", { key: operator, body: { approvals } });
  expect([status, errorIn(body).code]).toStrictEqual([400, "invalid_input"]);
  expect(errorIn(body).details?.["path"]).toMatch(new RegExp(`^${path}`));
});

test("however long somebody is given, it ends", async () => {
  const { platform, request } = await askingAccount();
  const approvals = { requireForSideEffectAtOrAbove: "user_write", ttlMs: Number.MAX_SAFE_INTEGER } as const;
  const key = await platform.key("acct_1", { scopes: ["write"], approvals });
  const { body } = await request("/api/notes", { key, body: {} });
  const years =
    (Date.parse(errorIn(body).details?.["expiresAt"] as string) - Date.now()) / (365 * 86_400_000);
  expect(years).toBeLessThan(2);
});

describe("a key of whose calls some must be approved makes none that is freer", () => {
  const { requireForCostEffectAtOrAbove: _, ...others } = rules;
  test.each([
    ["without rules", undefined, 403],
    ["with one rule less", others, 403],
    ["asked later", { ...rules, requireForSideEffectAtOrAbove: "live_trade" }, 403],
    ["with more time", { ...rules, ttlMs: 60_001 }, 403],
    ["with approvers of its own", { ...rules, approvers: ["key_boss", "key_friend"] }, 403],
    ["with the same", rules, 200],
    [
      "asked about more, by fewer, within less time",
      { ...rules, requireForSideEffectAtOrAbove: "user_write", approvers: [], ttlMs: 1 },
      200,
    ],
  ])("%s", async (_name, approvals, status) => {
    const platform = await testPlatform();
    const ruled = await platform.key("acct_1", { scopes: ["read", "write", "admin"], approvals: rules });
    const made = await ask(platform, "/api/keys", { key: ruled, body: { scopes: ["read"], approvals } });
    expect(made.status).toBe(status);
  });
});
