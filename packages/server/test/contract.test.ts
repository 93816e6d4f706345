// The contract tests of the plan, on a socket and in process.
import { parseManifest, readsUserData } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { ask, testPlatform } from "../test-data/test-platform.ts";

const guardrails = { allowedVenues: ["kalshi"], maxOrderCostCents: 1000, maxQuantity: 10 };
const order = { venue: "kalshi", side: "yes", quantity: 1, limitPriceCents: 50, dryRun: true };

describe.each(["socket", "embedded"] as const)("contract tests (%s)", (way) => {
  async function manifest(query = "") {
    const { baseUrl, fetch } = await testPlatform(way);
    const answer = await fetch(new Request(`${baseUrl}/api/contracts/tools${query}`));
    return { answer, manifest: parseManifest(await answer.text()) };
  }

  test("/api/contracts/tools returns schema version 0.3.0-draft", async () => {
    const { answer, manifest: found } = await manifest();
    expect(answer.status).toBe(200);
    expect(found).toMatchObject({ schemaVersion: "0.3.0-draft", mode: "implemented" });
    expect(answer.headers.get("etag")).toBe(`"${found.digest}"`);
  });

  test("every active implemented tool has sideEffect", async () => {
    for (const { sideEffect } of (await manifest()).manifest.tools) expect(sideEffect).toBeTypeOf("string");
  });

  test("every active implemented tool has costEffect", async () => {
    for (const { costEffect } of (await manifest()).manifest.tools) expect(costEffect).toBeTypeOf("string");
  });

  test("every active implemented tool has access.anonymousAllowed", async () => {
    const { tools } = (await manifest()).manifest;
    expect(tools.length).toBeGreaterThan(20);
    for (const { access } of tools) expect(access.anonymousAllowed).toBeTypeOf("boolean");
  });

  test("anonymousAllowed=true implies authRequired=false, sideEffect=none, costEffect=none, and no user_data", async () => {
    const open = (await manifest()).manifest.tools.filter(({ access }) => access.anonymousAllowed);
    expect(open.map(({ name }) => name)).toStrictEqual(["calendar.list", "manifest.get", "manifest.list"]);
    for (const tool of open) {
      expect(tool).toMatchObject({ authRequired: false, sideEffect: "none", costEffect: "none" });
      expect(readsUserData(tool)).toBe(false);
    }
  });

  test("user_data permission implies authRequired=true", async () => {
    const personal = (await manifest()).manifest.tools.filter(readsUserData);
    expect(personal.map(({ name }) => name)).toStrictEqual(["keys.list", "portfolio.state"]);
    for (const { authRequired } of personal) expect(authRequired).toBe(true);
  });

  test("live_trade is active only behind explicit SDK/Agent policy guardrails", async () => {
    const platform = await testPlatform(way);
    const { key, deeds } = platform;
    const plain = await key("acct_1", { scopes: ["read", "write"] });
    const trading = await key("acct_1", { scopes: ["trade"], trade: guardrails });
    const refused = await ask(platform, "/api/execution", { key: plain, body: order });
    expect(refused).toMatchObject({ status: 403, body: { ok: false, error: { code: "policy_denied" } } });
    const tooMuch = await ask(platform, "/api/execution", { key: trading, body: { ...order, quantity: 11 } });
    expect(tooMuch).toMatchObject({ status: 403, body: { ok: false, error: { code: "trade_guardrail" } } });
    const real = await ask(platform, "/api/execution", { key: trading, body: { ...order, dryRun: false } });
    expect(real).toMatchObject({ status: 403, body: { ok: false, error: { code: "trade_guardrail" } } });
    const driven = await ask(platform, "/api/execution", {
      key: trading,
      body: order,
      headers: { "x-sf-origin": "model" },
    });
    expect(driven).toMatchObject({ status: 403, body: { ok: false, error: { code: "policy_denied" } } });
    expect(deeds).toStrictEqual([]);
    const dry = await ask(platform, "/api/execution", { key: trading, body: order });
    expect(dry).toMatchObject({ status: 200, body: { ok: true } });
  });

  test("events.* is not active or callable", async () => {
    const listed = (await manifest("?mode=review")).manifest.tools.find(
      ({ name }) => name === "events.search",
    );
    expect(listed).toMatchObject({ status: "deferred", agent: { callable: false } });
    expect((await manifest()).manifest.tools.some(({ name }) => name.startsWith("events."))).toBe(false);
    const platform = await testPlatform(way);
    const answer = await ask(platform, "/api/public/events", { key: await platform.key("acct_1") });
    expect(answer).toMatchObject({ status: 404, body: { ok: false, error: { code: "not_found" } } });
    expect(platform.deeds).toStrictEqual([]);
  });

  test.each(["get_world_state", "get_regime_history"])("%s is not canonical", async (name) => {
    const platform = await testPlatform(way);
    const answer = await ask(platform, `/api/contracts/tools/${name}`);
    expect(answer).toMatchObject({ status: 404, body: { ok: false, error: { code: "unknown_tool" } } });
  });
});
