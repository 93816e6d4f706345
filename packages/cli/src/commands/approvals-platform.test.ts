// Answers to a platform: over its own routes, with its operator's key, whoever else has its folder.
import { EventEmitter, once } from "node:events";
import { chmodSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { describe, expect, test } from "vitest";
import { idIn, listed } from "../../test-data/asking-home.ts";
import { made, secretIn, wayTo } from "../../test-data/keys-home.ts";
import { Home, type Ran, routedPack } from "../../test-data/run-sf.ts";
import { keyPath, startUp, type Up } from "../../test-data/run-up.ts";

const agentFolder = "home/.local/share/simplefunctions/agent";
const calling = (...more: string[]) => [
  "agent",
  "--tool",
  "routed.add",
  "--input",
  '{"text":"milk"}',
  ...more,
];
const own = ["--policy", "own.json"];

/** A platform that asks a person about what is changed, and a policy of the caller's that does not. */
async function askingUp(): Promise<{ readonly home: Home; readonly up: Up }> {
  const home = new Home();
  const approvals = { requireForSideEffectAtOrAbove: "user_write" };
  home.write("platform.json", { maxSideEffect: "live_trade", approvals });
  home.write("own.json", { maxSideEffect: "user_write" });
  home.write("asking.json", { maxSideEffect: "user_write", approvals });
  const argv = ["--port", "0", "--no-markets", "--pack", routedPack, "--policy", "platform.json"];
  return { home, up: await startUp(home, argv) };
}

/** A call that waits, and the id that it says it waits for. */
async function waiting(home: Home, argv: readonly string[]) {
  const ending = new AbortController();
  const ids: string[] = [];
  let [err, isAsked] = ["", Promise.withResolvers<void>()];
  const heard = new EventEmitter();
  const stderr = (text: string) => {
    err += text;
    heard.emit("said");
    const id = /sf approvals approve (appr_\S+)/.exec(text)?.[1];
    if (id === undefined) return;
    ids.push(id);
    isAsked.resolve();
    isAsked = Promise.withResolvers();
  };
  const first = isAsked.promise;
  const ended: Promise<Ran> = home.run(argv, { stderr, signal: ending.signal });
  await Promise.race([first, ended]);
  const says = async (text: string) => {
    while (!err.includes(text)) await once(heard, "said");
  };
  return { ids, says, ended: ended.then((ran) => ({ ...ran, err })), cancel: () => ending.abort("SIGINT") };
}

describe("a call that the platform asks a person about", () => {
  test("is answered with --as by a name, in the inbox of the folder that the platform has", async () => {
    const { home } = await askingUp();
    expect((await home.run(calling(...own))).code).toBe(4);
    const id = idIn(await listed(home));
    const { code, out } = await home.run(["approvals", "approve", id, "--as", "ana", "--json"]);
    expect([code, JSON.parse(out)]).toMatchObject([
      0,
      { approval: { status: "approved", decidedBy: { keyId: "operator:ana", kind: "operator" } } },
    ]);
    expect((await home.run(calling(...own))).code).toBe(0);
  });

  test("ends with 4; approved with the operator's key, the same command runs, once", async () => {
    const { home, up } = await askingUp();
    const first = await home.run(calling(...own));
    const [shown] = await listed(home);
    const id = shown?.approvalId ?? "";
    expect({ code: first.code, where: shown?.where }).toStrictEqual({ code: 4, where: up.url });
    expect(first.err).toContain(`\n  to approve it: sf approvals approve ${id}\n`);
    const show = await home.run(["approvals", "show", id]);
    expect(show.out).toMatch(/\nwho {7}key key_\S+ of account local, scopes read write\n/);
    const approved = await home.run(["approvals", "approve", id, "--note", "fine"]);
    expect(approved).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringMatching(/is approved by key key_\S+ of account local/),
    });
    expect(await home.run(calling(...own))).toMatchObject({ code: 0, out: '{\n  "count": 1\n}\n' });
    expect((await home.run(calling(...own))).code).toBe(4);
    expect(home.read("notes")).toBe("milk\n");
  });

  test("names the platform where it was named", async () => {
    const { home, up } = await askingUp();
    const at = ["--url", up.url, "--key-file", keyPath(home, "starter")];
    const { code, err } = await home.run(calling(...own, ...at));
    const [, command = ""] = /to approve it: sf (.*)\n/.exec(err) ?? [];
    expect({ code, command }).toStrictEqual({
      code: 4,
      command: expect.stringMatching(new RegExp(`^approvals approve appr_\\S+ --url ${up.url}$`)),
    });
    const answered = await home.run([...command.split(" "), "--key-file", keyPath(home, "operator")]);
    expect(answered.code).toBe(0);
    expect((await home.run(calling(...own, ...at))).code).toBe(0);
  });

  test("names it so that the command works as printed: in its own folder with the folder's key", async () => {
    const { home, up } = await askingUp();
    const at = ["--url", up.url];
    const { code, err } = await home.run(calling(...own, ...at));
    expect({ code, note: err.split("\n")[0] }).toStrictEqual({
      code: 4,
      note: `asking ${up.url} with the starter key of this folder`,
    });
    const [, command = ""] = /to approve it: sf (.*)\n/.exec(err) ?? [];
    const shown = await home.run(["approvals", "show", command.split(" ")[2] ?? "", ...at]);
    expect(shown).toMatchObject({ code: 0, out: expect.stringContaining(`\n  sf ${command}\n`) });
    expect(await home.run(command.split(" "))).toMatchObject({
      code: 0,
      err: `asking ${up.url} with the operator key of this folder\n`,
    });
    expect((await home.run(["approvals", "ls", "--url", `${up.url}/`])).code).toBe(0);
    expect((await home.run(["keys", "ls", ...at])).code).toBe(0);
    expect((await home.run(calling(...own, ...at))).code).toBe(0);
  });

  test("names a key file where the folder has no key for it, or the environment has another", async () => {
    const { home, up } = await askingUp();
    const way = await wayTo(up.url, () => "pass");
    const caller = ["--key-file", keyPath(home, "starter")];
    const printed = async (argv: readonly string[], env = {}) => {
      const { err } = await home.run(calling(...own, ...argv), { env });
      return /to approve it: sf approvals approve appr_\S+(.*)\n/.exec(err)?.[1];
    };
    expect(await printed(["--url", way, ...caller])).toBe(` --url ${way} --key-file …`);
    const env = { SF_API_KEY: secretIn(keyPath(home, "starter")) };
    expect(await printed(["--url", up.url], env)).toBe(` --url ${up.url} --key-file …`);
    const operator = keyPath(home, "operator");
    const [one] = await listed(home);
    const shown = await home.run([
      "approvals",
      "show",
      one?.approvalId ?? "",
      "--url",
      way,
      "--key-file",
      operator,
    ]);
    expect(shown.out).toContain(
      `\n  sf approvals approve ${one?.approvalId} --url ${way} --key-file ${operator}\n`,
    );
  });

  test("S1: the folder's key goes to no other address than its platform's", async () => {
    const { home, up } = await askingUp();
    let met = 0;
    const other = await wayTo(up.url, () => ((met += 1), "pass"));
    const addresses = [other, `${up.url}/below`, up.url.replace("127.0.0.1", "localhost")];
    for (const url of addresses) {
      const { code, err } = await home.run(["approvals", "ls", "--url", url]);
      expect({ code, err }).toStrictEqual({
        code: 3,
        err: `error missing_api_key: the platform at ${url} needs a key: put one into SF_API_KEY, or name its file with --key-file\n`,
      });
    }
    await up.stop();
    expect((await home.run(["approvals", "ls", "--url", up.url])).code).toBe(3);
    expect(met).toBe(0);
  });

  test("goes on where it waits; denied, it ends with who said so and why", async () => {
    const { home } = await askingUp();
    const argv = calling(...own, "--wait-for-approval");
    const one = await waiting(home, argv);
    expect((await home.run(["approvals", "approve", one.ids[0] ?? "", "--note", "fine"])).code).toBe(0);
    expect(await one.ended).toMatchObject({
      code: 0,
      out: '{\n  "count": 1\n}\n',
      err: expect.stringMatching(
        /^waiting: routed\.add: a person must approve side effects from user_write up, until .*\n[^]*\nanswered: approved by key key_\S+ of account local, and says: fine\n/,
      ),
    });
    const other = await waiting(home, argv);
    expect((await home.run(["approvals", "deny", other.ids[0] ?? "", "--note", "enough"])).code).toBe(0);
    const { code, err } = await other.ended;
    expect({ code, says: err.includes("enough") }).toStrictEqual({ code: 3, says: true });
    expect(err).not.toContain("; approved: ");
    expect(err).toContain(`; asked: ${other.ids[0]}; policy `);
    expect(home.read("notes")).toBe("milk\n");
  });

  test("says once that the platform is away while it waits, and once that it is back", async () => {
    const { home, up } = await askingUp();
    let isAway = false;
    const waits = new Set<IncomingMessage["socket"]>();
    const way = await wayTo(up.url, ({ url, socket }) => {
      if (url?.includes("waitMs=") !== true) return "pass";
      waits.add(socket);
      if (!isAway) return "pass";
      socket.destroy();
      return "met";
    });
    const at = ["--url", way, "--key-file", keyPath(home, "starter")];
    const { ids, ended, says } = await waiting(home, calling(...own, ...at, "--wait-for-approval"));
    isAway = true;
    for (const socket of waits) socket.destroy();
    await says("no answer from the platform");
    isAway = false;
    expect((await home.run(["approvals", "approve", ids[0] ?? ""])).code).toBe(0);
    const { code, err } = await ended;
    const said = err.split("\n").filter((line) => /^(?!who ).*the platform/.test(line));
    expect({ code, said }).toStrictEqual({
      code: 0,
      said: [
        "  Ctrl-C cancels the call; the platform's question ends with its time",
        "no answer from the platform; it is asked again until it gives one",
        "the platform is back",
      ],
    });
  });

  test("is cancelled by Ctrl-C while it waits, and has run nowhere", async () => {
    const { home } = await askingUp();
    const { ids, ended, cancel } = await waiting(home, calling(...own, "--wait-for-approval"));
    expect(ids).toHaveLength(1);
    cancel();
    const { code, err } = await ended;
    expect({ code, err }).toStrictEqual({
      code: 130,
      err: expect.stringContaining("  Ctrl-C cancels the call; the platform's question ends with its time\n"),
    });
    expect((await home.run(["trace", "verify", "--data", agentFolder])).code).toBe(0);
  });

  test("where both sides ask, both are answered, each where it was asked", async () => {
    const { home, up } = await askingUp();
    const asking = ["--policy", "asking.json"];
    expect((await home.run(calling(...asking))).code).toBe(4);
    const ownSide = idIn(await listed(home));
    expect((await listed(home))[0]?.where).toBe(home.path(agentFolder));
    await home.run(["approvals", "approve", ownSide]);
    expect((await home.run(calling(...asking))).code).toBe(4);
    const [theirs] = await listed(home);
    expect(theirs?.where).toBe(up.url);
  });
});

