import { isApiKey } from "@spfunctions/contracts";
import { chmodSync, existsSync, readdirSync } from "node:fs";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import {
  accepts,
  asOperator,
  keysFolder,
  listed,
  made,
  secretIn,
  upHome,
  wayTo,
} from "../../test-data/keys-home.ts";
import { Home, type Ran } from "../../test-data/run-sf.ts";
import { keyPath } from "../../test-data/run-up.ts";

/** Somebody at a terminal, who types this. */
function typing(text: string | undefined) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  if (text !== undefined) stdin.end(text);
  return { stdin, isTerminal: { stdout: true, stderr: true } };
}

describe("sf keys ls", () => {
  test("lists all keys of all pages, and nothing in them moves the screen", async () => {
    const { home, up } = await upHome();
    const headers = {
      authorization: `Bearer ${secretIn(keyPath(home, "operator"))}`,
      "content-type": "application/json",
    };
    const names = Array.from({ length: 102 }, (_, at) => `key ${at} \u001b[31m`);
    await Promise.all(
      names.map((name) =>
        fetch(`${up.url}/api/keys`, { method: "POST", headers, body: JSON.stringify({ name }) }),
      ),
    );
    const { code, out, err } = await home.run(["keys", "ls"]);
    const [head, ...rows] = out.trimEnd().split("\n");
    expect({ code, err, rows: rows.length }).toStrictEqual({
      code: 0,
      err: "104 keys, times in UTC\n",
      rows: 104,
    });
    expect(head).toMatch(/^id +name +scopes +created +expires +last used +status +a person approves$/);
    expect(
      rows.filter((row) =>
        /^key_\S+  key \d+ \\u001b\[31m +read +[\d-]+ [\d:]+  never    never +active {2}nothing$/.test(row),
      ),
    ).toHaveLength(102);
    expect(out).not.toContain("\u001b");
  });
});

describe("sf keys in a folder of one's own", () => {
  test("manages every account that is named, whichever was first", async () => {
    const home = new Home();
    const first = await home.run(["keys", "ls"]);
    expect([first.code, first.err]).toStrictEqual([
      0,
      expect.stringMatching(/^first keys of this platform /),
    ]);
    expect((await home.run(["keys", "ls", "--account", "shop"])).err).toMatch(/^first keys .*\n2 keys/);
    const { key } = await made(home, "--name", "till", "--account", "shop", "--scope", "read");
    const shop = await home.run(["keys", "ls", "--account", "shop"]);
    expect([shop.code, shop.out]).toStrictEqual([0, expect.stringContaining(key.keyId)]);
    const ended = await home.run(["keys", "revoke", key.keyId, "--yes", "--account", "shop"]);
    expect(ended).toMatchObject({ code: 0 });
    expect((await home.run(["keys", "ls"])).err).toBe("2 keys, times in UTC\n");
  });

  test("makes no keys for whoever has named one", async () => {
    const home = new Home();
    await home.run(["keys", "ls", "--account", "shop"]);
    const { file } = await made(home, "--name", "boss", "--account", "shop", "--scope", "admin");
    const before = readdirSync(home.path(keysFolder));
    const { code, err } = await home.run(["keys", "ls", "--key-file", file, "--account", "third"]);
    expect([code, err]).toStrictEqual([0, "3 keys, times in UTC\n"]);
    expect(readdirSync(home.path(keysFolder))).toStrictEqual(before);
  });

  test("manages with its operator key, also where the environment has a key for calls; one that was named comes first", async () => {
    const { home, up } = await upHome();
    const starter = keyPath(home, "starter");
    const env = { SF_API_KEY: secretIn(starter) };
    expect((await home.run(["keys", "ls"], { env })).code).toBe(0);
    const refused = (more: string) => ({
      code: 3,
      out: "",
      err: expect.stringMatching(
        `^error policy_denied: managing keys takes a key with the scope admin, and key_\\S+ has read write; name the file of one with --key-file${more}\n$`,
      ),
    });
    expect(await home.run(["keys", "ls", "--key-file", starter])).toStrictEqual(refused(""));
    expect(await home.run(["keys", "create", "--url", up.url], { env })).toStrictEqual(
      refused(", or put one into SF_API_KEY"),
    );
    await up.stop();
    expect((await home.run(["keys", "ls"], { env })).code).toBe(0);
  });
});

describe("sf keys rotate", () => {
  test("keeps the new secret in another new file; the one before is still good, and it is said for how long", async () => {
    const { home, up } = await upHome();
    const { key, file } = await made(home, "--name", "desk");
    const { code, out } = await home.run(["keys", "rotate", key.keyId]);
    const next = file.replace(/\.key$/, ".2.key");
    expect({ code, out }).toStrictEqual({
      code: 0,
      out: `${key.keyId}  desk  has a new secret\nit is in ${next}, which you alone can read, and nowhere else\nthe secret before it stays good for 24 hours; put the new one in its place until then\n`,
    });
    const secrets = [secretIn(file), secretIn(next)];
    expect(new Set(secrets).size).toBe(2);
    expect(await Promise.all(secrets.map((secret) => accepts(up.url, secret)))).toStrictEqual([true, true]);
  });

  test("sf keys ls shows until when the secret before a rotation is good", async () => {
    const { home } = await upHome();
    const { key } = await made(home, "--name", "desk");
    const line = async () =>
      (await home.run(["keys", "ls"])).out.split("\n").find((one) => one.startsWith(key.keyId)) ?? "";
    expect(await line()).not.toContain("old secret");
    await home.run(["keys", "rotate", key.keyId]);
    const { keys } = JSON.parse((await home.run(["keys", "ls", "--json"])).out) as {
      keys: { keyId: string; rotatedAt?: string }[];
    };
    const { rotatedAt = "" } = keys.find(({ keyId }) => keyId === key.keyId) ?? {};
    const until = new Date(Date.parse(rotatedAt) + 24 * 3_600_000).toISOString();
    expect(await line()).toContain(`active, its old secret until ${until.slice(0, 16).replace("T", " ")}`);
  });

  test("where the new secret cannot be kept, the key goes on with the one before", async () => {
    const { home, up } = await upHome();
    const { key, file } = await made(home);
    const way = await wayTo(
      up.url,
      ({ method }) => (method === "POST" && home.write("a.key", "theirs"), "pass"),
    );
    const { code, err } = await home.run([
      "keys",
      "rotate",
      key.keyId,
      "--output",
      "a.key",
      ...asOperator(home, way),
    ]);
    expect({ code, err }).toStrictEqual({
      code: 1,
      err: expect.stringMatching(
        /was rotated, and its new secret could not be kept: .*the one before stays good for 24 hours: rotate again/,
      ),
    });
    await expect(accepts(up.url, secretIn(file))).resolves.toBe(true);
  });
});

describe("sf keys revoke", () => {
  test("ends a key at once; ending it again changes nothing", async () => {
    const { home, up } = await upHome();
    const { key, file } = await made(home, "--name", "desk");
    const first = await home.run(["keys", "revoke", key.keyId, "--yes"]);
    expect(first).toStrictEqual({
      code: 0,
      err: "",
      out: expect.stringMatching(`^${key.keyId}  desk  is revoked since 2`),
    });
    await expect(accepts(up.url, secretIn(file))).resolves.toBe(false);
    const second = await home.run(["keys", "revoke", key.keyId, "--yes"]);
    expect(second.out).toBe(first.out);
    const none = await home.run(["keys", "revoke", "key_none", "--yes"]);
    expect(none).toStrictEqual({
      code: 1,
      out: "",
      err: "error not_found: there is no such key in this account; sf keys ls lists those there are\n",
    });
  });

  test("asks whoever sits at a terminal, and takes nothing but yes for it", async () => {
    const { home } = await upHome();
    const { key } = await made(home, "--name", "desk");
    const status = async () => (await listed(home)).find(({ keyId }) => keyId === key.keyId)?.status;
    for (const answer of ["n\n", "\n", "yess\n", ""]) {
      const { code, err } = await home.run(["keys", "revoke", key.keyId], typing(answer));
      const after = await status();
      expect({ code, err, status: after }).toStrictEqual({
        code: 1,
        err: expect.stringMatching(/\[y\/N\] \n?.*not confirmed; nothing was changed\n$/),
        status: "active",
      });
    }
    const { code, err } = await home.run(["keys", "revoke", key.keyId], typing("Yes\n"));
    expect({ code, err, status: await status() }).toStrictEqual({
      code: 0,
      err: `Revoke ${key.keyId}? Every secret and token of it ends at once, and that cannot be undone. [y/N] `,
      status: "revoked",
    });
  });

  test("Ctrl-C at the question ends it, and nothing was changed", async () => {
    const home = new Home();
    const ending = new AbortController();
    const stderr = (text: string) => text.includes("[y/N]") && ending.abort("SIGINT");
    const { code } = await home.run(["keys", "revoke", "key_1"], {
      ...typing(undefined),
      signal: ending.signal,
      stderr,
    });
    expect({ code, data: existsSync(home.path(".sf")) }).toStrictEqual({ code: 130, data: false });
  });

  test("needs --yes where nobody can be asked", async () => {
    const home = new Home();
    const answers: Ran[] = [
      await home.run(["keys", "revoke", "key_1"], { input: "y\n" }),
      await home.run(["keys", "revoke", "key_1"], {
        ...typing("y\n"),
        isTerminal: { stdout: true, stderr: false },
      }),
    ];
    const err =
      "error invalid_input: nobody sits at a terminal who could be asked; give --yes if you are sure\n";
    expect(answers).toStrictEqual([
      { code: 2, out: "", err },
      { code: 2, out: "", err },
    ]);
  });

  test("S1: a key in place of its id is not repeated", async () => {
    const secret = `sf_live_${"c0rnerSh0p".repeat(3)}ab`;
    for (const command of ["revoke", "rotate"]) {
      const { code, out, err } = await new Home().run(["keys", command, secret, "--json"]);
      expect({ code, told: `${out}${err}`.includes(secret) }).toStrictEqual({ code: 2, told: false });
      expect(err).toContain("that is a key itself");
    }
  });
});

describe("who may not, or is not there", () => {
  test("a key without the scope admin is refused, and no file is left", async () => {
    const { home, up } = await upHome();
    const { code, err } = await home.run([
      "keys",
      "create",
      "--url",
      up.url,
      "--key-file",
      keyPath(home, "starter"),
      "--output",
      "a.key",
    ]);
    expect({ code, err, left: existsSync(home.path("a.key")) }).toStrictEqual({
      code: 3,
      err: expect.stringContaining("error policy_denied: "),
      left: false,
    });
  });

  test("of an operator key that was revoked it is said how to get another", async () => {
    const { home } = await upHome();
    const operator = (await listed(home)).find(({ name }) => name === "operator")?.keyId ?? "";
    expect((await home.run(["keys", "revoke", operator, "--yes"])).code).toBe(0);
    const { code, err } = await home.run(["keys", "ls"]);
    expect({ code, err }).toStrictEqual({
      code: 3,
      err: expect.stringContaining(
        "remove its file (sf doctor shows which), and the next start makes another",
      ),
    });
  });

  test("a platform that is down, a key file that others can read, and one that is none", async () => {
    const { home, up } = await upHome();
    const key = keyPath(home, "operator");
    await up.stop();
    const down = await home.run(["keys", "ls", "--url", up.url, "--key-file", key]);
    chmodSync(key, 0o640);
    const open = await home.run(["keys", "ls", "--url", up.url, "--key-file", key]);
    const none = await home.run(["keys", "ls", "--url", up.url, "--key-file", home.write("none.key", "")]);
    const missing = await home.run(["keys", "ls", "--url", up.url]);
    expect([down, open, none, missing].map(({ code, err }) => [code, err.split(": ", 1)[0]])).toStrictEqual([
      [1, "error upstream_error"],
      [1, "error host_configuration_needed"],
      [1, "error host_configuration_needed"],
      [3, "error missing_api_key"],
    ]);
  });
});

describe("the examples in the help", () => {
  test("are commands that work", async () => {
    const { home } = await upHome();
    home.write("approvals.json", { requireForSideEffectAtOrAbove: "user_write" });
    const { key } = await made(home);
    const examples: string[] = [];
    for (const command of ["create", "ls", "rotate", "revoke"]) {
      const { out } = await home.run(["keys", command, "--help"]);
      examples.push(...[...out.matchAll(/^ {2}\$ sf (.*)$/gm)].map(([, line = ""]) => line));
    }
    expect(examples).toHaveLength(10);
    for (const example of examples) {
      const argv = example
        .replaceAll("'", "")
        .replace(/key_\S+/, key.keyId)
        .split(" ");
      const { code, err } = await home.run(argv, typing("y\n"));
      expect({ example, code, err }).toMatchObject({ example, code: 0 });
    }
  });

  test("a folder that has nothing yet gets its platform with the first key", async () => {
    const home = new Home();
    const { code, out, err } = await home.run(["keys", "create", "--name", "first", "--output", "first.key"]);
    expect({ code, err, isKey: isApiKey(home.read("first.key").trim()) }).toStrictEqual({
      code: 0,
      err: `first keys of this platform were made: ${keyPath(home, "operator")}, ${keyPath(home, "starter")}\n`,
      isKey: true,
    });
    expect(out).toContain("first  read\n");
  });
});
