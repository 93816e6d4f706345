// docs/leaked-admin-key.md: its commands, as they stand there, on a platform whose admin key somebody else has used.
import { readFileSync } from "node:fs";
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { accepts, made, secretIn } from "../../test-data/keys-home.ts";
import { Home, routedPack } from "../../test-data/run-sf.ts";
import { startUp } from "../../test-data/run-up.ts";

const page = readFileSync(new URL("../../../../docs/leaked-admin-key.md", import.meta.url), "utf8");
/** Every command of the page, without what is said beside it. */
const commands = [...page.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
  .flatMap(([, block = ""]) => block.split("\n"))
  .map((line) => line.replace(/\s+#.*$/, "").trim())
  .filter((line) => line !== "");

/** A platform that is up, on which somebody with a stolen key has made a key and granted something. */
async function stolen() {
  const home = new Home();
  const up = await startUp(home, ["--port", "0", "--no-markets", "--pack", routedPack]);
  const leaked = await made(home, "--name", "stolen", "--scope", "admin");
  const withIt = ["--url", up.url, "--key-file", leaked.file];
  const second = await made(home, "--name", "second", "--scope", "read", "--output", "second.key", ...withIt);
  const granted = await home.run(["grants", "grant", "net:a.example", ...withIt]);
  expect(granted).toMatchObject({ code: 0 });
  return { home, up, leaked, second };
}

/** Somebody at a terminal, who types this. */
function typing(text: string) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  stdin.end(text);
  return { stdin, isTerminal: { stdout: true, stderr: true } };
}

describe("the page A leaked admin key", () => {
  test("has commands that run, in their order, and leave nothing of the key", async () => {
    const { home, up, leaked, second } = await stolen();
    expect(commands.length).toBeGreaterThan(8);
    const said: string[] = [];
    for (const command of commands) {
      const argv = command.replaceAll("key_1234", leaked.key.keyId).split(" ");
      expect(argv[0]).toBe("sf");
      const { code, out, err } = await home.run(argv.slice(1));
      expect({ command, code, err: code === 0 ? "" : err }).toStrictEqual({ command, code: 0, err: "" });
      if (command.includes("keys revoke")) said.push(out);
    }
    const [first = "", listed = "", ended = "", last = ""] = said;
    for (const text of [first, listed])
      expect(text).toMatch(
        /still stands:\n {2}key {7}key_\S+ {2}second {2}read\n {2}grant {5}cap_\S+ {2}net:a\.example/,
      );
    expect(first).toContain(`to end all of that: sf keys revoke ${leaked.key.keyId} --yes --decided end\n`);
    expect(ended).toContain("has ended:\n");
    expect(last).toMatch(/^key_\S+ {2}stolen {2}is revoked since \S+\n$/);
    expect(await accepts(up.url, secretIn(second.file))).toBe(false);
    expect((await home.run(["grants", "ls", "--json"])).out).not.toContain('"granted"');
  });
});

describe("sf keys revoke of a key that has left something", () => {
  test("asks at a terminal whether to end that, too, and ends it for a yes", async () => {
    const { home, up, leaked, second } = await stolen();
    const revoke = ["keys", "revoke", leaked.key.keyId];
    const kept = await home.run(revoke, typing("y\nn\n"));
    expect(kept).toMatchObject({ code: 0, out: expect.stringContaining("to end all of that: ") });
    expect(kept.err).toMatch(/\[y\/N\] End all of that, too\? \[y\/N\] $/);
    expect(await accepts(up.url, secretIn(second.file))).toBe(true);
    const ended = await home.run(revoke, typing("y\nyes\n"));
    expect(ended).toMatchObject({ code: 0, out: expect.stringContaining("all of that has ended\n") });
    expect(await accepts(up.url, secretIn(second.file))).toBe(false);
  });

  test("says so with --json, and ends it with --decided end", async () => {
    const { home, leaked, second } = await stolen();
    const revoke = ["keys", "revoke", leaked.key.keyId, "--yes", "--json"];
    const listed = JSON.parse((await home.run(revoke)).out) as object;
    expect(listed).toMatchObject({
      ok: true,
      key: { keyId: leaked.key.keyId, status: "revoked" },
      decided: {
        isEnded: false,
        madeKeys: [{ keyId: second.key.keyId, isOwn: false }],
        capabilities: [{ capability: "net:a.example", decidedByKeyId: leaked.key.keyId }],
      },
    });
    const ended = JSON.parse((await home.run([...revoke, "--decided", "end"])).out) as object;
    expect(ended).toMatchObject({ decided: { isEnded: true } });
    expect(JSON.parse((await home.run(revoke)).out)).toMatchObject({
      decided: { madeKeys: [], capabilities: [], sessions: [], approvals: [] },
    });
  });
});