describe("who may answer", () => {
  test("not the key that asked, and no key without the scope admin that nobody has named", async () => {
    const { home, up } = await askingUp();
    await home.run(calling(...own));
    const id = idIn(await listed(home));
    const asker = ["--key-file", keyPath(home, "starter")];
    expect(await home.run(["approvals", "approve", id, ...asker])).toMatchObject({
      code: 3,
      err: expect.stringMatching(/^error forbidden: .*whoever asks is not who approves/),
    });
    const other = await wayTo(up.url, () => "pass");
    const none = await home.run(["approvals", "approve", id, "--url", other]);
    expect(none).toMatchObject({ code: 3, err: expect.stringMatching(/^error missing_api_key: /) });
    expect(idIn(await listed(home))).toBe(id);
  });

  test("the operator's key of the folder, also where the environment has a key for calls", async () => {
    const { home } = await askingUp();
    await home.run(calling(...own));
    const env = { SF_API_KEY: `sf_live_${"x".repeat(32)}` };
    expect((await home.run(["approvals", "deny", idIn(await listed(home))], { env })).code).toBe(0);
  });
});

describe("a key that was named", () => {
  test.each([
    ["ls", ["approvals", "ls"]],
    ["approve", ["approvals", "approve", "appr_00000000"]],
    ["grants", ["approvals", "grants"]],
  ])("and is in no file is bad usage, whatever else could be looked at: sf approvals %s", async (_, argv) => {
    const { home } = await askingUp();
    expect(await home.run([...argv, "--key-file", "nope.key"])).toStrictEqual({
      code: 2,
      out: "",
      err: "error invalid_input: there is no file nope.key; name the file that sf keys create has made\n",
    });
    const empty = home.write("empty.key", "no key\n");
    chmodSync(empty, 0o600);
    expect(await home.run([...argv, "--key-file", "empty.key"])).toMatchObject({
      code: 2,
      err: "error invalid_input: empty.key holds no key; name the file that sf keys create has made\n",
    });
  });

  test("and may not see a question is told apart from one that is not there", async () => {
    const home = new Home();
    home.write("own.json", { maxSideEffect: "user_write" });
    home.write("approvals.json", { requireForSideEffectAtOrAbove: "user_write" });
    await startUp(home, ["--port", "0", "--no-markets", "--pack", routedPack]);
    const asker = await made(home, "--scope", "write", "--approvals", "approvals.json");
    expect((await home.run(calling(...own, "--key-file", asker.file))).code).toBe(4);
    const id = idIn(await listed(home));
    const { file } = await made(home);
    expect(await home.run(["approvals", "show", id, "--key-file", file])).toStrictEqual({
      code: 1,
      out: "",
      err: `error not_found: there is no approval ${id} in account local where it was looked, or the key that was used may not see it: use one with the scope admin; sf approvals ls --status any lists all there are\n`,
    });
  });
});

