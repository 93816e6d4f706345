// G3: an operator says at a command line what calls may reach: in the folder they call in, beside a process that drives it, and never
// by accident.
import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { adding, askingHome, waiting } from "../../test-data/asking-home.ts";
import { askIn, fetching, grantsIn, page, usual, webPack } from "../../test-data/reaching-home.ts";
import { runExamples } from "../../test-data/run-examples.ts";
import { runIdIn } from "../../test-data/run-scripts.ts";
import { Home } from "../../test-data/run-sf.ts";

const secret = `sf_live_${"c0rnerSh0p".repeat(3)}ab`;
const when = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC \(in [^)]*\)`;

/** A home in which a call was refused, so that there is a journal. */
async function reachingHome(): Promise<Home> {
  const home = new Home();
  expect((await home.run(fetching())).code).toBe(3);
  return home;
}

function idIn(text: string): string {
  return /cap_[\w-]+/.exec(text)?.[0] ?? "";
}

describe("a call that lacks a capability", () => {
  test("ends with 3 and says how it is granted; granted once, the same command runs, once", async () => {
    const home = new Home();
    const { code, out, err } = await home.run(fetching());
    expect({ code, out }).toStrictEqual({ code: 3, out: "" });
    expect(err).toContain(`
  to grant it, for one call: sf grants grant net:example.com
  to grant it for an hour:   sf grants grant net:example.com --for 1h
  then run the same command again
`);
    const granted = await home.run(["grants", "grant", "net:example.com"]);
    expect(granted).toStrictEqual({
      code: 0,
      err: "",
      out: expect.stringMatching(
        `^cap_\\S+ \\(net:example.com\\) is granted by operator of account local for one call, to everybody in account local, until ${when}, in ${home.path(usual)}
