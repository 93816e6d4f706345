import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { type AddressInfo, connect, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { describe, expect, onTestFinished, test } from "vitest";
import { Home, routedPack } from "../../test-data/run-sf.ts";
import { askUp, keyPath, startUp, urlIn } from "../../test-data/run-up.ts";

const any = ["--port", "0"];
const once0 = ["up", "--once", ...any];
const modeOf = (path: string) => statSync(path).mode & 0o777;
const key = (home: Home, role: "operator" | "starter") =>
  home.read(keyPath(home, role).slice(home.folder.length)).trim();

/** Something that is no platform, on this port or on any. */
async function taken(port = 0): Promise<number> {
  const server = createServer();
  server.listen(port, "127.0.0.1");
  // Whoever has it already does as well.
  await Promise.race([once(server, "listening"), once(server, "error")]).catch(() => undefined);
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo | null)?.port ?? port;
}

describe("the first start", () => {
  test("makes a folder and two keys for their owner alone and shows each once; the next keeps them and shows none", async () => {
    const home = new Home();
    const first = await home.run([...once0, "--json"]);
    const [operator, starter] = [keyPath(home, "operator"), keyPath(home, "starter")];
    const call = {
      tool: "runtime.status",
      data: { state: "running" },
      receipt: expect.objectContaining({ v: 1, tool: "runtime.status" }),
    };
    const shown = {
      ok: true,
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      where: home.path(".sf"),
      keys: [
        { role: "operator", scopes: ["admin"], file: operator },
        { role: "starter", scopes: ["read", "write"], file: starter },
      ],
      call,
    };
    const secrets = [key(home, "operator"), key(home, "starter")];
    expect([first.code, first.err, JSON.parse(first.out)]).toStrictEqual([
      0,
      "",
      { ...shown, keys: shown.keys.map((one, index) => ({ ...one, secret: secrets[index] })) },
    ]);
    expect(secrets).toStrictEqual([
      expect.stringMatching(/^sf_live_[\w-]{32}$/),
      expect.stringMatching(/^sf_live_[\w-]{32}$/),
    ]);
    expect([".sf", "home/.config/simplefunctions"].map((name) => modeOf(home.path(name)))).toStrictEqual([
      0o700, 0o700,
    ]);
    expect([operator, starter].map(modeOf)).toStrictEqual([0o600, 0o600]);
    expect(readdirSync(home.path(".sf"))).toStrictEqual([".gitignore", "simplefunctions.db"]);
    expect(home.read(".sf/.gitignore")).toBe("*\n");

    const second = await home.run([...once0, "--json"]);
    expect([second.code, second.err, JSON.parse(second.out)]).toStrictEqual([0, "", shown]);
    expect([key(home, "operator"), key(home, "starter")]).toStrictEqual(secrets);
    const verified = await home.run(["trace", "verify", "--data", ".sf"]);
    expect([verified.code, verified.out.split("\n").at(-2)]).toStrictEqual([
      0,
      "ok: the journal of local, 2 segments, 2 signed by a known key",
    ]);
  });

  test("of the packs that were named suggests a read without input, else a tool to look up", async () => {
    const spill = await new Home().run([...once0, "--pack", routedPack]);
    expect(spill.out).toContain(
      "\n  sf agent --tool routed.spill     # judged and journaled on both sides\n",
    );
    expect(spill.out).toMatch(/\n {2}curl -H "Authorization: .*\/api\/routed\/spill\n/);
    expect(spill.out).not.toContain("sf manifest");
    const home = new Home();
    const posting = `import { tools as all } from ${JSON.stringify(routedPack)};
      export const tools = all.filter(({ contract }) => contract.name === "routed.add");`;
    home.write("pack.mjs", posting);
    const { out } = await home.run([...once0, "--pack", "./pack.mjs"]);
    expect(out).not.toContain("sf agent --tool");
    expect(out).toContain("\n  sf manifest routed.add     # its route, and what it takes\n");
    const both = await home.run([...once0, "--pack", "./pack.mjs", "--markets"]);
    expect(both.out).toContain("\n  sf agent --tool world.read ");
  });

  test("tells a person the address, the keys, one governed call with its five answers, and four commands", async () => {
    const home = new Home();
    const { out, stop } = await startUp(home);
    const url = urlIn(out);
    const bearer = `-H "Authorization: Bearer $(cat ${keyPath(home, "starter")})"`;
    const fixed = out.replaceAll(/(?:key_|sha256:)[\w-]+…?|(?<=trace )\w+|[\d.]+(?= ms)/g, "*");
    expect(fixed.split("\n")).toStrictEqual([
      `SimpleFunctions is up at ${url}`,
      `  everything is kept in ${home.path(".sf")}`,
      `  operator key (admin): ${keyPath(home, "operator")}`,
      `    ${key(home, "operator")}  shown this once`,
      `  starter key (read write): ${keyPath(home, "starter")}`,
      `    ${key(home, "starter")}  shown this once`,
      "",
      'One governed call, runtime.status, answered {"state":"running"}:',
      "  who             key * of account local, scopes read write, direct",
      "  what            runtime.status, contract *, input *",
      "  may it          allow: no gate stopped it; policy *",
      "  price and risk  side effect none, cost api_cost; 1 call, * ms",
      "  proof           record 6, *, trace *, not signed",
      "",
      "Next, from another terminal:",
      "  sf agent --tool world.read     # judged and journaled on both sides",
      `  curl ${url}/api/contracts/tools`,
      `  curl ${bearer} ${url}/api/agent/world`,
      `  curl -X POST ${bearer} ${url}/api/runtime/stop     # refused, with the gate that stopped it`,
      "",
      "Ctrl-C stops it.",
      "",
    ]);
    expect(await stop()).toStrictEqual({
      code: 0,
      err: "",
      out: `${out}stopped; everything is kept in ${home.path(".sf")}\n`,
    });
    expect(existsSync(home.path(".sf/platform.json"))).toBe(false);
  });

  test("S1: logs on the standard error, one object a line: nothing by itself, each request with --log info", async () => {
    const home = new Home();
    const { url, stop } = await startUp(home, [...any, "--log", "info"]);
    const { status } = await askUp(home, `${url}/api/runtime`);
    expect(status).toBe(200);
    const { err } = await stop();
    const lines = err
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const line = {
      time: moment,
      level: "info",
      event: "request.answered",
      message: "GET /api/runtime answered with 200",
      method: "GET",
      path: "/api/runtime",
      tool: "runtime.status",
      accountId: "local",
      keyId: expect.stringMatching(/^key_/),
      status: 200,
      durationMs: expect.any(Number),
      requestId: expect.stringMatching(/^req_/),
    };
    // The one that it shows itself, and this one.
    expect(lines).toStrictEqual([line, line]);
    expect(err).not.toContain("sf_live_");
  });

  test("where npm has started it, it says how sf becomes a command of the shell", async () => {
    const home = new Home();
    mkdirSync(home.path("a clone/node_modules/.bin"), { recursive: true });
    const env = { npm_package_json: home.path("a clone/package.json") };
    const unfound = await startUp(home, any, env);
    await unfound.stop();
    expect(unfound.out).not.toContain("export PATH");
    home.write("a clone/node_modules/.bin/sf", "");
    const { out } = await startUp(home, any, env);
    expect(out).toContain(`  export PATH='${home.path("a clone/node_modules/.bin")}':"$PATH"     # `);
  });

  test("shows its keys also where the first call is refused, and stays up", async () => {
    const home = new Home();
    home.write("policy.json", { maxCostEffect: "none" });
    const { out, stop } = await startUp(home, [...any, "--policy", "policy.json"]);
    expect(out).toContain(`    ${key(home, "starter")}  shown this once\n`);
    expect(out).toMatch(
      /\nOne governed call, runtime\.status, ended with policy_denied:\n.*\n.*\n {2}may it {10}deny at gate max\.costEffect: /,
    );
    const { code, out: all, err } = await stop();
    expect([code, err]).toStrictEqual([0, ""]);
    expect(all).toMatch(
      /^error policy_denied: runtime\.status: refused at gate max\.costEffect: .*the server's policy allows none/m,
    );
  });
});

test("--once exits as its one call ended", async () => {
  const home = new Home();
  home.write("policy.json", { maxCostEffect: "none" });
  const { code, out } = await home.run([...once0, "--json", "--policy", "policy.json"]);
  expect([code, JSON.parse(out)]).toMatchObject([
    3,
    { ok: false, call: { tool: "runtime.status", error: { code: "policy_denied" }, receipt: { v: 1 } } },
  ]);
});

test("a starter key that was revoked keeps nothing from starting, and what to do is said", async () => {
  const home = new Home();
  const { url, stop } = await startUp(home);
  const status = await askUp(home, `${url}/api/runtime`);
  const { keyId } = (status.answer as { meta: { receipt: { principal: { keyId: string } } } }).meta.receipt
    .principal;
  const revoked = await askUp(home, `${url}/api/keys/${keyId}`, { role: "operator", method: "DELETE" });
  expect(revoked.status).toBe(200);
  await stop();
  const again = await startUp(home);
  expect(again.out).toContain("One governed call, runtime.status, ended with invalid_api_key\n");
  expect((await again.stop()).out).toContain(
    `\n  remove ${keyPath(home, "starter")}, and the next start makes another key\n`,
  );
  rmSync(keyPath(home, "starter"));
  const last = await home.run(once0);
  expect([last.code, last.out.match(/shown this once/g)]).toStrictEqual([0, ["shown this once"]]);
});

describe("the port", () => {
  test("is another where the usual one is taken, which is said, and the keys are shown all the same", async () => {
    await taken(7700);
    const home = new Home();
    const { code, out, err } = await home.run(["up", "--once"]);
    expect([code, out.match(/shown this once/g)?.length]).toStrictEqual([0, 2]);
    expect(urlIn(out)).not.toBe("http://127.0.0.1:7700");
    expect(err).toBe("");
    expect(out).toContain(
      `\n  note: the usual port is taken by another program; clients have to be told ${urlIn(out)}\n`,
    );
  });

  test("that was asked for and is taken is an error that says what to do; nothing is left open, no key is lost", async () => {
    const port = await taken();
    const home = new Home();
    expect(await home.run(["up", "--once", "--port", String(port)])).toStrictEqual({
      code: 1,
      out: "",
      err: `error host_configuration_needed: port ${port} of 127.0.0.1 is taken by another program; choose another (the option port, or --port), or 0 for any\n`,
    });
    expect(readdirSync(home.path(".sf"))).toStrictEqual([".gitignore", "simplefunctions.db"]);
    expect((await home.run(once0)).out.match(/shown this once/g)).toHaveLength(2);
  });
});

describe("the address", () => {
  test.each([
    ["0.0.0.0", "127.0.0.1"],
    ["localhost", "localhost"],
    ["", "127.0.0.1"],
    ...ownAddresses().map((address) => [address, address]),
  ])("--host %o is up at %s, and answers to that name", async (host, name) => {
    const home = new Home();
    const { code, out, err } = await home.run([...once0, "--host", host]);
    expect([code, err, new URL(urlIn(out)).hostname]).toStrictEqual([0, "", name]);
    expect(out).toContain('answered {"state":"running"}:\n');
  });

  test("where it is every one of this machine, the start says by which names others reach it, unless it was told", async () => {
    const note = "\n  note: it listens on every address and answers only to localhost, 127.0.0.1 and [::1] ";
    const named = ["--allow-host", "platform.example"];
    const isSaid: boolean[] = [];
    for (const host of [["--host", "0.0.0.0"], ["--host", "0.0.0.0", ...named], []])
      isSaid.push((await new Home().run([...once0, ...host])).out.includes(note));
    expect(isSaid).toStrictEqual([true, false, false]);
    const { url } = await startUp(new Home(), [...any, "--host", "0.0.0.0", ...named]);
    const { port } = new URL(url);
    const statusFor = async (host: string) => {
      const asked = get(url, { path: "/api/health", headers: { host: `${host}:${port}` } });
      const [answer] = (await once(asked, "response")) as [IncomingMessage];
      answer.resume();
      return answer.statusCode;
    };
    const statuses = await Promise.all(["localhost", "platform.example", "other.example"].map(statusFor));
    expect(statuses).toStrictEqual([200, 200, 421]);
  });

  test.runIf(process.platform === "linux")("is this machine's own alone where --host is empty", async () => {
    const { url } = await startUp(new Home(), [...any, "--host", ""]);
    const elsewhere = connect(Number(new URL(url).port), "127.0.0.2");
    const [error] = (await once(elsewhere, "error")) as [NodeJS.ErrnoException];
    expect(error.code).toBe("ECONNREFUSED");
  });
});

/** Of this machine, for others. */
function ownAddresses(): string[] {
  const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
  return all.filter(({ internal, family }) => !internal && family === "IPv4").map(({ address }) => address);
}

test("--pack gives its tools routes, and --policy holds for every key, as the server's level", async () => {
  const home = new Home();
  home.write("policy.json", { maxSideEffect: "none" });
  const args = [...any, "--pack", routedPack];
  const free = await startUp(home, args);
  const body = { text: "milk" };
  expect(await askUp(home, `${free.url}/api/routed`, { body })).toMatchObject({
    status: 200,
    answer: { ok: true, data: { count: 1 } },
  });
  await free.stop();
  const bound = await startUp(home, [...args, "--policy", "policy.json"]);
  expect(await askUp(home, `${bound.url}/api/routed`, { body })).toMatchObject({
    status: 403,
    answer: {
      ok: false,
      error: { code: "policy_denied", message: expect.stringContaining("the server's policy allows none") },
    },
  });
  expect(home.read("notes")).toBe("milk\n");
});

describe("the example markets", () => {
  const toolsOf = async (url: string) => {
    const answer = await fetch(`${url}/api/contracts/tools`);
    const { tools } = (await answer.json()) as { tools: { name: string }[] };
    return tools.map(({ name }) => name);
  };
  const isExample = (name: string) => name === "world.read" || name === "paper.order";

  test.each([
    ["are served without a pack", [], true],
    ["are not served with --pack", ["--pack", routedPack], false],
    ["are served with --pack and --markets", ["--pack", routedPack, "--markets"], true],
    ["are not served with --no-markets", ["--no-markets"], false],
  ])("%s", async (_, args, isServed) => {
    const { url } = await startUp(new Home(), [...any, ...args]);
    const tools = await toolsOf(url);
    expect(tools.filter(isExample).length).toBe(isServed ? 2 : 0);
    expect(tools.includes("routed.add")).toBe(args.includes("--pack"));
  });

  test("say which option is of no use where they are not served", async () => {
    const home = new Home();
    const refused = async (...args: string[]) => await home.run([...once0, ...args]);
    const runs = [
      await refused("--pack", routedPack, "--seed", "a"),
      await refused("--no-markets", "--venue", "kalshi"),
    ];
    expect(runs.map(({ code, out }) => [code, out])).toStrictEqual([
      [2, ""],
      [2, ""],
    ]);
    expect(runs.map(({ err }) => err)).toStrictEqual([
      expect.stringContaining("--seed is for the example markets, which are not served; add --markets"),
      expect.stringContaining("--venue is for the example markets, which are not served; add --markets"),
    ]);
    expect((await refused("--pack", routedPack, "--markets", "--seed", "a")).code).toBe(0);
  });

  test("are not shown by a start with --pack: no word of trading, venues or seeds", async () => {
    const { out, err } = await new Home().run([...once0, "--pack", routedPack]);
    expect(err).toBe("");
    expect(out).not.toMatch(/trad|venue|seed|market|world/i);
  });
});

describe("--limits", () => {
  test("holds for everybody who calls, and who meets one is told its name", async () => {
    const home = new Home();
    home.write("limits.json", { requestBodyBytes: 20 });
    const { url } = await startUp(home, [...any, "--pack", routedPack, "--limits", "limits.json"]);
    expect(await askUp(home, `${url}/api/routed`, { body: { text: "milk" } })).toMatchObject({ status: 200 });
    expect(await askUp(home, `${url}/api/routed`, { body: { text: "milk and honey" } })).toMatchObject({
      status: 413,
      answer: {
        error: {
          code: "invalid_input",
          message: "the body is larger than 20 bytes, the limit requestBodyBytes of this platform; send less",
        },
      },
    });
  });

  test.each([
    [{ requestBodyByte: 1 }, /unknown key "requestBodyByte"; did you mean "requestBodyBytes"\?/],
    [{ keyRate: { perSecond: -1, burst: 1 } }, /\/keyRate\/perSecond/],
    [{ calls: { claimMs: 1 } }, /limits\.calls\.claimMs is at least 86400000/],
    ["no object", /limits\.json/],
  ])("%j is bad usage: nothing is up", async (limits, says) => {
    const home = new Home();
    home.write("limits.json", limits);
    const { code, err } = await home.run([...once0, "--limits", "limits.json"]);
    expect([code, err]).toStrictEqual([2, expect.stringMatching(says)]);
    expect(existsSync(home.path(".sf"))).toBe(false);
  });
});

test("S1: a key in the environment is never printed, also where a tool spills it or it was put into an option", async () => {
  const SF_API_KEY = `sf_live_${"Zz9-".repeat(8)}`;
  const home = new Home({ SF_API_KEY });
  const { url, stop } = await startUp(home, [...any, "--pack", routedPack]);
  const spilled = await askUp(home, `${url}/api/routed/spill`);
  expect(spilled.status).toBe(502);
  const { out, err } = await stop();
  const refused = await home.run([...once0, "--allow-host", `/${SF_API_KEY}`]);
  expect(refused.err).toContain("[redacted:simplefunctions_key]");
  const everything = [out, err, JSON.stringify(spilled), refused.out, refused.err];
  expect(everything.filter((text) => text.includes(SF_API_KEY))).toStrictEqual([]);
});
