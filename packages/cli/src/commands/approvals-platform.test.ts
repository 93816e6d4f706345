// Answers to a platform: over its own routes, with its operator's key, whoever else has its folder.
import { describe, expect, test } from "vitest";
import { idIn, listed } from "../../test-data/asking-home.ts";
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
  const stderr = (text: string) => {
    err += text;
    const id = /sf approvals approve (appr_\S+)/.exec(text)?.[1];
    if (id === undefined) return;
    ids.push(id);
    isAsked.resolve();
    isAsked = Promise.withResolvers();
  };
  const first = isAsked.promise;
  const ended: Promise<Ran> = home.run(argv, { stderr, signal: ending.signal });
  await Promise.race([first, ended]);
  return { ids, ended: ended.then((ran) => ({ ...ran, err })), cancel: () => ending.abort("SIGINT") };
}

describe("a call that the platform asks a person about", () => {
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

  test("goes on where it waits; denied, it ends with who said so and why", async () => {
    const { home } = await askingUp();
    const argv = calling(...own, "--wait-for-approval");
    const one = await waiting(home, argv);
    expect((await home.run(["approvals", "approve", one.ids[0] ?? ""])).code).toBe(0);
    expect(await one.ended).toMatchObject({ code: 0, out: '{\n  "count": 1\n}\n' });
    const other = await waiting(home, argv);
    expect((await home.run(["approvals", "deny", other.ids[0] ?? "", "--note", "enough"])).code).toBe(0);
    const { code, err } = await other.ended;
    expect({ code, says: err.includes("enough") }).toStrictEqual({ code: 3, says: true });
    expect(home.read("notes")).toBe("milk\n");
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
    const none = await home.run(["approvals", "approve", id, "--url", up.url]);
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

describe("where a platform is", () => {
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
