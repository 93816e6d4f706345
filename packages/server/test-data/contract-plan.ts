// The contract tests of the plan, for a platform with any pack, on a socket and in process.
import { parseManifest, readsUserData, type ToolStatus } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import type { Platform } from "../src/open-platform.ts";
import { type Answer, ask, type TestPlatform, type Way } from "./test-platform.ts";

type KeyTerms = Parameters<Platform["createKey"]>[1];

export type ContractPlan<House extends TestPlatform> = {
  readonly house: (way: Way) => Promise<House>;
  /** The active tools of its pack. */
  readonly tools: readonly string[];
  /** Those active tools that read what is one account's own. */
  readonly personal: readonly string[];
  /** Names that are listed for review and nothing else. */
  readonly reserved: Readonly<Record<string, ToolStatus>>;
  readonly live: {
    readonly path: string;
    /** A dry run that the guardrails of both keys let through. */
    readonly order: (house: House) => Readonly<Record<string, unknown>>;
    /** A quantity that is over the guardrails. */
    readonly tooMany: number;
    /** A key that may try orders, and one that may place them. */
    readonly careful: KeyTerms;
    readonly trading: KeyTerms;
    readonly dryData: object;
    readonly placedData: object;
    /** How many orders stand or were done. */
    readonly placed: (house: House) => Promise<number>;
  };
};

const ownTools = [
  "keys.create",
  "keys.list",
  "keys.revoke",
  "keys.rotate",
  "keys.touch",
  "manifest.get",
  "manifest.list",
  "runtime.ensure",
  "runtime.status",
  "runtime.stop",
  "tokens.create",
];

export function contractPlan<House extends TestPlatform>(title: string, plan: ContractPlan<House>): void {
  describe.each(["socket", "embedded"] as const)(`${title} (%s)`, (way) => {
    const open = () => plan.house(way);
    manifestTests(open, plan);
    liveTradeTest(open, plan.live);
    reservedTests(open, plan);
  });
}

/** The manifest as it is sent: what a reader of manifests takes for granted may be missing there. */
async function manifestText({ baseUrl, fetch }: TestPlatform, query = "") {
  const answer = await fetch(new Request(`${baseUrl}/api/contracts/tools${query}`));
  return { answer, text: await answer.text() };
}

async function manifestTools(house: TestPlatform, query = "") {
  return parseManifest((await manifestText(house, query)).text).tools;
}

type RawTool = {
  readonly name: string;
  readonly sideEffect?: unknown;
  readonly costEffect?: unknown;
  readonly access?: { readonly anonymousAllowed?: unknown };
};

function manifestTests<House extends TestPlatform>(
  open: () => Promise<House>,
  { tools, personal }: ContractPlan<House>,
): void {
  /** What every active tool has at a place of its contract. */
  const found = async (read: (tool: RawTool) => unknown) => {
    const raw = JSON.parse((await manifestText(await open())).text) as { tools: readonly RawTool[] };
    expect(raw.tools.map(({ name }) => name)).toStrictEqual([...ownTools, ...tools].toSorted());
    return raw.tools.map((tool) => [tool.name, typeof read(tool)]);
  };
  const eachIs = (type: string) => [...ownTools, ...tools].toSorted().map((name) => [name, type]);

  // proves KEY-2.16, KEY-7.1, KEY-19.1
  test("/api/contracts/tools returns schema version 0.3.0-draft", async () => {
    const { answer, text } = await manifestText(await open());
    const manifest = parseManifest(text);
    expect(answer.status).toBe(200);
    expect(manifest).toMatchObject({ schemaVersion: "0.3.0-draft", mode: "implemented" });
    expect(answer.headers.get("etag")).toBe(`"${manifest.digest}"`);
  });

  // proves KEY-12.10, KEY-19.2
  test("every active implemented tool has sideEffect", async () => {
    expect(await found((tool) => tool.sideEffect)).toStrictEqual(eachIs("string"));
  });

  // proves KEY-12.8, KEY-12.10, KEY-19.3
  test("every active implemented tool has costEffect", async () => {
    expect(await found((tool) => tool.costEffect)).toStrictEqual(eachIs("string"));
  });

  // proves KEY-12.9, KEY-19.4
  test("every active implemented tool has access.anonymousAllowed", async () => {
    expect(await found((tool) => tool.access?.anonymousAllowed)).toStrictEqual(eachIs("boolean"));
  });

  // proves KEY-10.12, KEY-19.5
  test("anonymousAllowed=true implies authRequired=false, sideEffect=none, costEffect=none, and no user_data", async () => {
    const free = (await manifestTools(await open())).filter(({ access }) => access.anonymousAllowed);
    expect(free.map(({ name }) => name)).toStrictEqual(["calendar.list", "manifest.get", "manifest.list"]);
    for (const tool of free) {
      expect(tool).toMatchObject({ authRequired: false, sideEffect: "none", costEffect: "none" });
      expect(readsUserData(tool)).toBe(false);
    }
  });

  // proves KEY-19.6
  test("user_data permission implies authRequired=true", async () => {
    const reading = (await manifestTools(await open())).filter(readsUserData);
    expect(reading.map(({ name, authRequired }) => [name, authRequired])).toStrictEqual(
      personal.map((name) => [name, true]),
    );
  });
}

