// G1: what guards a platform is not ignored where it is misspelt or misgiven; it is said before anything listens.
import { createMemoryStore } from "@spfunctions/kernel";
import { describe, expect, test } from "vitest";
import { listen, openPlatform } from "../src/index.ts";
import { installation } from "../test-data/test-platform.ts";

const open = async (more: object) =>
  await openPlatform({ store: createMemoryStore(), installation, ...more });

describe("a platform refuses", () => {
  test.each<[string, object, string]>([
    ["a misspelt option", { allowedHost: ["a.example"] }, "allowedHost; did you mean allowedHosts?"],
    ["a misspelt limit of calls", { limits: { calls: { callMS: 5 } } }, 'did you mean "callMs"?'],
  ])("%s", async (_, more, message) => {
    await expect(open(more)).rejects.toThrow(message);
  });
});

describe("a socket refuses", () => {
  test("a misspelt option", async () => {
    const platform = await open({});
    const options = { port: 0, hostname: "0.0.0.0" };
    await expect(listen(platform, options)).rejects.toThrow(
      "unknown option of listen hostname; known are host, ",
    );
    await platform.close();
  });
});
