// A person answers at a command line: where nobody else drives the folder, beside a call that waits there, and never by accident.
import { openSqliteStore } from "@spfunctions/host/store";
import type { Store } from "@spfunctions/kernel";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as after } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { adding, asked, askingHome, idIn, listed, waiting } from "../../test-data/asking-home.ts";
import { runExamples } from "../../test-data/run-examples.ts";

const usual = "home/.local/share/simplefunctions";

describe("a call that a person must approve", () => {
  test("ends with 4 and says how it is answered; once it is, the same command runs, once", async () => {
    const home = askingHome();
    const first = await home.run(adding());
    const id = idIn(await listed(home));
    expect({ code: first.code, out: first.out }).toStrictEqual({ code: 4, out: "" });
    expect(first.err).toContain(`
  to approve it: sf approvals approve ${id}
  to deny it:    sf approvals deny ${id} --note "why"
  then run the same command again; with --wait-for-approval it waits for the answer
`);
    expect((await home.run(["approvals", "approve", id])).code).toBe(0);
    expect(await home.run(adding())).toMatchObject({ code: 0, out: '{\n  "count": 1\n}\n' });
    expect((await home.run(adding())).code).toBe(4);
    expect(home.read("notes").split("\n")).toHaveLength(2);
  });

  test("names the folder and the account that it was asked in, where they are not the usual ones", async () => {
    const home = askingHome();
    const { err } = await home.run(adding("--data", "my data", "--account", "desk"));
    const [, command = ""] = /to approve it: sf (approvals approve .*)\n/.exec(err) ?? [];
    expect(command).toMatch(
      new RegExp(`^approvals approve appr_\\S+ --data '${home.path("my data")}' --account desk$`),
    );
    const argv = command.split(" --data ")[0]?.split(" ") ?? [];
    expect((await home.run([...argv, "--data", "my data"])).code).toBe(1);
    expect((await home.run([...argv, "--data", "my data", "--account", "desk"])).code).toBe(0);
  });

  test("is told of in its JSON, and shown by sf explain before it is made", async () => {
    const home = askingHome();
    const { code, out } = await home.run(adding("--json"));
    const answer = JSON.parse(out) as { error: { details: object } };
    expect({ code, answer }).toMatchObject({
      code: 4,
      answer: { ok: false, error: { code: "approval_required" } },
    });
    expect(answer.error.details).toMatchObject({ approvalId: idIn(await listed(home)) });
    const [, ...rest] = adding();
    expect(await home.run(["explain", ...rest])).toMatchObject({
      code: 4,
      out: expect.stringContaining("a person must approve at gate approval"),
    });
  });
});

