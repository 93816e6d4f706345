// Any tool by its canonical name: those the client was built with, and those the platform has besides.
import {
  buildManifest,
  type ErrorCode,
  InvalidManifestError,
  UnknownToolError,
} from "@spfunctions/contracts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { rejectionOf } from "../../contracts/test-data/refusal-of.ts";
import { toolDefinition } from "../../contracts/test-data/samples.ts";
import { fixtureManifest } from "../test-data/fixture-tools.ts";
import { testClient, testKey } from "../test-data/test-client.ts";
import { answer, refuse, say, sayManifest, TestPlatform } from "../test-data/test-platform.ts";
import { TestTiming } from "../test-data/test-timing.ts";

let platform: TestPlatform;
beforeEach(async () => {
  platform = await TestPlatform.start();
  platform.handler = (request) =>
    request.path === "/api/contracts/tools" ? sayManifest(request) : answer({ path: request.path });
});
afterEach(() => platform.stop());

const client = (options: object = {}) =>
  testClient({ baseUrl: platform.baseUrl, apiKey: testKey, ...options });
const manifestPath = "/api/contracts/tools";

describe("call", () => {
  test("knows the tools of its table without asking", async () => {
    expect(await client().call("markets.read", "FED")).toStrictEqual({ path: "/api/markets/FED" });
    expect(platform.paths).toStrictEqual(["/api/markets/FED"]);
  });

  test("finds others in the manifest, which it fetches once and without its key", async () => {
    const sf = client();
    await Promise.all([sf.call("weather.read", "Oslo"), sf.call("weather.read", { city: "Rome" })]);
    await sf.call("weather.read", "Bern");
    expect(platform.paths.filter((path) => path === manifestPath)).toHaveLength(1);
    expect(platform.paths.toSorted().slice(0, 3)).toStrictEqual([
      "/api/contracts/tools",
      "/api/weather/Bern",
      "/api/weather/Oslo",
    ]);
    expect(
      platform.arrived.map(({ path, headers }) => [path === manifestPath, headers.has("authorization")]),
    ).toContainEqual([true, false]);
  });

  test("reads their lists", async () => {
    platform.handler = (request) => {
      if (request.path === manifestPath) return sayManifest(request);
      return answer(request.path.includes("after") ? { items: ["c"] } : { items: ["a", "b"], next: "n" });
    };
    const items: unknown[] = [];
    for await (const item of client().call("weather.read", { city: "Oslo" })) items.push(item);
    expect(items).toStrictEqual(["a", "b", "c"]);
  });

  test("needs a key where their contracts do", async () => {
    const error = await rejectionOf(client({ apiKey: undefined }).call("weather.read", "Oslo"));
    expect([error.code, platform.paths]).toStrictEqual(["missing_api_key", [manifestPath]]);
  });

  // proves KEY-12.16
  test.each(["weather_read", "Weather.Read", "wether.read", "weather.read ", "WEATHER.READ"])(
    "suggests, and never takes %s for another name",
    async (name) => {
      const error = await rejectionOf(client().call(name, "Oslo"));
      expect(error).toBeInstanceOf(UnknownToolError);
      expect([error.details, platform.paths]).toStrictEqual([
        { suggestions: ["weather.read"] },
        [manifestPath],
      ]);
    },
  );

  test.each(["__proto__", "constructor", "toString", "", "get_world_state"])(
    "does not know %j",
    async (name) => {
      expect(await rejectionOf(client().call(name))).toBeInstanceOf(UnknownToolError);
    },
  );

  test("says of a tool without a route that it is local", async () => {
    expect((await rejectionOf(client().call("files.read"))).code).toBe("tool_not_callable");
  });

  test("asks again for a name that is not in the manifest it keeps, which only travels when it has changed", async () => {
    const answered: number[] = [];
    let manifest = fixtureManifest;
    platform.handler = (request) => {
      const reply = request.path === manifestPath ? sayManifest(request, manifest) : answer({});
      answered.push(reply.status);
      return reply;
    };
    const sf = client();
    expect((await rejectionOf(sf.call("later.read"))).code).toBe("unknown_tool");
    expect((await rejectionOf(sf.call("later.read"))).code).toBe("unknown_tool");
    manifest = buildManifest([
      toolDefinition({ name: "later.read", http: { method: "GET", path: "/api/later" } }),
    ]);
    await sf.call("later.read");
    expect(answered).toStrictEqual([200, 304, 200, 200]);
  });

  test("of two who wait for the manifest, one that gives up does not end it for the other", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    platform.handler = async (request) => {
      if (request.path !== manifestPath) return answer("there");
      await promise;
      return sayManifest(request);
    };
    const sf = client();
    const stop = new AbortController();
    const first = rejectionOf(sf.call("weather.read", "Oslo", { signal: stop.signal }));
    const second = sf.call("weather.read", "Rome");
    await expect.poll(() => platform.arrived.length).toBe(1);
    stop.abort();
    expect((await first).code).toBe("cancelled");
    resolve();
    expect(await second).toBe("there");
  });
});

