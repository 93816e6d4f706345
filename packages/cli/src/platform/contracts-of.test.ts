// The contracts of a platform: that Ctrl-C is heard while they are loaded, and what nobody loads.
import { existsSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { Home, notesPack, routedPack } from "../../test-data/run-sf.ts";
import { startUp } from "../../test-data/run-up.ts";

async function served(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  onTestFinished(() => void (server.closeAllConnections(), server.close()));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe("Ctrl-C while the contracts are loaded ends it at once, and nothing was called", () => {
  test.each([
    ["manifest", ["manifest"]],
    ["explain", ["explain", "world.read"]],
    ["agent --dry-run", ["agent", "--tool", "world.read", "--dry-run"]],
    ["policy diff", ["policy", "diff", "a.json", "b.json"]],
    ["agent", ["agent", "--tool", "world.read", "--record-trace", "t.jsonl"]],
  ])("sf %s", async (_, argv) => {
    const ending = new AbortController();
    // It never answers.
    const url = await served(() => ending.abort("SIGINT"));
    const home = new Home({ SF_API_KEY: `sf_live_${"a".repeat(32)}` });
    home.write("a.json", {});
    home.write("b.json", {});
    const { code, out, err } = await home.run([...argv, "--url", url], { signal: ending.signal });
    expect({ code, out, err }).toStrictEqual({
      code: 130,
      out: "",
      err: expect.stringMatching(/^error cancelled: .*\n$/),
    });
    expect(existsSync(home.path("t.jsonl"))).toBe(false);
  });

  test("also of a pack that never comes to an end", async () => {
    const home = new Home();
    home.write("package.json", { type: "module" });
    home.write("pack.mjs", "await new Promise(() => undefined);");
    const ending = new AbortController();
    const entering = () => ending.abort("SIGINT");
    const argv = ["manifest", "--pack", "./pack.mjs"];
    expect(await home.run(argv, { signal: ending.signal, entering })).toMatchObject({ code: 130, out: "" });
  });
});

/** A home with a pack that leaves a mark when it is loaded. */
function packHome(env: Readonly<Record<string, string>> = {}): Home {
  const home = new Home(env);
  const mark = JSON.stringify(home.path("loaded"));
  home.write("pack.mjs", `import { writeFileSync } from "node:fs"; writeFileSync(${mark}, "");`);
  return home;
}

const refusal = (url: string) => ({
  code: 2,
  out: "",
  err: `error invalid_input: the platform at ${url} has its own tools, and --pack adds none to it; leave --pack out, or stop that platform (or unset SF_API_URL) to have one with these\n`,
});

describe("--pack beside a platform that has its own tools is bad usage, and its module is not loaded", () => {
  const commands = [["manifest"], ["agent", "--tool", "x.y"], ["agent", "--tool", "x.y", "--dry-run"]];

  test.each(commands)("at SF_API_URL: sf %s", async (...argv) => {
    const url = "http://127.0.0.1:1";
    const home = packHome({ SF_API_URL: url, SF_API_KEY: `sf_live_${"a".repeat(32)}` });
    expect(await home.run([...argv, "--pack", "./pack.mjs"])).toStrictEqual(refusal(url));
    expect(existsSync(home.path("loaded"))).toBe(false);
  });

  test.each(commands)("that is up in this folder: sf %s", async (...argv) => {
    const home = packHome();
    const { url } = await startUp(home, ["--port", "0", "--no-markets"]);
    expect(await home.run([...argv, "--pack", "./pack.mjs"])).toStrictEqual(refusal(url));
    expect(existsSync(home.path("loaded"))).toBe(false);
  });
});

test("a tool without a title is listed with the first sentence of its description", async () => {
  const home = new Home();
  const { code, out } = await home.run(["manifest", "--pack", notesPack]);
  expect(code).toBe(0);
  expect(out).toMatch(/^notes\.add .* Adds a note, once for each key\.$/m);
});

describe("the example markets are listed as sf up would serve them", () => {
  test.each([
    ["without a pack", [], true],
    ["and not with --pack", ["--pack", notesPack], false],
  ])("%s", async (_, args, isListed) => {
    const { code, out } = await new Home().run(["manifest", ...args]);
    expect([code, /^world\.read /m.test(out), /^markets\./m.test(out)]).toStrictEqual([
      0,
      isListed,
      isListed,
    ]);
  });

  test("and so sf agent --pack does not call them", async () => {
    const home = new Home();
    const argv = ["agent", "--tool", "world.read"];
    expect((await home.run(argv)).code).toBe(0);
    expect(await home.run([...argv, "--pack", routedPack])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/^error unknown_tool: world\.read: /),
    });
  });
});