describe("a call that waits", () => {
  test("goes on when it is approved beside it, and says what it waited for on the standard error", async () => {
    const home = askingHome();
    const { id, ended } = await waiting(home);
    const answered = await home.run(["approvals", "approve", id, "--note", "fine"]);
    expect(answered).toStrictEqual({
      code: 0,
      err: "",
      out: expect.stringMatching(
        `^${id} \\(notes.add\\) is approved by operator of account local, for exactly this call, once, until .* UTC \\(in 59 minutes\\)
a call that waits goes on by itself, one that has returned is to be made again\n$`,
      ),
    });
    const { code, out, err } = await ended;
    expect({ code, out }).toStrictEqual({ code: 0, out: '{\n  "count": 1\n}\n' });
    expect(err).toMatch(
      new RegExp(`^waiting: notes\\.add: a person must approve side effects from user_write up, until .*
  to approve it: sf approvals approve ${id}
  to deny it:    sf approvals deny ${id} --note "why"
  Ctrl-C cancels the call, and the question with it
answered: approved by operator of account local, and says: fine
who .*
what .*
may it          allow: no gate stopped it; approved: ${id}; policy `),
    );
    expect((await home.run(["trace", "verify"])).code).toBe(0);
  });

  test("ends with 3 when it is denied, with who said so and why", async () => {
    const home = askingHome();
    const { id, ended } = await waiting(home, "--json");
    const answered = await home.run(["approvals", "deny", id, "--note", "not on a Monday", "--json"]);
    expect(JSON.parse(answered.out)).toMatchObject({
      ok: true,
      approval: { status: "denied", note: "not on a Monday" },
    });
    const { code, out, err } = await ended;
    expect({ code, answer: JSON.parse(out) as object }).toMatchObject({
      code: 3,
      answer: {
        error: {
          code: "approval_denied",
          message: expect.stringContaining("operator has denied it, and says: not on a Monday"),
        },
      },
    });
    expect(err).toContain("answered: denied by operator of account local, and says: not on a Monday\n");
  });

  test("is cancelled by Ctrl-C, and the question with it", async () => {
    const home = askingHome();
    const { id, ended, cancel } = await waiting(home, "--ndjson");
    cancel();
    const { code, out } = await ended;
    const types = out
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { type: string }).type);
    expect({ code, types: types.filter((type) => type.startsWith("approval.")) }).toStrictEqual({
      code: 130,
      types: ["approval.required", "approval.resolved"],
    });
    const { err, ...ran } = await home.run(["approvals", "approve", id]);
    expect({ ...ran, err }).toStrictEqual({
      code: 3,
      out: "",
      err: `error invalid_transition: ${id} can be answered no more: whoever asked has given the call up; "approved" changes nothing\n`,
    });
  });

  test("of a process that was killed is settled by whoever opens the folder next", async () => {
    const home = askingHome();
    const started = home.start(adding("--wait-for-approval"));
    await started.says("Ctrl-C cancels");
    started.child.kill("SIGKILL");
    await started.ended;
    expect((await home.run(["approvals", "approve", idIn(await listed(home))])).code).toBe(0);
    const next = await home.run(adding());
    expect(next.err).toMatch(
      /recovery: a crash had left 1 without an end\n {2}notes\.add \(call_\S+\): completed; an operator had answered\n/,
    );
    expect(home.read("notes").split("\n")).toHaveLength(2);
  });
});

describe("beside a process that drives the folder and takes no answers", () => {
  const inboxOf = (driver: Store) => driver.documents({ kind: "inbox", accountId: "local", limit: 9 });
  /** Until an answer lies there. */
  const left = async (driver: Store) => {
    while ((await inboxOf(driver)).length === 0) await after(10);
  };

  test("nothing is decided when it has had its time, and that is said", async () => {
    const home = askingHome();
    const id = await asked(home);
    const driver = await openSqliteStore({ folder: home.path(usual) });
    onTestFinished(() => driver.close());
    expect(await home.run(["approvals", "approve", id, "--wait", "50"])).toStrictEqual({
      code: 1,
      out: "",
      err: `error timeout: the process (${process.pid}) that drives ${home.path(usual)} has not taken it within 50 ms, and it was taken back: nothing is changed. Give it longer with --wait, or stop that process, and try again\n`,
    });
    await driver.close();
    expect((await listed(home)).map(({ status }) => status)).toStrictEqual(["pending"]);
  });

  test("it is decided here when that process has ended meanwhile", async () => {
    const home = askingHome();
    const id = await asked(home);
    const driver = await openSqliteStore({ folder: home.path(usual) });
    const answering = home.run(["approvals", "deny", id, "--wait", "2000"]);
    await left(driver);
    await driver.close();
    expect((await answering).code).toBe(0);
    expect(await listed(home, "--status", "denied")).toMatchObject([{ approvalId: id }]);
  });

  test("Ctrl-C takes the answer back", async () => {
    const home = askingHome();
    const id = await asked(home);
    const driver = await openSqliteStore({ folder: home.path(usual) });
    onTestFinished(() => driver.close());
    const ending = new AbortController();
    const answering = home.run(["approvals", "approve", id], { signal: ending.signal });
    await left(driver);
    ending.abort("SIGINT");
    expect((await answering).code).toBe(130);
    expect(await inboxOf(driver)).toStrictEqual([]);
  });
});

