import { isApiKey } from "@spfunctions/contracts";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  accepts,
  asOperator,
  type Key,
  keysFolder,
  listed,
  made,
  secretIn,
  upHome,
  wayTo,
} from "../../test-data/keys-home.ts";
import { Home } from "../../test-data/run-sf.ts";

describe("sf keys create", () => {
  test("S1: keeps the secret in a new file for its owner alone, and shows it nowhere", async () => {
    const { home, up } = await upHome();
    const { code, out, err } = await home.run(["keys", "create", "--name", "ci"]);
    const keyId = /^key_[\w-]+/.exec(out)?.[0] ?? "";
    const file = home.path(`${keysFolder}/${keyId}.key`);
    expect({ code, err, out }).toStrictEqual({
      code: 0,
      err: "",
      out: `${keyId}  ci  read\nits secret is in ${file}, which you alone can read, and nowhere else\n`,
    });
    const secret = secretIn(file);
    expect({ mode: statSync(file).mode & 0o777, isKey: isApiKey(secret) }).toStrictEqual({
      mode: 0o600,
      isKey: true,
    });
    await expect(accepts(up.url, secret)).resolves.toBe(true);
    // What held the place is gone.
    expect(readdirSync(home.path(keysFolder)).filter((name) => name.endsWith(".key"))).toStrictEqual([
      `${keyId}.key`,
    ]);
    const { file: other, key, ...rest } = await made(home, "--name", "other");
    expect({ rest, text: JSON.stringify(key) }).toStrictEqual({
      rest: { ok: true },
      text: expect.not.stringContaining(secretIn(other)),
    });
    await up.stop();
    const journal = readFileSync(home.path(".sf/simplefunctions.db"), "latin1");
    expect([secret, secretIn(other)].filter((one) => journal.includes(one))).toStrictEqual([]);
  });

  test("binds a key to what it was given", async () => {
    const { home } = await upHome();
    const rails = home.write("rails.json", {
      allowedVenues: ["sim"],
      maxOrderCostCents: 500,
      maxQuantity: 5,
    });
    const scopes = ["--scope", "read", "--scope", "trade"];
    const bounds = ["--rate", "0.5:7", "--quota", "api_cost=10", "--quota", "llm_cost=0"];
    const tools = ["--tool", "keys.*", "--tool", "manifest.get"];
    const name = "zäh 🎌 \u202eevil";
    const { key } = await made(
      home,
      "--name",
      name,
      ...scopes,
      ...bounds,
      ...tools,
      "--expires",
      "2999-02-28",
      "--trade",
      rails,
    );
    expect(key).toStrictEqual({
      keyId: expect.stringMatching(/^key_/),
      name,
      status: "active",
      scopes: ["read", "trade"],
      allowTools: ["keys.*", "manifest.get"],
      trade: {
        allowedVenues: ["sim"],
        maxOrderCostCents: 500,
        maxQuantity: 5,
        requireLimitPrice: true,
        dryRunOnly: true,
        allowAutoExecute: false,
        allowRuntimeStart: false,
      },
      rateLimit: { perSecond: 0.5, burst: 7 },
      quotas: { api_cost: 10, llm_cost: 0 },
      expiresAt: "2999-02-28T00:00:00.000Z",
      createdAt: expect.any(String),
      createdBy: expect.stringMatching(/^key_/),
    });
    const before = Date.now();
    const short = (await made(home, "--expires", "12h", "--rate", "2.5")).key as Key & { expiresAt: string };
    expect(Date.parse(short.expiresAt) - before).toBeGreaterThanOrEqual(12 * 3_600_000);
    expect(short).toMatchObject({ name: "key", scopes: ["read"], rateLimit: { perSecond: 2.5, burst: 3 } });
  });

  test("makes a key for a tool that the platform does not have, and says so with the one that is near", async () => {
    const { home } = await upHome();
    const tools = ["--tool", "keys.lst", "--tool", "kyes.*", "--tool", "keys.create"];
    const { code, out, err } = await home.run(["keys", "create", ...tools]);
    const keyId = /^key_[\w-]+/.exec(out)?.[0] ?? "";
    const revoke = `to make another instead, end this one: sf keys revoke ${keyId}`;
    expect({ code, err }).toStrictEqual({
      code: 0,
      err: `warning: --tool: no tool is called keys.lst; did you mean keys.list?
warning: --tool: no tool matches kyes.*; did you mean keys.*?
${revoke}\n`,
    });
  });

  test("binds a key to what a person must approve of its calls, and sf keys ls shows it", async () => {
    const { home } = await upHome();
    const approvals = {
      requireForSideEffectAtOrAbove: "user_write",
      requireForCostEffectAtOrAbove: "llm_cost",
      ttlMs: 600_000,
      approvers: ["key_ada"],
    };
    const file = home.write("approvals.json", approvals);
    const { key } = await made(home, "--name", "asking", "--scope", "write", "--approvals", file);
    expect(key).toMatchObject({ name: "asking", approvals });
    const { out } = await home.run(["keys", "ls"]);
    expect(out).toMatch(/ status +a person approves\n/);
    expect(out).toMatch(/ asking .* active {2}from user_write, from llm_cost, for 600000 ms, also key_ada\n/);
    expect(out).toMatch(/ starter .* active {2}nothing\n/);
  });

  test("with --show prints the secret, once, alone, and warns whoever sits at a terminal", async () => {
    const { home } = await upHome();
    const quiet = await home.run(["keys", "create", "--show", "--output", "a.key"]);
    expect({ code: quiet.code, out: quiet.out }).toStrictEqual({ code: 0, out: home.read("a.key") });
    expect(quiet.err).not.toMatch(/warning|sf_live_/);
    const isTerminal = { stdout: true, stderr: true };
    const seen = await home.run(["keys", "create", "--show", "--output", "b.key"], { isTerminal });
    expect(seen.out).toBe(home.read("b.key"));
    expect(seen.err).toContain("whoever sees this screen or its history has the key");
    const { secret, file } = await made(home, "--show");
    expect(secret).toBe(secretIn(file));
    // From then on it is hidden like any other.
    const later = await home.run(["keys", "revoke", secret ?? ""]);
    expect(later.err).not.toContain(secret);
  });

  test("writes over nothing, makes no folder, and keeps no secret in a data folder: then no key is made", async () => {
    const { home } = await upHome();
    home.write("there.key", "mine");
    symlinkSync(home.path("nowhere"), home.path("dangling.key"));
    symlinkSync(home.path(".sf"), home.path("link"));
    mkdirSync(home.path("elsewhere"));
    home.write("elsewhere/simplefunctions.db", "");
    const before = await listed(home);
    const codes: unknown[] = [];
    for (const out of [
      "there.key",
      "dangling.key",
      ".sf",
      "no/such.key",
      ".sf/x.key",
      "link/x.key",
      "elsewhere/x.key",
      "",
    ]) {
      const { code, err } = await home.run(["keys", "create", "--output", out]);
      codes.push([
        out,
        code,
        /is there already|no folder|lies in the data folder|needs the name/.exec(err)?.[0],
      ]);
    }
    expect(codes).toStrictEqual([
      ["there.key", 2, "is there already"],
      ["dangling.key", 2, "is there already"],
      [".sf", 2, "is there already"],
      ["no/such.key", 2, "no folder"],
      [".sf/x.key", 2, "lies in the data folder"],
      ["link/x.key", 2, "lies in the data folder"],
      ["elsewhere/x.key", 2, "lies in the data folder"],
      ["", 2, "needs the name"],
    ]);
    expect((await listed(home)).length).toBe(before.length);
    expect([home.read("there.key"), existsSync(home.path("nowhere"))]).toStrictEqual(["mine", false]);
    expect(readdirSync(home.path(".sf")).filter((name) => name.endsWith(".key"))).toStrictEqual([]);
  });

  test("asks for no key that could be kept nowhere", async () => {
    const { home, up } = await upHome();
    const asked: (string | undefined)[] = [];
    const way = await wayTo(up.url, ({ method }) => (asked.push(method), "pass"));
    const env = { XDG_CONFIG_HOME: join(home.write("file", ""), "config") };
    const { code, err } = await home.run(["keys", "create", ...asOperator(home, way)], { env });
    expect({ code, asked }).toStrictEqual({ code: 1, asked: [] });
    expect(err).toBe(
      `error host_configuration_needed: no key file can be made in ${env.XDG_CONFIG_HOME}/simplefunctions/keys (ENOTDIR), so no key was asked for; name a writable folder in XDG_CONFIG_HOME, or a file with --output\n`,
    );
  });

  test("revokes a key whose secret cannot be kept, and says so", async () => {
    const { home, up } = await upHome();
    // Somebody takes the name while the platform is asked.
    const way = await wayTo(
      up.url,
      ({ method }) => (method === "POST" && home.write("a.key", "theirs"), "pass"),
    );
    const { code, out, err } = await home.run([
      "keys",
      "create",
      "--name",
      "lost",
      "--output",
      "a.key",
      ...asOperator(home, way),
    ]);
    expect({ code, out }).toStrictEqual({ code: 1, out: "" });
    expect(err).toMatch(
      /^error host_configuration_needed: the key key_\S+ was made, and its secret could not be kept: .*so it was revoked again/,
    );
    expect(err).not.toContain("sf_live_");
    expect(home.read("a.key")).toBe("theirs");
    expect((await listed(home)).filter(({ name }) => name === "lost")).toMatchObject([{ status: "revoked" }]);
    expect(readdirSync(home.folder).filter((name) => name.endsWith(".key"))).toStrictEqual(["a.key"]);
  });

  test("where that fails too, says which key to revoke", async () => {
    const { home, up } = await upHome();
    const way = await wayTo(up.url, ({ method, socket }) => {
      if (method === "POST") home.write("a.key", "theirs");
      if (method !== "DELETE") return "pass";
      socket.destroy();
      return "met";
    });
    const { code, err } = await home.run(["keys", "create", "--output", "a.key", ...asOperator(home, way)]);
    const keyId = /the key (key_\S+) was made/.exec(err)?.[1];
    expect({ code, err }).toStrictEqual({
      code: 1,
      err: expect.stringContaining(`run sf keys revoke ${keyId} yourself`),
    });
  });

  test("says that nobody knows where the answer did not come, or it was cancelled", async () => {
    const { home, up } = await upHome();
    const ending = new AbortController();
    const cut = await wayTo(up.url, ({ socket }) => (socket.destroy(), "met"));
    const held = await wayTo(up.url, () => (ending.abort("SIGINT"), "met"));
    const broken = await home.run(["keys", "create", ...asOperator(home, cut)]);
    const { signal } = ending;
    const cancelled = await home.run(["keys", "create", ...asOperator(home, held)], { signal });
    const unknown =
      "whether the key was made is not known: sf keys ls shows it, and as its secret is lost, revoke it there\n";
    expect([broken, cancelled]).toStrictEqual([
      { code: 1, out: "", err: `error upstream_error: no answer came (upstream_error); ${unknown}` },
      { code: 130, out: "", err: `error cancelled: no answer came (cancelled); ${unknown}` },
    ]);
    expect(readdirSync(home.path(keysFolder)).filter((name) => name.endsWith(".key"))).toStrictEqual([]);
  });

  test("takes no answer for a key that is none", async () => {
    const { home } = await upHome();
    const answers: object[] = [
      { key: { keyId: "../../x" }, secret: `sf_live_${"a".repeat(32)}` },
      { key: { keyId: "key_1" }, secret: "\u001b[2J" },
      {},
    ];
    const way = await wayTo("http://127.0.0.1:1", (_, answer) => {
      answer.writeHead(200, { "content-type": "application/json" });
      answer.end(JSON.stringify({ ok: true, data: answers.shift(), meta: { requestId: "r" } }));
      return "met";
    });
    for (let at = 0; at < 3; at++) {
      const { code, err } = await home.run(["keys", "create", ...asOperator(home, way)]);
      expect({ code, err }).toStrictEqual({
        code: 1,
        err: expect.stringContaining("the platform's answer holds no key"),
      });
    }
    expect(readdirSync(home.path(keysFolder)).filter((name) => name.endsWith(".key"))).toStrictEqual([]);
  });
});