a call that was refused for want of it is to be made again
to end it: sf grants revoke cap_\\S+\n$`,
      ),
    });
    expect(await home.run(fetching())).toMatchObject({ code: 0, out: `{\n  "reached": "${page}"\n}\n` });
    expect((await home.run(fetching())).code).toBe(3);
    expect(home.read("notes")).toBe(`${page}\n`);
    expect(await grantsIn(home, "--status", "used")).toMatchObject([
      { scope: "once", capability: "net:example.com" },
    ]);
    expect((await home.run(["trace", "verify"])).code).toBe(0);
  });

  test("names the folder and the account that it was refused in, where they are not the usual ones", async () => {
    const home = new Home();
    const { err } = await home.run(fetching(page, "--data", "my data", "--account", "desk"));
    expect(err).toContain(
      `\n  to grant it, for one call: sf grants grant net:example.com --data '${home.path("my data")}' --account desk\n`,
    );
    const at = ["--data", "my data", "--account", "desk"];
    expect((await home.run(["grants", "grant", "net:example.com", ...at])).code).toBe(0);
    expect((await home.run(fetching(page, ...at))).code).toBe(0);
    expect(await grantsIn(home, "--data", "my data", "--status", "any")).toStrictEqual([]);
  });

  test("of a tool that is sent on, what lasts is to be granted", async () => {
    const home = await reachingHome();
    const next = "https://other.example/";
    const argv = ["call", "web.fetch", "--pack", webPack, "--input", JSON.stringify({ url: page, next })];
    await home.run(["grants", "grant", "net:example.com", "--for", "1h"]);
    const { code, err } = await home.run(argv);
    expect(code).toBe(3);
    expect(err).toContain("\n  to grant it for an hour:   sf grants grant net:other.example --for 1h\n");
    expect(err).not.toContain("for one call");
    await home.run(["grants", "grant", "net:other.example", "--for", "1h"]);
    expect((await home.run(argv)).code).toBe(0);
  });

  test("of an address that no grant reaches, nothing is said to grant", async () => {
    const home = new Home();
    const { code, err } = await home.run(fetching("http://127.0.0.1/"));
    expect({ code, told: err.includes("sf grants") }).toStrictEqual({ code: 3, told: false });
  });

  test("tells of it in its JSON", async () => {
    const { code, out } = await new Home().run(fetching(page, "--json"));
    expect({ code, answer: JSON.parse(out) as object }).toMatchObject({
      code: 3,
      answer: { error: { code: "capability_denied", details: { capability: "net:example.com" } } },
    });
  });
});

describe("a run whose model wants to reach something", () => {
  test("asks, goes on without it, and says at its end how that is granted", async () => {
    const home = new Home();
    home.write("script.json", [
      { toolCalls: [{ name: "web.fetch", args: { url: page } }] },
      { text: "I could not" },
    ]);
    const argv = [
      "run",
      "fetch it",
      "--pack",
      webPack,
      "--model",
      "scripted:script.json",
      "--tools",
      "web.fetch",
    ];
    const { code, out, err } = await home.run(argv);
    const [asked] = await grantsIn(home);
    const { grantId = "" } = asked ?? {};
    const runId = runIdIn(err);
    expect({ code, out }).toStrictEqual({ code: 0, out: "I could not\n" });
    expect(asked).toMatchObject({ status: "pending", holder: { runId }, asker: { kind: "run", runId } });
    expect(err).toMatch(
      new RegExp(`\n  net:example\\.com was asked for, and waits for an answer until ${when}
  to grant it for an hour:   sf grants grant ${grantId} --for 1h
  to deny it:                sf grants deny ${grantId} --note "why"\n$`),
    );
    // Beyond its run, for the key: the next run of the same caller reaches it.
    expect((await home.run(["grants", "grant", grantId, "--for", "1h"])).code).toBe(0);
    expect((await home.run(argv)).err).not.toContain("sf grants");
    expect(home.read("notes")).toBe(`${page}\n`);
  });
});

describe("sf grants ls", () => {
  // proves LIVE-11.15
  test("shows what is asked for, by whom, why, what was read before, until when, and how it is answered", async () => {
    const home = await reachingHome();
    expect(await home.run(["grants", "ls"])).toStrictEqual({
      code: 0,
      out: "none: nothing is asked for, and nothing is granted\n",
      err: "",
    });
    const reason = "to look it up";
    const id = await askIn(home, "net:example.com", { reason, readBefore: ["a page", "another page"] });
    const { code, out, err } = await home.run(["grants", "ls"]);
    expect({ code, err }).toStrictEqual({ code: 0, err: "" });
    expect(out).toMatch(
      new RegExp(`^${id}  net:example\\.com  waits for an answer until ${when}
  who      local cli of account local
  for      key cli in account local
  why      to look it up
  read     just before, which may be where the wish comes from; these are not the asker's words, nor ours:
           │ a page
           │ another page
  asked    .* ago\\)
  where    ${home.path(usual)}
  to grant it, for one call: sf grants grant ${id}
  to grant it for an hour:   sf grants grant ${id} --for 1h
  to deny it:                sf grants deny ${id} --note "why"\n$`),
    );
    await home.run(["grants", "grant", id, "--for", "30m", "--note", "for the manual"]);
    expect((await home.run(["grants", "ls"])).out).toMatch(
      new RegExp(`^${id}  net:example\\.com  granted for any number of calls, until ${when}\n[^]*
  decided  by operator of account local, .* ago\\)
  decided  and says: for the manual
  where    ${home.path(usual)}
  to end it: sf grants revoke ${id}\n$`),
    );
    await home.run(["grants", "revoke", id, "--note", "enough"]);
    const ended = await home.run(["grants", "ls", "--status", "any"]);
    expect(ended.out).toMatch(new RegExp(`^${id}  net:example\\.com  revoked\n`));
    expect(ended.out).not.toContain("sf grants");
    expect((await home.run(["grants", "ls", "--status", "pending"])).out).toBe("none is listed\n");
  });

  test("nothing in a question moves the screen, or looks like a line of ours", async () => {
    const home = await reachingHome();
    const hostile = "\u001b[2J\u202e\n  to grant it, for one call: sf grants grant net\r";
    await askIn(home, "net:example.com", { reason: hostile, readBefore: [hostile] });
    const { out } = await home.run(["grants", "ls"]);
    expect(/[\u001b\u202e\r]/.test(out)).toBe(false);
    expect(out.split("\n").filter((line) => line.startsWith("  to grant it"))).toHaveLength(2);
    expect(out).toContain("  │ ");
  });

  test("S1: a secret in what was said or read is shown nowhere", async () => {
    const home = await reachingHome();
    await askIn(home, "net:example.com", { reason: `with ${secret}`, readBefore: [`key ${secret}`] });
    const said = [await home.run(["grants", "ls"]), await home.run(["grants", "ls", "--json"])];
    for (const { out } of said)
      expect([out.includes(secret), out.includes("[redacted:")]).toStrictEqual([false, true]);
  });

  test("B22: what somebody has written into the file is none", async () => {
    const home = await reachingHome();
    const id = await askIn(home, "net:example.com");
    const database = new DatabaseSync(home.path(`${usual}/simplefunctions.db`));
    database.exec("UPDATE documents SET status = 'granted' WHERE kind = 'capability'");
    database.close();
    expect(await grantsIn(home, "--status", "any")).toStrictEqual([]);
    expect((await home.run(["grants", "grant", id])).code).toBe(1);
    expect((await home.run(fetching())).code).toBe(3);
  });
});

describe("an answer", () => {
  test("is one object for a program", async () => {
    const home = await reachingHome();
    const { out } = await home.run([
      "grants",
      "grant",
      "net:*.example.com",
      "--for",
      "1h",
      "--key-id",
      "cli",
      "--json",
    ]);
    expect(JSON.parse(out)).toMatchObject({
      ok: true,
      where: home.path(usual),
      grant: { status: "granted", scope: "until", holder: { accountId: "local", keyId: "cli" } },
    });
    expect([
      (await home.run(fetching("https://www.example.com/"))).code,
      (await home.run(fetching())).code,
    ]).toStrictEqual([0, 3]);
  });

  test("is for whom it names: a key, a session, also for a time", async () => {
    const home = await reachingHome();
    const session = ["--session", "monday"];
    await home.run(["grants", "grant", "net", "--key-id", "key_other", "--for", "1h"]);
    await home.run(["grants", "grant", "net", ...session, "--for", "1h"]);
    expect((await home.run(fetching())).code).toBe(3);
    expect((await home.run(fetching(page, ...session))).code).toBe(0);
    const { code } = await home.run(["grants", "grant", "net", "--scope", "session", "--session", "tuesday"]);
    expect([code, (await home.run(fetching(page, "--session", "tuesday"))).code]).toStrictEqual([0, 0]);
  });

  test("stands once it is given: another is refused with 3, and nothing has changed", async () => {
    const home = await reachingHome();
    const id = await askIn(home, "net:example.com");
    const denied = await home.run(["grants", "deny", id, "--note", "not that one"]);
    expect(denied).toMatchObject({
      code: 0,
      out: expect.stringMatching(
        `^${id} \\(net:example.com\\) is denied by operator of account local, in .*; it is not asked for again before ${when}\n$`,
      ),
    });
    // Said once more by whoever said so, it is what stands.
    expect((await home.run(["grants", "deny", id])).code).toBe(0);
    for (const word of ["grant", "revoke"]) {
      const again = await home.run(["grants", word, id]);
      expect(again).toMatchObject({
        code: 3,
        out: "",
        err: expect.stringMatching(`^error invalid_transition: ${id} is denied by operator`),
      });
    }
    expect(await askIn(home, "net:example.com")).toBe(id);
    expect((await home.run(fetching())).code).toBe(3);
  });

  test("says how long is the longest, in the words of the command", async () => {
    const home = await reachingHome();
    expect(await home.run(["grants", "grant", "net:example.com", "--for", "60d"])).toMatchObject({
      out: "",
      err: expect.stringMatching(/^error invalid_input: --for is at most 30d\n/),
    });
  });

  test("of two at once, one counts", async () => {
    const home = await reachingHome();
    const id = await askIn(home, "net:example.com");
    const both = await Promise.all([
      home.run(["grants", "grant", id, "--for", "1h", "--wait", "100"]),
      home.run(["grants", "deny", id, "--wait", "100"]),
    ]);
    expect(new Set(both.map(({ code }) => code))).toStrictEqual(new Set([0, 3]));
  });

  test("S1: what is secret in a note is hidden, and what is too long is cut", async () => {
    const home = await reachingHome();
    const note = `${secret} \u{1f512}\u202e ${"n".repeat(100_000)}`;
    const { code, out } = await home.run(["grants", "grant", "net", "--for", "1h", "--note", note, "--json"]);
    const said = (JSON.parse(out) as { grant: { note: string } }).grant.note;
    expect({ code, isShort: said.length <= 2000, told: said.includes(secret) }).toStrictEqual({
      code: 0,
      isShort: true,
      told: false,
    });
    expect((await home.run(["grants", "ls"])).out).not.toContain(secret);
  });

  test("ends what was granted, also for a call that has used it up", async () => {
    const home = await reachingHome();
    const { out } = await home.run(["grants", "grant", "net:example.com", "--for", "1h"]);
    expect((await home.run(fetching())).code).toBe(0);
    expect(await home.run(["grants", "revoke", idIn(out)])).toMatchObject({
      code: 0,
      out: expect.stringContaining("; from now on nothing is reached by it\n"),
    });
    expect((await home.run(fetching())).code).toBe(3);
    const once = await home.run(["grants", "grant", "net:example.com"]);
    await home.run(fetching());
    expect((await home.run(["grants", "revoke", idIn(once.out)])).code).toBe(0);
  });
});

describe("J3: beside a process that drives the folder", () => {
  test("it is left in its inbox, by an id and by a name, and that process journals it", async () => {
    const home = askingHome();
    await home.run(adding());
    const id = await askIn(home, "net:example.com");
    const { id: approvalId, ended } = await waiting(home, "--input", '{"text":"bread"}');
    const granted = await home.run(["grants", "grant", id, "--for", "1h"]);
    expect(granted).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringMatching(`^${id} .* is granted by operator`),
    });
    expect((await home.run(["grants", "grant", "net:other.example"])).code).toBe(0);
    expect((await home.run(["grants", "revoke", id])).code).toBe(0);
    expect((await home.run(["grants", "revoke", id])).code).toBe(3);
    expect((await home.run(["grants", "grant", "net:*.co.uk"])).code).toBe(3);
    await home.run(["approvals", "approve", approvalId]);
    expect((await ended).code).toBe(0);
    expect((await home.run(fetching("https://other.example/"))).code).toBe(0);
    expect((await home.run(["trace", "verify"])).code).toBe(0);
  });
});

describe("where it is looked", () => {
  test("an id is found in whichever folder has it; by name it is granted where sf call keeps its own, or in the one that is named", async () => {
    const home = await reachingHome();
    for (const folder of [".sf", "elsewhere"]) {
      await home.run(fetching(page, "--data", folder));
      expect((await home.run(["grants", "grant", "net", "--for", "1h", "--data", folder])).code).toBe(0);
    }
    const [there] = await grantsIn(home);
    expect(there?.where).toBe(home.path(".sf"));
    expect((await home.run(fetching())).code).toBe(3);
    expect((await home.run(["grants", "revoke", there?.grantId ?? ""])).code).toBe(0);
    expect((await home.run(fetching(page, "--data", ".sf"))).code).toBe(3);
    expect((await home.run(fetching(page, "--data", "elsewhere"))).code).toBe(0);
    const [elsewhere] = await grantsIn(home, "--data", "elsewhere");
    expect((await home.run(["grants", "revoke", elsewhere?.grantId ?? ""])).code).toBe(1);
  });

  test("another account's is as missing as one that never was", async () => {
    const home = await reachingHome();
    const id = await askIn(home, "net:example.com");
    const never = "cap_00000000-0000-4000-8000-000000000000";
    const answers = [id, never].map(
      async (one) => await home.run(["grants", "grant", one, "--account", "other"]),
    );
    const said = (await Promise.all(answers)).map(({ code, err }) => [
      code,
      err.replaceAll(/cap_[\w-]+/g, "cap"),
    ]);
    expect(said).toStrictEqual(
      Array.from({ length: 2 }, () => [
        1,
        "error not_found: there is no cap in account other where it was looked, and here are also: local (--account); sf grants ls --status any lists all there are\n",
      ]),
    );
  });

  test("where nothing was ever kept, that is said, and nothing is made", async () => {
    const home = new Home();
    await home.run(fetching(page, "--data", "elsewhere"));
    const { code, err } = await home.run(["grants", "grant", "net"]);
    const said = `nothing was ever called in ${home.path(usual)}; name the place that is meant with --data, --store or --url`;
    expect([code, err]).toStrictEqual([1, `error host_configuration_needed: ${said}\n`]);
    expect(existsSync(home.path(usual))).toBe(false);
  });
});

describe("what cannot be meant is bad usage, and nothing is opened", () => {
  const cap = "cap_00000000";

  test.each([
    ["nothing", ["grant"]],
    ["no capability", ["grant", "fs"]],
    ["a number", ["grant", "net:127.0.0.1"]],
    ["an address", ["grant", "https://example.com"]],
    ["everything below nothing", ["grant", "net:*"]],
    ["an id that was cut off", ["grant", "cap_x"]],
    ["another's id", ["revoke", "grant_00000000"]],
    ["a capability for an id", ["deny", "net"]],
    ["a scope that is none", ["grant", "net", "--scope", "always"]],
    ["until nothing", ["grant", "net", "--scope", "until"]],
    ["no time", ["grant", "net", "--for", "0m"]],
    ["a session that is not named", ["grant", "net", "--scope", "session"]],
    ["a run that is not named", ["grant", "net", "--scope", "turn"]],
    ["a run that is none", ["grant", "net", "--run", "monday"]],
    ["a key that is none", ["grant", "net", "--key-id", "no key!"]],
    ["whom a question is for", ["grant", cap, "--key-id", "cli"]],
    ["how far a no goes", ["deny", cap, "--for", "1h"]],
    ["a word that is no status", ["ls", "--status", "waiting"]],
    ["two places", ["ls", "--url", "http://127.0.0.1:1", "--data", "data"]],
  ])("%s", async (_, argv) => {
    expect((await new Home().run(["grants", ...argv])).code).toBe(2);
  });

  test("S1: a key in place of an id, a capability or a key's id is not repeated", async () => {
    for (const argv of [
      ["grant", secret],
      ["grant", "net", "--key-id", secret],
      ["grant", "net", "--session", secret],
      ["grant", "net", "--run", secret],
      ["deny", secret],
      ["revoke", secret],
    ]) {
      const { code, out, err } = await new Home().run(["grants", ...argv, "--json"]);
      expect({ code, told: `${out}${err}`.includes(secret) }).toStrictEqual({ code: 2, told: false });
    }
  });
});

describe("the examples in the help do what they show", () => {
  test.each([
    ["ls", [0, 0]],
    ["grant", [0, 0, 0, 0]],
    ["deny", [0]],
  ])("sf grants %s", async (word, codes) => {
    const home = await reachingHome();
    const cap = await askIn(home, "net:example.org");
    const runs = await runExamples(home, ["grants", word], { cap });
    expect(runs.map(({ code }) => code)).toStrictEqual(codes);
  });

  test("sf grants revoke", async () => {
    const home = await reachingHome();
    const { out } = await home.run(["grants", "grant", "net", "--for", "1h"]);
    expect(await runExamples(home, ["grants", "revoke"], { cap: idIn(out) })).toMatchObject([{ code: 0 }]);
  });
});
