// G1: what guards a platform is not ignored where it is misspelt or misgiven; it is said before anything listens.
import { loadInstallation } from "@spfunctions/host/installation";
import { createMemoryStore } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { listen, openPlatform } from "../src/index.ts";
import { gatedPack } from "../test-data/gated-pack.ts";
import { installation } from "../test-data/test-platform.ts";

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

  test("to be opened without anything", async () => {
    await expect(openPlatform(undefined as never)).rejects.toThrow(
      "each option stands in an object: { store, installation, ",
    );
  });
});

describe("a socket refuses", () => {
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