describe("a key that cannot be made is refused before anything is touched", () => {
  test.each([
    [["--expires", "soon"], "expected how long, like 30d"],
    [["--expires", "2026-02-30"], "expected how long, like 30d"],
    [["--expires", "2999-01-01T00:00"], "expected how long, like 30d"],
    [["--expires", "2020-01-01"], "that moment has passed"],
    [["--expires", "0d"], "that moment has passed"],
    [["--rate", "-1"], "expected calls a second"],
    [["--rate", "5:"], "expected calls a second"],
    [["--quota", "none=1"], "expected a cost and calls a day"],
    [["--quota", "api_cost"], "expected a cost and calls a day"],
    [["--quota", "api_cost=1", "--quota", "api_cost=2"], "api_cost was given before"],
    [["--tool", "World"], "expected a canonical tool name"],
    [["--scope", "root"], "expected one of read, write, trade, admin"],
    [["--trade", "none.json"], "there is no file none.json"],
    [["--trade", "bad.json"], "invalid guardrails in bad.json: /allowedVenues: missing"],
    [["--approvals", "none.json"], "there is no file none.json"],
    [
      ["--approvals", "asking.json"],
      "invalid approvals in asking.json: /requireForSideEffectAtOrAbove: expected a sideEffect: one of none, auth_",
    ],
  ])("%j", async (argv, message) => {
    const home = new Home();
    home.write("bad.json", { maxQuantity: 1 });
    home.write("asking.json", { requireForSideEffectAtOrAbove: "write" });
    const { code, err } = await home.run(["keys", "create", ...argv]);
    expect({ code, err }).toStrictEqual({ code: 2, err: expect.stringContaining(message) });
    expect([existsSync(home.path(".sf")), existsSync(home.path("home/.config"))]).toStrictEqual([
      false,
      false,
    ]);
  });
});
