// An agent over a platform, recorded once: then the platform is gone, nobody has a key, and its tests go on (B23, R1).
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SimpleFunctions } from "@spfunctions/sdk";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { rejectionOf } from "../../../contracts/test-data/refusal-of.ts";
import { testPlatform, type Way } from "../../../server/test-data/test-platform.ts";
import { defineTool, SimpleFunctionsAgent } from "../index.ts";
import { type AgentFixture, openFixture } from "./index.ts";

beforeEach(() => {
  vi.stubEnv("CI", "");
  vi.stubEnv("SF_RECORD", "");
  return () => vi.unstubAllEnvs();
});

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "simplefunctions-fixture-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "agent.jsonl");
}

const policy = { maxSideEffect: "user_write", maxCostEffect: "search_cost" } as const;

let runs = 0;
type Kind = { readonly sideEffect?: "user_write"; readonly costEffect?: "llm_cost" };
const tool = (name: string, kind: Kind = {}, run: () => unknown = () => null) =>
  defineTool({
    name,
    description: "Does something in a shop.",
    input: z.strictObject({ text: z.string().optional() }),
    output: {},
    permissions: [],
    sideEffect: "none",
    costEffect: "none",
    ...kind,
    http: { method: "POST", path: `/api/${name.replace(".", "/")}` },
    run: () => {
      runs += 1;
      return run() ?? { runs };
    },
  });
const packs = [
  tool("shop.look"),
  tool("shop.add", { sideEffect: "user_write" }),
  tool("shop.praise", { costEffect: "llm_cost" }),
  tool("shop.break", {}, () => {
    throw new Error("it is broken");
  }),
  tool("shop.idle"),
];

async function failureOf(work: Promise<unknown>): Promise<unknown> {
  const { code, message } = await rejectionOf(work);
  return [code, message];
}

/** Two answers, a refusal of this side, a failure of the platform's, and a tool that nobody has. */
async function ask(agent: AgentFixture): Promise<unknown[]> {
  const { shop } = agent.tools as unknown as { shop: { look(input: unknown): Promise<{ output: unknown }> } };
  return [
    (await shop.look({ text: "bread" })).output,
    (await agent.call("shop.add", { text: "milk" })).output,
    await failureOf(agent.call("shop.praise", {})),
    await failureOf(agent.call("shop.break", {})),
    await failureOf(agent.call("shop.lok", {})),
  ];
}

async function recorded(file: string, way: Way) {
  runs = 0;
  const { platform, key, baseUrl, fetch } = await testPlatform(way, { packs });
  const apiKey = await key("acct_1");
  const client = () =>
    new SimpleFunctions({ apiKey, baseUrl, retries: 0, fetch: (url, init) => fetch(new Request(url, init)) });
  const agent = await openFixture({ file, record: true, policy, client });
  const { mode } = agent;
  const said = await ask(agent);
  const manifest = await agent.manifest();
  await agent.close();
  await platform.close();
  return { said, apiKey, mode, manifest };
}

describe.each(["embedded", "socket"] as const)("recorded on a platform (%s), an agent", (way) => {
  test("is answered the same with the platform gone, no key and no network", async () => {
    const file = newFile();
    const { said, apiKey, mode } = await recorded(file, way);
    expect([mode, runs]).toStrictEqual(["live", 3]);
    expect(readFileSync(file, "utf8")).not.toContain(apiKey);
    vi.stubGlobal("fetch", () => {
      throw new Error("a replay has used the network");
    });
    onTestFinished(() => void vi.unstubAllGlobals());
    const client = vi.fn<() => never>(() => {
      throw new Error("a replay has asked for a client");
    });
    for (const use of [{}, { client }, { client: new SimpleFunctions() }]) {
      const agent = await openFixture({ file, policy, unused: "fail", ...use });
      expect([agent instanceof SimpleFunctionsAgent, agent.mode, agent.fixture.mode]).toStrictEqual([
        true,
        "replayOnly",
        "replay",
      ]);
      expect(await ask(agent)).toStrictEqual(said);
      await agent.close();
    }
    expect([runs, client.mock.calls]).toStrictEqual([3, []]);
  });
});

describe("what an agent asks and was not recorded", () => {
  test("is a miss with the nearest input, and a tool that is not in the fixture is one too", async () => {
    const file = newFile();
    await recorded(file, "embedded");
    const agent = await openFixture({ file, policy });
    expect(await rejectionOf(agent.call("shop.add", { text: "eggs" }))).toMatchObject({
      code: "replay_miss",
      message: expect.stringContaining('  /text: recorded "milk", asked "eggs"\n'),
      details: { tool: "shop.add", reason: "input_differs" },
    });
    expect(await rejectionOf(agent.call("shop.idle", {}))).toMatchObject({
      code: "replay_miss",
      message: expect.stringContaining("in it are: shop.look (1 recorded call), shop.add (1 recorded call)"),
      details: { tool: "shop.idle", reason: "tool_not_recorded" },
    });
    const stream = agent.stream("shop.add", { text: "salt" });
    for await (const event of stream) expect(event.type).not.toBe("tool.started");
    expect(await rejectionOf(stream.result)).toMatchObject({ details: { reason: "input_differs" } });
  });

  test("is unknown where the platform's contracts were given and do not have it", async () => {
    const file = newFile();
    const { manifest } = await recorded(file, "embedded");
    const agent = await openFixture({ file, policy, manifest });
    expect(await rejectionOf(agent.call("shop.wreck", {}))).toMatchObject({ code: "unknown_tool" });
    expect(await rejectionOf(agent.call("shop.idle", {}))).toMatchObject({
      code: "replay_miss",
      details: { reason: "tool_not_recorded" },
    });
  });
});

test("recording needs a key, and says so before anything is written", async () => {
  const file = newFile();
  const unkeyed = { file, record: true, client: new SimpleFunctions() };
  expect(await rejectionOf(openFixture(unkeyed))).toMatchObject({ code: "missing_api_key" });
  expect(await rejectionOf(openFixture(unkeyed))).toMatchObject({ code: "missing_api_key" });
  expect(await rejectionOf(openFixture({ file }))).toMatchObject({ details: { reason: "fixture_missing" } });
});