describe("where a platform is", () => {
  test.each([
    ["notaurl", "is no address"],
    ["ftp://127.0.0.1", "is neither http nor https"],
    ["http://127.0.0.1:7700/?x=1", "has a query or a fragment"],
    ["http://ada:c0rnerShop@127.0.0.1", "holds a user name or password"],
  ])("an address that is none is bad usage, named and not repeated: %s", async (url, problem) => {
    const home = new Home();
    const wrong = (name: string) =>
      `error invalid_input: ${name} ${problem}; give the platform's address, like http://127.0.0.1:7700\n`;
    for (const argv of [["approvals", "ls"], ["keys", "ls"], ["manifest"], calling()]) {
      const given = await home.run([...argv, "--url", url]);
      const usual = await home.run(argv, { env: { SF_API_URL: url } });
      expect([given, usual]).toStrictEqual([
        { code: 2, out: "", err: wrong("--url") },
        { code: 2, out: "", err: wrong("SF_API_URL") },
      ]);
    }
  });

  test.each([
    ["sf_live_short", "is neither a key (sf_live_ and 32 characters) nor a short-lived token"],
    [" sf_live_x ", "has spaces or line ends around it"],
  ])("a key in the environment that is none is bad usage, in words for a shell: %j", async (key, problem) => {
    const env = { SF_API_KEY: key };
    const { code, err } = await new Home().run(["keys", "ls", "--url", "http://127.0.0.1:9"], { env });
    expect({ code, err }).toStrictEqual({
      code: 2,
      err: `error invalid_input: SF_API_KEY ${problem}; put a whole key into it, or name its file with --key-file\n`,
    });
  });

  test("one of the environment that cannot be reached is said and left out; one that was named is not", async () => {
    const { home, up } = await askingUp();
    await home.run(calling(...own));
    const env = { SF_API_URL: "http://127.0.0.1:9", SF_API_KEY: `sf_live_${"x".repeat(32)}` };
    const { code, out, err } = await home.run(["approvals", "ls"], { env });
    expect({ code, found: out.startsWith("appr_") }).toStrictEqual({ code: 0, found: true });
    expect(err).toMatch(/^note: http:\/\/127\.0\.0\.1:9 is left out: /);
    expect((await home.run(["approvals", "ls", "--url", "http://127.0.0.1:9"], { env })).code).not.toBe(0);
    await up.stop();
    // What is in its folder is there without it, too.
    expect((await listed(home))[0]?.where).toBe(home.path(".sf"));
  });
});
