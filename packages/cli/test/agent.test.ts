// `sf agent`: the direct runner from a terminal, on a running server and with none.
import { SimpleFunctionsAgent } from "@spfunctions/agent";
import type { AgentEvent } from "@spfunctions/contracts";
import { openSqliteStore } from "@spfunctions/host/store";
import { SimpleFunctions } from "@spfunctions/sdk";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { withoutHeldSecrets } from "../src/io/without-held-secrets.ts";
import { processMark } from "../src/up/process-mark.ts";
import { Home, routedPack } from "../test-data/run-sf.ts";
import { keyPath, startUp } from "../test-data/run-up.ts";

const upArgs = ["--port", "0", "--no-markets", "--pack", routedPack];
const add = (text: string) => ["agent", "--tool", "routed.add", "--input", JSON.stringify({ text })];
const writes = { maxSideEffect: "user_write" } as const;

type Frame = { readonly type: string } & Partial<AgentEvent>;

/** What differs from call to call, and means nothing: names, times, and where in a journal it stands. */
function plain(frame: object): unknown {
  const noise = new Set(["runId", "callId", "traceId", "ts", "seq", "hash", "durationMs", "wallMs", "keyId"]);
  return JSON.parse(JSON.stringify(frame), (key, value: unknown) => (noise.has(key) ? "…" : value));
}

async function platform(): Promise<{ readonly home: Home; readonly url: string; readonly key: string }> {
  const home = new Home();
  const { url } = await startUp(home, upArgs);
  home.write("policy.json", writes);
  return { home, url, key: readFileSync(keyPath(home, "starter"), "utf8").trim() };
}

// proves KEY-17.1, KEY-17.10, KEY-17.11, KEY-17.12, KEY-17.13, KEY-23.4
// proves RUN-3.16, RUN-15.5
describe("sf agent --tool and stream() yield equal events", () => {
  test.each([
    ["of a call", "routed.add", { text: "milk" }, writes],
    ["of a refusal", "routed.add", { text: "milk" }, {}],
    ["of an input that does not fit", "routed.add", { txet: "milk" }, writes],
    ["of a failure", "routed.spill", {}, {}],
    ["of a name that is none", "routed.ad", {}, {}],
  ])("%s", async (_, tool, input, policy) => {
    const { home, url, key } = await platform();
    home.write("policy.json", policy);
    const agent = new SimpleFunctionsAgent({
      client: new SimpleFunctions({ baseUrl: url, apiKey: key }),
      policy,
    });
    const stream = agent.stream(tool, input);
    stream.result.catch(() => undefined);
    const events: AgentEvent[] = [];
    for await (const event of stream) events.push(event);
    const argv = ["agent", "--tool", tool, "--input", JSON.stringify(input), "--policy", "policy.json"];
    for (const flag of ["--ndjson", "--stream-json"]) {
      // What the tool counts is counted from the beginning.
      home.write("notes", "");
      const { out } = await home.run([...argv, flag]);
      const frames = out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Frame);
      const around = new Set(["session.init", "tool.catalog.loaded", "agent.final", "trace.receipt"]);
      const types = frames.map(({ type }) => type);
      expect(types.slice(0, 2)).toStrictEqual(["session.init", "tool.catalog.loaded"]);
      expect(types.slice(-2)).toStrictEqual(["agent.final", "trace.receipt"]);
      const own = frames.filter(({ type }) => !around.has(type)).map(plain);
      expect(own.length).toBeGreaterThan(1);
      expect(own).toStrictEqual(events.map(plain));
    }
    await agent.close();
  });
});