function liveTradeTest<House extends TestPlatform>(
  open: () => Promise<House>,
  { path, order: orderAt, tooMany, careful, trading, ...live }: ContractPlan<House>["live"],
): void {
  // proves KEY-19.7, KEY-24.13
  test("live_trade is active only behind explicit SDK/Agent policy guardrails", async () => {
    const house = await open();
    const order = orderAt(house);
    const plain = await house.key("acct_1", { scopes: ["read", "write"] });
    const trying = await house.key("acct_1", careful);
    const place = (key: string, body: object, headers = {}) => ask(house, path, { key, body, headers });
    expect([
      refusalIn(await place(plain, order)),
      refusalIn(await place(trying, { ...order, quantity: tooMany })),
      refusalIn(await place(trying, { ...order, venue: "polymarket" })),
      refusalIn(await place(trying, { ...order, dryRun: false })),
      refusalIn(await place(trying, order, { "x-sf-origin": "model" })),
    ]).toStrictEqual([
      [403, "policy_denied"],
      [403, "trade_guardrail"],
      [403, "trade_guardrail"],
      [403, "trade_guardrail"],
      [403, "policy_denied"],
    ]);
    expect(house.deeds).toStrictEqual([]);
    const tried = await place(trying, order);
    expect(tried).toMatchObject({ status: 200, body: { ok: true, data: live.dryData } });
    expect(await live.placed(house)).toBe(0);
    const placed = await place(await house.key("acct_1", trading), { ...order, dryRun: false });
    expect(placed).toMatchObject({ status: 200, body: { ok: true, data: live.placedData } });
    expect(await live.placed(house)).toBe(1);
  });
}

function refusalIn({ status, body }: Answer): readonly [number, string] {
  return [status, body.ok ? "it went through" : body.error.code];
}

function reservedTests<House extends TestPlatform>(
  open: () => Promise<House>,
  { reserved }: ContractPlan<House>,
): void {
  const names = Object.keys(reserved);
  const others = names.length > 1 ? ", nor is any other reserved name" : "";

  // proves KEY-10.23, KEY-19.8, KEY-24.7
  test(`events.* is not active or callable${others}`, async () => {
    const house = await open();
    const listed = (await manifestTools(house, "?mode=review")).filter(
      ({ status }) => status !== "implemented",
    );
    expect(listed.map(({ name, status, agent }) => [name, status, agent.callable])).toStrictEqual(
      Object.entries(reserved).map(([name, status]) => [name, status, false]),
    );
    const active = (await manifestTools(house)).map(({ name }) => name);
    expect(active.filter((name) => name.startsWith("events.") || names.includes(name))).toStrictEqual([]);
    const answer = await ask(house, "/api/public/events", { key: await house.key("acct_1") });
    expect(refusalIn(answer)).toStrictEqual([404, "not_found"]);
    expect(house.deeds).toStrictEqual([]);
  });

  // proves KEY-19.9, KEY-19.10
  test.each(["get_world_state", "get_regime_history"])("%s is not canonical", async (name) => {
    const answer = await ask(await open(), `/api/contracts/tools/${name}`);
    expect(refusalIn(answer)).toStrictEqual([404, "unknown_tool"]);
  });
}
