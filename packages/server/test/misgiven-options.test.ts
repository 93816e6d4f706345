// G1: what guards a platform is not ignored where it is misspelt or misgiven; it is said before anything listens.
import { loadInstallation } from "@spfunctions/host/installation";
import { createMemoryStore, newInstallationSecret, openInstallation } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { listen, openPlatform } from "../src/index.ts";
import { gatedPack } from "../test-data/gated-pack.ts";
import { ask, installation, testPlatform } from "../test-data/test-platform.ts";

const open = async (more: object) =>
  await openPlatform({ store: createMemoryStore(), installation, ...more });

describe("a platform refuses", () => {
  test.each<[string, object, string]>([
    ["a misspelt option", { allowedHost: ["a.example"] }, "allowedHost; did you mean allowedHosts?"],
    ["a store that nobody waited for", { store: Promise.resolve() }, "store is a promise: await it"],
    ["a folder instead of a store", { store: "/data" }, "store is no store; give store: "],
    ["no store", { store: undefined }, "a platform needs a store and an installation"],
    [
      "what an installation is loaded in",
      { installation: loadInstallation({ env: { SF_INSTALLATION_KEY: "ab".repeat(32) } }) },
      "installation is no installation; give installation: loadInstallation(",
    ],
    [
      "a tool that is no list",
      { packs: gatedPack().pack[0] },
      "packs is a list: packs: [tool, [tool, tool], …]",
    ],
    ["a misspelt limit of calls", { limits: { calls: { callMS: 5 } } }, 'did you mean "callMs"?'],
  ])("%s", async (_, more, message) => {
    await expect(open(more)).rejects.toThrow(message);
  });

  test("a store of another installation, whose keys it would call mistyped", async () => {
    const store = createMemoryStore();
    const mine = await openPlatform({ store, installation, packs: gatedPack().pack });
    await mine.createKey("acct_1", { scopes: ["read"] });
    await mine.close();
    const other = openInstallation(newInstallationSecret());
    await expect(open({ store, installation: other })).rejects.toThrow(
      "this store belongs to an installation with another secret; open it with that one",
    );
    await (await open({ store })).close();
  });

  test("to be opened without anything", async () => {
    await expect(openPlatform(undefined as never)).rejects.toThrow(
      "each option stands in an object: { store, installation, ",
    );
  });
});

describe("a socket refuses", () => {
  test("a port that is taken, and says where another is chosen", async () => {
    const platform = await open({});
    const first = await listen(platform, { port: 0 });
    const port = Number(new URL(first.url).port);
    await expect(listen(platform, { port })).rejects.toThrow(
      `port ${port} of 127.0.0.1 is taken by another program; choose another (the option port, or --port), or 0 for any`,
    );
    await first.close(0);
    await platform.close();
  });

  test.each<[string, unknown, string]>([
    ["a platform that nobody waited for", Promise.resolve(), "what is to listen is a promise: await it"],
    ["nothing", undefined, "there is nothing to answer with; give a platform"],
  ])("%s", async (_, app, message) => {
    await expect(listen(app as never, { port: 0 })).rejects.toThrow(message);
  });

  test("a misspelt option", async () => {
    const platform = await open({});
    const options = { port: 0, hostname: "0.0.0.0" };
    await expect(listen(platform, options)).rejects.toThrow(
      "unknown option of listen hostname; known are host, ",
    );
    await platform.close();
  });
});

test("a key without the word Bearer is told how it is sent, good or not", async () => {
  const platform = await testPlatform();
  const good = await platform.key("acct_1");
  const bad = `sf_live_${"x".repeat(32)}`;
  const said = async (authorization: string) => {
    const { status, body } = await ask(platform, "/api/keys", { headers: { authorization } });
    return body.ok ? [status] : [status, body.error.code, body.error.message];
  };
  const [first, second, token] = [await said(good), await said(bad), await said("a.b.c")];
  expect(first).toStrictEqual([
    401,
    "invalid_api_key",
    "a key or token is sent after the word Bearer; send Authorization: Bearer <key>",
  ]);
  expect([second, token]).toStrictEqual([first, first]);
  expect((await said(`Basic ${good}`))[2]).toMatch(/^this is not a good key or token/);
});

test("a platform that is closed says so, and not that it will be back in a moment", async () => {
  const { platform, baseUrl } = await testPlatform();
  await platform.close();
  const response = await platform.fetch(new Request(`${baseUrl}/api/health`));
  expect(await response.json()).toMatchObject({
    error: {
      code: "lease_lost",
      status: 503,
      message: "this platform is closed; open another one to go on",
    },
  });
  expect(response.headers.get("retry-after")).toBeNull();
});