describe("sf agent", () => {
  test("calls the platform at SF_API_URL with the key of SF_API_KEY, and journals on this side, too", async () => {
    const { url, key } = await platform();
    const other = new Home({ SF_API_URL: url, SF_API_KEY: key });
    other.write("policy.json", writes);
    const { code, out, err } = await other.run([...add("milk"), "--policy", "policy.json"]);
    expect([code, JSON.parse(out), err]).toStrictEqual([0, { count: 1 }, expect.stringContaining("who  ")]);
    expect(other.read("notes")).toBe("milk\n");
    expect(existsSync(other.path(".sf"))).toBe(false);
    const journal = other.path("home/.local/share/simplefunctions/agent");
    expect((await other.run(["trace", "verify", "--data", journal])).out).toMatch(
      /\nok: the journal of local, 1 /,
    );
    expect(`${out}${err}`).not.toContain(key);
  });

  test("prints no scopes that its key does not have: those of a key are known to its platform", async () => {
    const { url, key } = await platform();
    const other = new Home({ SF_API_URL: url, SF_API_KEY: key });
    other.write("policy.json", writes);
    const { err } = await other.run([...add("milk"), "--policy", "policy.json"]);
    const who = err.split("\n").find((line) => line.startsWith("who"));
    expect(who).toMatch(/^who +key \S+ of account local, with the scopes it has at the platform, direct$/);
    expect(err).not.toMatch(/trade|admin/);
  });

  // proves KEY-4.1
  test("needs a key for a platform at an address, and says how to give one", async () => {
    const { url } = await platform();
    const { code, err } = await new Home().run([...add("x"), "--url", url]);
    expect([code, err]).toStrictEqual([3, expect.stringMatching(/^error missing_api_key: .*SF_API_KEY/)]);
  });

  test("takes the key of a file, and refuses one that is none", async () => {
    const { home, url } = await platform();
    const argv = [...add("x"), "--policy", "policy.json", "--url", url, "--key-file"];
    expect((await home.run([...argv, keyPath(home, "starter")])).code).toBe(0);
    chmodSync(home.write("no-key", "hunter2"), 0o600);
    expect(await home.run([...argv, "no-key"])).toStrictEqual({
      code: 2,
      out: "",
      err: "error invalid_input: no-key holds no key; name the file that sf keys create has made\n",
    });
  });

  test("of a tool that only a platform with its pack has, it says that none is up here", async () => {
    const home = new Home();
    const { code, err } = await home.run(add("milk"));
    expect(code).toBe(3);
    expect(err).toContain(
      `note: no platform is up in ${home.path(".sf")}, and the one in this process has no routed.add: name its module with --pack, or start sf up with it\n`,
    );
    expect((await home.run(["agent", "--tool", "runtime.status"])).err).not.toContain("note: no platform");
  });

  test("S1: hides a key that was read from a file from then on, and the first keys that it makes", async () => {
    const home = new Home();
    const key = `sf_live_${"q".repeat(32)}`;
    chmodSync(home.write("a.key", key), 0o600);
    expect(withoutHeldSecrets(key)).toBe(key);
    expect((await home.run([...add("x"), "--url", "http://127.0.0.1:1", "--key-file", "a.key"])).code).toBe(
      1,
    );
    expect(withoutHeldSecrets(key)).toBe("[redacted:api_key]");
    const first = await home.run(["agent", "--tool", "runtime.status"]);
    const paths = (["operator", "starter"] as const).map((role) => keyPath(home, role));
    expect(first.err).toContain(`first keys of this platform were made: ${paths.join(", ")}\n`);
    for (const path of paths) {
      const secret = readFileSync(path, "utf8").trim();
      expect([withoutHeldSecrets(secret), `${first.out}${first.err}`.includes(secret)]).toStrictEqual([
        "[redacted:api_key]",
        false,
      ]);
    }
    expect((await home.run(["agent", "--tool", "runtime.status"])).err).not.toContain("first keys");
  });

  test.each([
    [".sf", {}],
    ["link", {}],
    ["other", { SF_DATA: "other" }],
  ])("keeps no journal in the platform's folder: --data %s is bad usage at once", async (data, env) => {
    const home = new Home();
    mkdirSync(home.path(".sf"));
    symlinkSync(home.path(".sf"), home.path("link"));
    expect(await home.run([...add("x"), "--data", data, "--record-trace", "t.jsonl"], { env })).toStrictEqual(
      {
        code: 2,
        out: "",
        err: `error invalid_input: ${data} is the platform's data folder, which that platform drives; name another folder for this side's journal\n`,
      },
    );
    expect([readdirSync(home.path(".sf")), existsSync(home.path("t.jsonl"))]).toStrictEqual([[], false]);
  });

  test("X1: says of what a crash has left here how sf agent settles it, and in which folder it is given up", async () => {
    const { home } = await platform();
    const place = ["--data", "my journal", "--account", "desk"];
    const hold = ["agent", "--tool", "routed.hold", "--policy", "policy.json", ...place, "--input"];
    const running = home.start([...hold, JSON.stringify({ file: home.path("let-go") })]);
    while (!existsSync(home.path("notes"))) await new Promise((resolve) => setTimeout(resolve, 20));
    running.child.kill("SIGKILL");
    await running.ended;
    home.write("let-go", "");
    const { err } = await home.run(["agent", "--tool", "runtime.status", ...place]);
    const [, effectId = ""] = /sf effects resolve (eff_\S+)/.exec(err) ?? [];
    const options = ["--data", home.path("my journal"), "--account", "desk"];
    expect(err).toContain(`
    run sf agent again with the same key, under a policy that allows it, and it is settled
    or give it up: sf effects resolve ${effectId} --status … --note … --data '${options[1]}' --account desk --give-up
`);
    const words = ["--status", "failed", "--note", "seen", ...options, "--give-up"];
    expect((await home.run(["effects", "resolve", effectId, ...words])).code).toBe(0);
  });

  test("R1: replays what is journaled here by its id", async () => {
    const { home } = await platform();
    const { out } = await home.run([...add("milk"), "--policy", "policy.json", "--json"]);
    const { callId } = JSON.parse(out) as { callId: string };
    const argv = [...add("milk"), "--policy", "policy.json", "--replay-trace", callId, "--json"];
    expect(JSON.parse((await home.run(argv)).out)).toMatchObject({ ok: true, callId, replayed: true });
    expect(home.read("notes")).toBe("milk\n");
  });

  test("finds the platform that is up in this folder, and without one is one itself, on the same data", async () => {
    const home = new Home();
    const up = await startUp(home, upArgs);
    home.write("policy.json", writes);
    const argv = ["--policy", "policy.json"];
    expect(JSON.parse((await home.run([...add("a"), ...argv])).out)).toStrictEqual({ count: 1 });
    await up.stop();
    const { code, out } = await home.run([...add("b"), ...argv, "--pack", routedPack]);
    expect([code, JSON.parse(out)]).toStrictEqual([0, { count: 2 }]);
    expect((await home.run(["trace", "verify", "--data", ".sf"])).out).toMatch(
      /\nok: the journal of local, /,
    );
  });

  test("S1: sends no key to another machine on the word of a data folder", async () => {
    const home = new Home({ SF_API_KEY: `sf_live_${"a".repeat(32)}` });
    await home.run(["up", "--once", "--port", "0", "--no-markets"]);
    const store = await openSqliteStore({ folder: home.path(".sf") });
    onTestFinished(() => store.close());
    const url = "https://platform.example";
    home.write(".sf/platform.json", {
      url,
      pid: process.pid,
      starterKey: "",
      mark: processMark(process.pid),
    });
    expect(await home.run([...add("x"), "--wait", "0"])).toMatchObject({
      code: 1,
      out: "",
      err: expect.stringMatching(
        /^error host_configuration_needed: .* is up at https:\/\/platform\.example, which is no address of this machine: no key is sent there/,
      ),
    });
  });

  test("with --dry-run decides, sends nothing, writes nothing, and needs no key", async () => {
    const { home, url } = await platform();
    const other = new Home({ SF_API_URL: url });
    other.write("policy.json", writes);
    expect((await other.run([...add("x"), "--dry-run"])).code).toBe(3);
    const { code, out } = await other.run([...add("x"), "--dry-run", "--policy", "policy.json"]);
    expect([code, out]).toStrictEqual([
      0,
      expect.stringContaining("unchecked: identity, user_data.auth, platform; nothing else stopped it"),
    ]);
    expect(existsSync(home.path("notes"))).toBe(false);
    expect(readdirSync(other.path("home"))).toStrictEqual([]);
  });

  // proves KEY-2.25
  test("R1: what was recorded on one machine replays on another with no key and no network; an edit is caught", async () => {
    const { home } = await platform();
    const { out } = await home.run([...add("milk"), "--policy", "policy.json", "--record-trace", "t.jsonl"]);
    const other = new Home();
    cpSync(home.path("t.jsonl"), other.path("t.jsonl"));
    other.write("policy.json", writes);
    mkdirSync(other.path("empty"));
    const replay = ["--policy", "policy.json", "--replay-trace", "t.jsonl"];
    const again = await other.run([...add("milk"), ...replay, "--record-trace", "again.jsonl"]);
    expect([again.code, again.out]).toStrictEqual([0, out]);
    const miss = await other.run([...add("eggs"), ...replay]);
    expect([miss.code, miss.out]).toStrictEqual([5, ""]);
    expect((await other.run(["trace", "verify", "t.jsonl"])).code).toBe(7);
    expect((await other.run(["trace", "verify", "t.jsonl", "--allow-unknown-signer"])).code).toBe(0);
    for (const [found, instead] of [
      ["milk", "silk"],
      ['count\\":1', 'count\\":2'],
      ["user_write", "paper_trade"],
    ] as const) {
      const text = other.read("t.jsonl");
      expect(text).toContain(found);
      other.write("edited.jsonl", text.replace(found, instead));
      expect((await other.run(["trace", "verify", "edited.jsonl"])).code).toBe(6);
      const argv = [...add("milk"), "--policy", "policy.json", "--replay-trace", "edited.jsonl"];
      expect((await other.run(argv)).code).toBe(6);
    }
    expect(readdirSync(other.path("home"))).toStrictEqual([]);
  });

  test("the same idempotency key runs once", async () => {
    const { home } = await platform();
    const argv = [...add("once"), "--policy", "policy.json", "--idempotency-key", "k1"];
    const first = await home.run(argv);
    const second = await home.run(argv);
    expect([second.code, second.out]).toStrictEqual([0, first.out]);
    expect(home.read("notes")).toBe("once\n");
  });

  test("Ctrl-C cancels a call under way and says in which state things are", async () => {
    const { home } = await platform();
    const hold = ["agent", "--tool", "routed.hold", "--policy", "policy.json", "--input"];
    const running = home.start([...hold, JSON.stringify({ file: home.path("let-go") })]);
    while (!existsSync(home.path("notes"))) await new Promise((resolve) => setTimeout(resolve, 20));
    running.child.kill("SIGINT");
    const { code, err } = await running.ended;
    home.write("let-go", "");
    expect([code, err]).toStrictEqual([
      130,
      expect.stringMatching(
        /^error cancelled: routed\.hold: cancelled while it ran; what it had begun may have happened/m,
      ),
    ]);
  });
});
