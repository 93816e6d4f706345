// What calls may reach at a platform: said over its own routes, with its operator's key, whoever else has its folder.
import { describe, expect, test } from "vitest";
import { made, secretIn, wayTo } from "../../test-data/keys-home.ts";
import { grantsIn, page, webPack } from "../../test-data/reaching-home.ts";
import { Home } from "../../test-data/run-sf.ts";
import { keyPath, startUp, type Up } from "../../test-data/run-up.ts";

const agentFolder = "home/.local/share/simplefunctions/agent";
const fetching = (...more: string[]) => [
  "agent",
  "--tool",
  "web.fetch",
  "--input",
  JSON.stringify({ url: page }),
  ...more,
];

async function reachingUp(): Promise<{ readonly home: Home; readonly up: Up }> {
  const home = new Home();
  return { home, up: await startUp(home, ["--port", "0", "--no-markets", "--pack", webPack]) };
}

/** The commands that are printed, without `sf`. */
function commandsIn(err: string): string[] {
  return [...err.matchAll(/: +sf (grants grant .*)$/gm)].map(([, command = ""]) => command);
}

describe("a call that lacks a capability", () => {
  test("is told for each side which command grants it there, and each works as it is printed", async () => {
    const { home, up } = await reachingUp();
    const first = await home.run(fetching());
    expect(first.code).toBe(3);
    const own = commandsIn(first.err);
    expect(own).toStrictEqual([
      `grants grant net:example.com --data ${home.path(agentFolder)}`,
      `grants grant net:example.com --for 1h --data ${home.path(agentFolder)}`,
    ]);
    expect((await home.run((own[1] ?? "").split(" "))).code).toBe(0);
    const second = await home.run(fetching());
    expect(second.code).toBe(3);
    const there = commandsIn(second.err);
    expect(there).toStrictEqual([
      `grants grant net:example.com --data ${home.path(".sf")}`,
      `grants grant net:example.com --for 1h --data ${home.path(".sf")}`,
    ]);
    expect(await home.run((there[0] ?? "").split(" "))).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        `is granted by key key_\\S+ of account local for one call, .*, in ${up.url}\n`,
      ),
    });
    expect(await home.run(fetching())).toMatchObject({ code: 0, out: `{\n  "reached": "${page}"\n}\n` });
    expect((await home.run(fetching())).code).toBe(3);
    const where = (await grantsIn(home, "--status", "any")).map((one) => [one.where, one.status]);
    expect(where).toStrictEqual([
      [home.path(agentFolder), "granted"],
      [up.url, "used"],
    ]);
  });

  test("names the platform where it was named, and whether a key is to be named with it", async () => {
    const { home, up } = await reachingUp();
    await home.run(fetching());
    await home.run(["grants", "grant", "net", "--for", "1h", "--data", agentFolder]);
    const printed = async (argv: readonly string[], env = {}) =>
      commandsIn((await home.run(fetching(...argv), { env })).err)[0];
    expect(await printed(["--url", up.url])).toBe(`grants grant net:example.com --url ${up.url}`);
    const way = await wayTo(up.url, () => "pass");
    const caller = ["--key-file", keyPath(home, "starter")];
    expect(await printed(["--url", way, ...caller])).toBe(
      `grants grant net:example.com --url ${way} --key-file …`,
    );
    const env = { SF_API_URL: way, SF_API_KEY: secretIn(keyPath(home, "starter")) };
    expect(await printed([], env)).toBe(`grants grant net:example.com --url ${way} --key-file …`);
  });
});

describe("a run over a platform's tools", () => {
  test("is told where its questions are, on either side", async () => {
    const { home, up } = await reachingUp();
    home.write("script.json", [
      { toolCalls: [{ name: "web.fetch", args: { url: page } }] },
      { text: "I could not" },
    ]);
    const argv = [
      "run",
      "fetch it",
      "--model",
      "scripted:script.json",
      "--tools",
      "web.fetch",
      "--url",
      up.url,
    ];
    const first = await home.run(argv);
    const [asked] = await grantsIn(home);
    expect(asked?.where).toBe(home.path(agentFolder));
    expect(first.err).toContain(` sf grants grant ${asked?.grantId} --for 1h\n`);
    await home.run(["grants", "grant", asked?.grantId ?? "", "--for", "1h"]);
    const { code, err } = await home.run(argv);
    expect(code).toBe(0);
    expect(err).toContain(
      `\n  what is asked for at the platform, and how it is granted: sf grants ls --url ${up.url}\n`,
    );
    const there = await home.run(["grants", "ls", "--url", up.url]);
    const [, command = ""] = /for one call: sf (.*)\n/.exec(there.out) ?? [];
    expect(there.out).toMatch(/\n {2}who {6}a run under key_\S+ of account local \(run_\S+\)\n/);
    expect(command).toMatch(new RegExp(`^grants grant cap_\\S+ --url ${up.url}$`));
    expect((await home.run(command.split(" "))).code).toBe(0);
    expect((await home.run(argv)).err).not.toContain("sf grants");
    expect(home.read("notes")).toBe(`${page}\n`);
  });
});

describe("who may say it", () => {
  test("no key without the scope admin, which sees no more than it asked for; and none at another address", async () => {
    const { home, up } = await reachingUp();
    const { out } = await home.run(["grants", "grant", "net", "--for", "1h", "--data", ".sf", "--json"]);
    const { grantId } = (JSON.parse(out) as { grant: { grantId: string } }).grant;
    const { file } = await made(home);
    const asked = await home.run(["grants", "grant", "net", "--url", up.url, "--key-file", file]);
    expect(asked).toMatchObject({
      code: 3,
      err: expect.stringMatching(/^error forbidden: .*it takes the scope admin; name the file of such a key/),
    });
    expect(await grantsIn(home, "--url", up.url, "--key-file", file, "--status", "any")).toStrictEqual([]);
    expect(await home.run(["grants", "revoke", grantId, "--url", up.url, "--key-file", file])).toStrictEqual({
      code: 1,
      out: "",
      err: `error not_found: there is no ${grantId} in account local where it was looked, or the key that was used may not see it: use one with the scope admin; sf grants ls --status any lists all there are\n`,
    });
    let met = 0;
    const other = await wayTo(up.url, () => ((met += 1), "pass"));
    expect((await home.run(["grants", "ls", "--url", other])).code).toBe(3);
    expect((await home.run(["grants", "ls", "--key-file", "nope.key"])).code).toBe(2);
    expect((await home.run(["grants", "grant", "net", "--key-file", "nope.key"])).code).toBe(2);
    expect(met).toBe(0);
    const env = { SF_API_KEY: `sf_live_${"x".repeat(32)}` };
    expect((await home.run(["grants", "revoke", grantId], { env })).code).toBe(0);
  });

  test("where no answer came, it is said how to see what stands", async () => {
    const { home, up } = await reachingUp();
    const way = await wayTo(up.url, ({ method, socket }) => {
      if (method !== "POST") return "pass";
      socket.destroy();
      return "met";
    });
    const at = ["--url", way, "--key-file", keyPath(home, "operator")];
    const { code, err } = await home.run(["grants", "grant", "net", ...at]);
    expect({ code, err }).toStrictEqual({
      code: 1,
      err: expect.stringMatching(/^error \w+: no answer came \(\w+\); sf grants ls has what stands\n/),
    });
  });
});
