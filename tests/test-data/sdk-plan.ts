// The SDK tests of the plan, against a platform with any pack, on a socket and in process.
import { type ErrorCode, isSimpleFunctionsError, MissingApiKeyError } from "@spfunctions/contracts";
import { connectEmbedded, SimpleFunctions } from "@spfunctions/sdk";
import { describe, expect, test } from "vitest";
import type { TestPlatform, Way } from "../../packages/server/test-data/test-platform.ts";

type Act = () => PromiseLike<unknown>;

export type SdkPlan<House extends TestPlatform> = {
  readonly house: (way: Way) => Promise<House>;
  /** A call of every tool of its pack, as these tests make it. */
  readonly calls: (client: SimpleFunctions, house: House) => Readonly<Record<string, Act>>;
  /** Tools that the SDK does not know by itself: what there is it asks once, and then nothing more is sent. */
  readonly unknown: readonly string[];
  readonly sideEffecting: string;
  /** What anybody may read, and what is answered. */
  readonly freeRead: (client: SimpleFunctions) => ReturnType<SimpleFunctions["call"]>;
  readonly freeAnswer: unknown;
  /** Calls with a key where none belongs, and how each is refused. */
  readonly misplacedKey: (
    client: SimpleFunctions,
    key: string,
    house: House,
  ) => readonly (readonly [ErrorCode, Act])[];
};

/** A client with a key or without, and how many requests it has sent. */
export function openClient(house: TestPlatform, way: Way, apiKey?: string) {
  let sent = 0;
  const counted = (request: Request) => {
    sent++;
    return house.fetch(request);
  };
  const client =
    way === "embedded"
      ? connectEmbedded({ fetch: counted }, { apiKey })
      : new SimpleFunctions({
          apiKey,
          baseUrl: house.baseUrl,
          fetch: (url, init) => counted(new Request(url, init)),
        });
  return { client, sent: () => sent };
}

async function refusal(act: Act): Promise<unknown> {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error("it was not refused");
}

export function sdkPlan<House extends TestPlatform>(title: string, plan: SdkPlan<House>): void {
  describe.each(["socket", "embedded"] as const)(`${title} (%s)`, (way) => {
    const open = async () => {
      const house = await plan.house(way);
      return { house, ...openClient(house, way) };
    };
    noKeyTests(open, plan);
    keyTest(way, plan);
  });
}

type Opened<House> = ReturnType<typeof openClient> & { readonly house: House };

function noKeyTests<House extends TestPlatform>(
  open: () => Promise<Opened<House>>,
  plan: SdkPlan<House>,
): void {
  // proves KEY-3.4, KEY-6.1, KEY-20.1
  test("no-key SDK can call manifest.list()", async () => {
    const { client } = await open();
    expect(client.hasApiKey()).toBe(false);
    expect(await client.manifest.list()).toMatchObject({ schemaVersion: "0.3.0-draft", mode: "implemented" });
  });

  // proves KEY-3.4, KEY-6.2, KEY-20.2
  test('no-key SDK can call manifest.get("world.read")', async () => {
    const { client } = await open();
    expect(await client.manifest.get("world.read")).toMatchObject({
      name: "world.read",
      costEffect: "api_cost",
      http: { method: "GET", path: "/api/agent/world" },
    });
  });

  // proves KEY-3.6, KEY-6.8, KEY-6.9, KEY-6.10, KEY-6.12, KEY-15.2, KEY-20.3, KEY-20.4, KEY-20.5, KEY-20.6
  // proves KEY-20.7
  // proves RUN-15.2
  test.each([
    ["auth-required tool", "world.read"],
    ["costEffect=llm_cost", "brief.write"],
    ["costEffect=search_cost", "research.query"],
    ["side-effecting tool", plan.sideEffecting],
    ["user_data tool", "portfolio.state"],
    ["live_trade tool", "execution.place"],
  ])("no-key SDK call to %s throws MissingApiKeyError", async (_, tool) => {
    const { client, house, sent } = await open();
    const call = plan.calls(client, house)[tool];
    if (call === undefined) throw new Error(`${tool} is not called`);
    expect(await refusal(call)).toBeInstanceOf(MissingApiKeyError);
    expect(await refusal(call)).toBeInstanceOf(MissingApiKeyError);
    expect(sent()).toBe(plan.unknown.includes(tool) ? 1 : 0);
    expect(house.deeds).toStrictEqual([]);
  });

  // proves KEY-3.6, KEY-11.5
  test("no-key SDK call of a method that needs a key sends nothing at all", async () => {
    const { client, sent } = await open();
    for (const act of [
      () => client.keys.create({}),
      () => client.keys.list(),
      () => client.runtime.status(),
      () => client.tokens.create({ origin: "https://app.example.com" }),
    ])
      expect(await refusal(act)).toBeInstanceOf(MissingApiKeyError);
    expect(sent()).toBe(0);
  });

  // proves KEY-3.1, KEY-3.5, KEY-6.3, KEY-20.8
  test("no-key SDK call to an explicit free public read succeeds only when anonymousAllowed=true", async () => {
    const { client, house } = await open();
    const { data, receipt } = await plan.freeRead(client).withReceipt();
    expect(data).toStrictEqual(plan.freeAnswer);
    expect(receipt).toMatchObject({ principal: { kind: "anonymous" }, verdict: { outcome: "allow" } });
    const { access } = await client.manifest.get("calendar.list");
    expect(access).toStrictEqual({ anonymousAllowed: true });
    const done = house.deeds.length;
    const { tools } = await client.manifest.list();
    const closed = tools.filter((tool) => !tool.access.anonymousAllowed).map(({ name }) => name);
    const calls = plan.calls(client, house);
    expect(Object.keys(calls).filter((name) => !closed.includes(name))).toStrictEqual(["calendar.list"]);
    for (const name of closed)
      expect(await refusal(calls[name] ?? (() => client.call(name, {})))).toBeInstanceOf(MissingApiKeyError);
    expect(house.deeds.length).toBe(done);
  });
}

function keyTest<House extends TestPlatform>(way: Way, plan: SdkPlan<House>): void {
  // proves KEY-5.5, KEY-15.4, KEY-20.9
  test("errors never include raw API keys", async () => {
    const house = await plan.house(way);
    const wrong = "sf_live_0123456789abcdefghijklmnopqrstuv";
    const key = await house.key("acct_1");
    const { client } = openClient(house, way, key);
    const stranger = openClient(house, way, wrong).client;
    const acts: readonly (readonly [ErrorCode, Act])[] = [
      ["invalid_api_key", () => stranger.runtime.status()],
      ["invalid_api_key", () => stranger.world.read()],
      ["policy_denied", () => client.runtime.stop()],
      ["unknown_tool", () => client.call(key, {})],
      ...plan.misplacedKey(client, key, house),
    ];
    const errors: unknown[] = [];
    for (const [, act] of acts) errors.push(await refusal(act));
    expect(errors.map((error) => isSimpleFunctionsError(error) && error.code)).toStrictEqual(
      acts.map(([code]) => code),
    );
    const said = errors.map((error) => `${String(error)} ${JSON.stringify(error)} ${(error as Error).stack}`);
    for (const one of [wrong, key]) expect(said.join()).not.toContain(one.slice(8));
  });
}
