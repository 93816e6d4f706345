// The SDK tests of the plan, against the real platform, on a socket and in process.
import { isSimpleFunctionsError, MissingApiKeyError } from "@spfunctions/contracts";
import { connectEmbedded, SimpleFunctions } from "@spfunctions/sdk";
import { describe, expect, test } from "vitest";
import { testPlatform, type Way } from "../packages/server/test-data/test-platform.ts";

/** A client, and how many requests it has sent. */
async function open(way: Way, apiKey?: string) {
  const house = await testPlatform(way);
  let sent = 0;
  const key = apiKey === "made" ? await house.key("acct_1") : apiKey;
  const counted = (request: Request) => {
    sent++;
    return house.fetch(request);
  };
  const client =
    way === "embedded"
      ? connectEmbedded({ fetch: counted }, { apiKey: key })
      : new SimpleFunctions({
          apiKey: key,
          baseUrl: house.baseUrl,
          fetch: (url, init) => counted(new Request(url, init)),
        });
  return { client, key, sent: () => sent, deeds: house.deeds };
}

async function refusal(act: () => Promise<unknown>): Promise<unknown> {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error("it was not refused");
}

/* oxlint-disable no-await-in-loop -- one after the other */
describe.each(["socket", "embedded"] as const)("SDK tests (%s)", (way) => {
  test("no-key SDK can call manifest.list()", async () => {
    const { client } = await open(way);
    expect(client.hasApiKey()).toBe(false);
    expect(await client.manifest.list()).toMatchObject({ schemaVersion: "0.3.0-draft", mode: "implemented" });
  });

  test('no-key SDK can call manifest.get("world.read")', async () => {
    const { client } = await open(way);
    expect(await client.manifest.get("world.read")).toMatchObject({
      name: "world.read",
      costEffect: "api_cost",
    });
  });

  test.each([
    ["auth-required tool", "world.read"],
    ["costEffect=llm_cost", "brief.write"],
    ["costEffect=search_cost", "research.query"],
    ["side-effecting tool", "notes.add"],
    ["user_data tool", "portfolio.state"],
  ])("no-key SDK call to %s throws MissingApiKeyError", async (_, tool) => {
    const { client, deeds, sent } = await open(way);
    await client.manifest.list();
    // By name alone: which tools there are is asked once, and then nothing more is sent.
    await refusal(async () => await client.call(tool, {}));
    const before = sent();
    const error = await refusal(async () => await client.call(tool, {}));
    expect(error).toBeInstanceOf(MissingApiKeyError);
    expect(sent()).toBe(before);
    expect(deeds).toStrictEqual([]);
  });

  test("no-key SDK call of a method that needs a key sends nothing at all", async () => {
    const { client, sent } = await open(way);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const act of [
      () => client.keys.create({}),
      () => client.keys.list(),
      () => client.runtime.status(),
      () => client.tokens.create({ origin: "https://app.example.com" }),
    ])
      expect(await refusal(async () => await act())).toBeInstanceOf(MissingApiKeyError);
    expect(sent()).toBe(0);
  });

  test("no-key SDK call to an explicit free public read succeeds only when anonymousAllowed=true", async () => {
    const { client } = await open(way);
    const { data, receipt } = await client.call("calendar.list", { day: "2026-11-16" }).withReceipt();
    expect(data).toStrictEqual({ tool: "calendar.list", echo: { day: "2026-11-16" } });
    expect(receipt).toMatchObject({ principal: { kind: "anonymous" }, verdict: { outcome: "allow" } });
    const { access } = await client.manifest.get("calendar.list");
    expect(access).toStrictEqual({ anonymousAllowed: true });
    const closed = (await client.manifest.list()).tools.filter((tool) => !tool.access.anonymousAllowed);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const { name } of closed)
      expect(await refusal(async () => await client.call(name, {}))).toBeInstanceOf(MissingApiKeyError);
  });

  test("errors never include raw API keys", async () => {
    const wrong = "sf_live_0123456789abcdefghijklmnopqrstuv";
    const good = await open(way, "made");
    const bad = await open(way, wrong);
    const errors = [
      await refusal(async () => await bad.client.runtime.status()),
      await refusal(async () => await good.client.runtime.stop()),
      await refusal(async () => await good.client.call("notes.add", { text: [good.key] })),
      await refusal(async () => await good.client.call("notes.add", { [good.key ?? ""]: 1 })),
      await refusal(async () => await good.client.call(good.key ?? "", {})),
    ];
    expect(errors.map((error) => isSimpleFunctionsError(error) && error.code)).toStrictEqual([
      "invalid_api_key",
      "policy_denied",
      "invalid_input",
      "invalid_input",
      "unknown_tool",
    ]);
    const said = errors
      .map((error) => `${String(error)} ${JSON.stringify(error)} ${(error as Error).stack}`)
      .join();
    for (const key of [wrong, good.key ?? ""]) expect(said).not.toContain(key.slice(8));
  });
});