describe("the manifest", () => {
  // proves KEY-6.2
  test("needs no key, and none is sent", async () => {
    platform.handler = (request) =>
      request.path === manifestPath
        ? sayManifest(request)
        : say(
            200,
            fixtureManifest.tools.find(({ name }) => name === "world.read"),
          );
    for (const sf of [client(), client({ apiKey: undefined })]) {
      expect(await sf.manifest.list()).toStrictEqual(fixtureManifest);
      expect((await sf.manifest.get("world.read")).name).toBe("world.read");
    }
    expect(platform.paths.slice(0, 2)).toStrictEqual([manifestPath, `${manifestPath}/world.read`]);
    expect(platform.arrived.filter(({ headers }) => headers.has("authorization"))).toStrictEqual([]);
    expect(await client().manifest.list().withReceipt()).toMatchObject({
      requestId: "req_1",
      replayed: false,
    });
  });

  test.each<[string, () => Response, ErrorCode]>([
    [
      "with a wrong digest",
      () => say(200, { ...fixtureManifest, digest: `sha256:${"0".repeat(64)}` }),
      "invalid_manifest",
    ],
    [
      "with a tool that was changed",
      () =>
        say(200, {
          ...fixtureManifest,
          tools: fixtureManifest.tools.map((tool) => ({ ...tool, title: "x" })),
        }),
      "invalid_manifest",
    ],
    ["in an envelope", () => answer(fixtureManifest), "invalid_manifest"],
    ["that is a page", () => say(200, "<html>"), "upstream_error"],
    ["that is refused", () => refuse("forbidden", 403), "forbidden"],
  ])("%s is not believed", async (_, reply, code) => {
    platform.handler = reply;
    const sf = client({ retries: 0 });
    const errors = await Promise.all([sf.manifest.list(), sf.call("weather.read", "Oslo")].map(rejectionOf));
    expect(errors.map((error) => error.code)).toStrictEqual([code, code]);
  });

  test("of one tool is the tool, and not another one or a changed one", async () => {
    const [tool] = fixtureManifest.tools;
    platform.handler = () => say(200, { ...tool, title: "changed" });
    expect(await rejectionOf(client().manifest.get(tool?.name ?? ""))).toBeInstanceOf(InvalidManifestError);
    platform.handler = () => refuse("unknown_tool", 404, { details: { suggestions: ["world.read"] } });
    expect(await rejectionOf(client().manifest.get("word.read"))).toBeInstanceOf(UnknownToolError);
  });

  test("is fetched again after a fault", async () => {
    const timing = new TestTiming();
    platform.handler = (request, count) =>
      count === 1 ? "break" : request.path === manifestPath ? sayManifest(request) : answer(1);
    const sf = testClient({ baseUrl: platform.baseUrl, apiKey: testKey, retries: 0 }, { timing });
    expect((await rejectionOf(sf.call("weather.read", "Oslo"))).code).toBe("upstream_error");
    expect(await sf.call("weather.read", "Oslo")).toBe(1);
    expect(timing.pending).toBe(0);
  });
});