describe("sf approvals ls and show", () => {
  test("show what is asked, by whom, with what, why and until when, and what answering means", async () => {
    const home = askingHome();
    expect(await home.run(["approvals", "ls"])).toStrictEqual({
      code: 0,
      out: "none: nothing waits for an answer\n",
      err: "",
    });
    const id = await asked(home, "--session", "monday");
    const until = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC \(in 59 minutes\)`;
    const ls = await home.run(["approvals", "ls"]);
    expect(ls.out).toMatch(
      new RegExp(`^${id}  notes\\.add  waits for an answer until ${until}
  local cli of account local; side effect user_write, cost none
  why a person must approve side effects from user_write up
  input \\{"text":"milk"\\}\n$`),
    );
    expect(ls.err).toBe(
      `1 in ${home.path(usual)}; one whole, and how to answer it: sf approvals show <id>\n`,
    );
    const { code, out } = await home.run(["approvals", "show", id]);
    expect({ code, out }).toStrictEqual({
      code: 0,
      out: expect.stringMatching(
        new RegExp(`^${id}  waits for an answer until ${until}
what      notes\\.add, side effect user_write, cost none; contract sha256:[0-9a-f]{12}…
who       local cli of account local, scopes read write
why       a person must approve side effects from user_write up
input     \\{
            "text": "milk"
          \\}
session   monday
asked     .* ago\\)
until     ${until}
where     ${home.path(usual)}

Approving lets exactly this call run, once: this caller, this tool as it is, this input, under the policies of now\\.
  sf approvals approve ${id}
For its session it lets every such call run until the grant ends; --fix, --uses and --for bound it\\.
  sf approvals approve ${id} --for-session --uses 5 --for 30m
Denying ends it; whoever asked is told who said no, and why\\.
  sf approvals deny ${id} --note "why"
$`),
      ),
    });
    await home.run(["approvals", "deny", id, "--note", "no"]);
    const decided = (await home.run(["approvals", "show", id])).out;
    expect(decided).toMatch(
      /\ndecided {3}by operator of account local, .* ago\)\ndecided {3}and says: no\nwhere /,
    );
    expect(decided).not.toContain("Approving");
  });

  test("nothing in a question moves the screen", async () => {
    const home = askingHome();
    const input = ["--input", JSON.stringify({ text: "\u001b[2Jmilk\u202e\n" })];
    await home.run(adding(...input));
    const id = idIn(await listed(home));
    const said = [await home.run(["approvals", "ls"]), await home.run(["approvals", "show", id])];
    expect(said.map(({ out }) => /[\u001b\u202e]/.test(out))).toStrictEqual([false, false]);
  });

  test("S1: a secret in the input is not shown, and a yes is for the call that had it", async () => {
    const home = askingHome();
    const text = `the key is sf_live_${"a1B2c3D4".repeat(4)}`;
    const argv = adding("--input", JSON.stringify({ text }));
    await home.run(argv);
    const id = idIn(await listed(home));
    const { out } = await home.run(["approvals", "show", id]);
    expect(out).toMatch(/"text": "the key is \[redacted:[a-z_]+:[0-9a-f]{12}\]"/);
    await home.run(["approvals", "approve", id]);
    expect([(await home.run(adding())).code, (await home.run(argv)).code]).toStrictEqual([4, 0]);
  });

  test("B22: a question that somebody has written into the file is none", async () => {
    const home = askingHome();
    const id = await asked(home);
    const database = new DatabaseSync(home.path(`${usual}/simplefunctions.db`));
    database.exec("UPDATE documents SET status = 'approved' WHERE kind = 'approval'");
    database.close();
    expect(await listed(home, "--status", "any")).toStrictEqual([]);
    expect(await home.run(["approvals", "approve", id])).toMatchObject({
      code: 6,
      err: expect.stringContaining("was not written by this installation"),
    });
    expect((await home.run(adding())).code).toBe(4);
    expect((await home.run(adding())).code).toBe(4);
  });
});

describe("a yes for a session", () => {
  const inSession = ["--session", "monday"];

  test("covers calls like it within its bounds, is listed, and can be ended", async () => {
    const home = askingHome();
    const id = await asked(home, ...inSession);
    const bounds = ["--for-session", "--fix", "/text", "--uses", "3", "--for", "30m"];
    const { code, out } = await home.run(["approvals", "approve", id, ...bounds]);
    const [grantId = ""] = /grant_[\w-]+/.exec(out) ?? [];
    expect({ code, out }).toStrictEqual({
      code: 0,
      out: expect.stringMatching(
        new RegExp(`^${id} \\(notes.add\\) is approved by operator of account local, for its session
it covers notes\\.add by local cli of account local in session monday, with an input in which stay /text "milk"; used 0 of 3 times, until .* UTC \\(in \\d+ minutes\\)
a call that waits goes on by itself, one that has returned is to be made again
to end it: sf approvals revoke ${grantId}\n$`),
      ),
    });
    expect((await home.run(adding(...inSession))).code).toBe(0);
    expect((await home.run(adding(...inSession, "--input", '{"text":"bread"}'))).code).toBe(4);
    expect((await home.run(adding("--session", "tuesday"))).code).toBe(4);
    const grants = await home.run(["approvals", "grants"]);
    expect(grants.out).toMatch(
      new RegExp(`^${grantId}  notes\\.add by local cli of account local in session monday, with an input in which stay /text "milk"; used 1 of 3 times, until .*
  granted by operator of account local, in ${home.path(usual)}
  to end it: sf approvals revoke ${grantId}\n$`),
    );
    expect(await home.run(["approvals", "revoke", grantId])).toStrictEqual({
      code: 0,
      err: "",
      out: `${grantId} (notes.add) has ended; what it has approved so far stays approved\n`,
    });
    expect((await home.run(adding(...inSession))).code).toBe(4);
    expect((await home.run(["approvals", "grants"])).out).toBe(
      "none: every call that must be approved is asked about\n",
    );
    expect((await home.run(["approvals", "revoke", grantId])).code).toBe(1);
  });

  test("is refused where the call was made in none, and nothing is decided", async () => {
    const home = askingHome();
    const id = await asked(home);
    const { code, err } = await home.run(["approvals", "approve", id, "--for-session"]);
    expect({ code, err }).toStrictEqual({
      code: 3,
      err: "error invalid_input: it was not asked within a session: approve this one call\n",
    });
    expect(idIn(await listed(home))).toBe(id);
  });

  test("is left in the inbox beside a call that waits, as any answer", async () => {
    const home = askingHome();
    const { id, ended } = await waiting(home, ...inSession);
    expect((await home.run(["approvals", "approve", id, "--for-session", "--uses", "2"])).code).toBe(0);
    const { code, err } = await ended;
    expect([code, (await home.run(adding(...inSession))).code]).toStrictEqual([0, 0]);
    expect(err).toContain("answered: approved by operator of account local, for its session\n");
    expect((await home.run(adding(...inSession))).code).toBe(4);
  });
});

describe("where it is looked", () => {
  test("in the folders of sf call, sf agent and sf up, as far as they are there, or in the one that is named", async () => {
    const home = askingHome();
    const folders = [usual, `${usual}/agent`, ".sf", "elsewhere"];
    for (const folder of folders) {
      expect((await home.run(adding("--data", folder))).code).toBe(4);
    }
    const places = (await listed(home)).map(({ where }) => where);
    expect(places).toStrictEqual(folders.slice(0, 3).map((folder) => home.path(folder)));
    const [one] = await listed(home, "--data", "elsewhere");
    expect(one?.where).toBe(home.path("elsewhere"));
    expect((await home.run(["approvals", "show", one?.approvalId ?? ""])).code).toBe(1);
    const [, , up] = await listed(home);
    expect((await home.run(["approvals", "approve", up?.approvalId ?? ""])).code).toBe(0);
    expect((await home.run(adding("--data", ".sf"))).code).toBe(0);
  });

  test("a folder that cannot be read is said and left out, unless it was named", async () => {
    const home = askingHome();
    const id = await asked(home);
    await asked(home, "--data", ".sf");
    const database = new DatabaseSync(home.path(".sf/simplefunctions.db"));
    database.exec("PRAGMA user_version = 999");
    database.close();
    const { code, out, err } = await home.run(["approvals", "approve", id]);
    expect({ code, out: out.includes(id) }).toStrictEqual({ code: 0, out: true });
    const ls = await home.run(["approvals", "ls"]);
    expect([ls.code, ls.err]).toStrictEqual([0, expect.stringMatching(/^note: \S+\.sf is left out: /)]);
    expect(err).toBe("");
    expect((await home.run(["approvals", "ls", "--data", ".sf"])).code).toBe(1);
  });

  test("another account's question is as missing as one that never was", async () => {
    const home = askingHome();
    const id = await asked(home);
    const answers = [
      await home.run(["approvals", "approve", id, "--account", "other"]),
      await home.run(["approvals", "approve", "appr_00000000", "--account", "other"]),
    ];
    expect(answers.map(({ code, err }) => [code, err.replaceAll(/appr_[\w-]+/g, "appr")])).toStrictEqual(
      Array.from({ length: 2 }, () => [
        1,
        "error not_found: there is no approval appr in account other where it was looked, and here are also: local (--account); sf approvals ls --status any lists all there are\n",
      ]),
    );
  });
});

describe("what cannot be meant is bad usage, and nothing is opened", () => {
  test.each([
    ["a bound without a session", ["approve", "appr_00000000", "--uses", "3"]],
    ["no pointer", ["approve", "appr_00000000", "--for-session", "--fix", "text"]],
    ["no uses", ["approve", "appr_00000000", "--for-session", "--uses", "0"]],
    ["no time", ["approve", "appr_00000000", "--for-session", "--for", "0m"]],
    ["a word that is no status", ["ls", "--status", "waiting"]],
    ["two places", ["ls", "--url", "http://127.0.0.1:1", "--data", "data"]],
    ["no id", ["deny"]],
    ["no approval's id", ["show", "run_00000000"]],
    ["no grant's id", ["revoke", "appr_00000000"]],
  ])("%s", async (_, argv) => {
    expect((await askingHome().run(["approvals", ...argv])).code).toBe(2);
  });

  test.each([
    [["show", "appr_x"], "appr_x is not a complete approval id; copy the whole id from sf approvals ls"],
    [["revoke", "grant_x"], "grant_x is not a complete grant id; copy the whole id from sf approvals grants"],
  ])("an id that was cut off is said not to be complete: %j", async (argv, message) => {
    const { err } = await askingHome().run(["approvals", ...argv]);
    expect(err).toBe(`error invalid_input: ${message}\n`);
  });

  test("the ids in the examples of the help are as long as real ones", async () => {
    const home = askingHome();
    const real = await asked(home);
    for (const word of ["show", "approve", "deny", "revoke"]) {
      const { out } = await home.run(["approvals", word, "--help"]);
      const ids = [...out.matchAll(/ (?:appr|grant)_(\S+)/g)].map(([, rest = ""]) => rest);
      expect(ids.filter((rest) => rest !== "…").map((rest) => `appr_${rest}`.length)).toContain(real.length);
      expect(ids.filter((rest) => rest !== "…" && `appr_${rest}`.length !== real.length)).toStrictEqual([]);
    }
  });

  test("S1: a key in place of an id is not repeated", async () => {
    const secret = `sf_live_${"c0rnerSh0p".repeat(3)}ab`;
    for (const argv of [["show"], ["approve"], ["deny"], ["revoke"]]) {
      const { code, out, err } = await askingHome().run(["approvals", ...argv, secret, "--json"]);
      expect({ code, told: `${out}${err}`.includes(secret) }).toStrictEqual({ code: 2, told: false });
    }
  });
});

describe("the examples in the help do what they show", () => {
  const inSession = ["--session", "monday"];

  test.each([
    ["ls", [0, 0, 0]],
    ["show", [0]],
    // The first yes stands: the same again changes nothing, and a wider one is refused.
    ["approve", [0, 0, 3]],
    ["deny", [0]],
    ["grants", [0]],
  ])("sf approvals %s", async (word, codes) => {
    const home = askingHome();
    const ids = { appr: await asked(home, ...inSession) };
    const runs = await runExamples(home, ["approvals", word], ids);
    expect(runs.map(({ code }) => code)).toStrictEqual(codes);
  });

  test("sf approvals revoke", async () => {
    const home = askingHome();
    const id = await asked(home, ...inSession);
    const { out } = await home.run(["approvals", "approve", id, "--for-session"]);
    const ids = { grant: /grant_[\w-]+/.exec(out)?.[0] ?? "" };
    expect(await runExamples(home, ["approvals", "revoke"], ids)).toMatchObject([{ code: 0 }]);
  });
});
