// Runs at a command line: what they are, what they wait for, and taking one on that nobody drives.
import type { Approval } from "@spfunctions/contracts";
import { openSqliteStore } from "@spfunctions/host/store";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { listed } from "../../test-data/asking-home.ts";
import { runExamples } from "../../test-data/run-examples.ts";
import { adding, asking, leftRun, modelFile, resuming, usual, writer } from "../../test-data/run-home.ts";
import { Home, notesPack, unrulyPack } from "../../test-data/run-sf.ts";

const moment = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC \(\S+ \w+ ago\)`;

type Listing = { readonly runs: { readonly approvals: readonly Approval[] }[] };

async function approvalOf(home: Home): Promise<string> {
  const [approval] = await listed(home);
  return approval?.approvalId ?? "";
}

describe("a run that waits, whose process is gone", () => {
  test("is listed with what it waits for, and told step by step", async () => {
    const home = new Home();
    const runId = await leftRun(home, { sessionId: "monday" });
    const id = await approvalOf(home);
    const ls = await home.run(["runs", "ls"]);
    expect(ls.out).toMatch(
      new RegExp(`^${runId}  waiting: waits for a person
  agent scribe, session monday, started ${moment}
  waits for ${id}: sf approvals show ${id}\n$`),
    );
    expect(ls).toMatchObject({
      code: 0,
      err: `1 in ${home.path(usual)}; one whole: sf runs show <runId>\n`,
    });
    const { code, out, err } = await home.run(["runs", "show", runId]);
    expect({ code, err }).toStrictEqual({ code: 0, err: "" });
    expect(out).toMatch(
      new RegExp(`^${runId}  waiting: waits for a person
objective \\[\\[\\{"name":"notes.add","args":\\{"text":"milk"\\}\\}\\],"written"\\]
agent     scribe, session monday
package   sha256:runtime-package-canonical-v1:[0-9a-f]{64}
started   ${moment} by local cli of account local
where     ${home.path(usual)}

step 1    scripted completed; 1 step, 10 tokens in, 5 tokens out
  said      as I was told
  call      notes.add  waits for a person
    who       a run under cli of account local, read write, model
    verdict   ask at gate approval .*…
    remedy    a person with an operator credential must approve exactly this call
    effects   side effect user_write, cost none
    input     \\{"text":"milk"\\}
    receipt   record 4, sha256:[0-9a-f]{64}
    call      call_\\S+
    approval  ${id} pending

spent     1 step, 10 tokens in, 5 tokens out, \\S+ ms
          model scripted: 1 step, 10 tokens in, 5 tokens out
needs     an answer to ${id}: sf approvals show ${id}
needs     somebody who drives it; nobody does: sf runs resume ${runId} --pack … --model …\n$`),
    );
  });

  test("is taken on: left again with 4 while nobody has answered, and completed once somebody has", async () => {
    const home = new Home();
    const runId = await leftRun(home);
    const id = await approvalOf(home);
    const first = await home.run(resuming(runId));
    expect({ code: first.code, out: first.out }).toStrictEqual({ code: 4, out: "" });
    expect(first.err).toMatch(
      new RegExp(`^${runId} is driven here
waiting: notes.add, until .*
  what is asked: sf approvals show ${id}
  to approve it: sf approvals approve ${id}
  to deny it:    sf approvals deny ${id} --note "why"
${runId}  waiting: waits for a person
  it is left as it is; once that is answered: sf runs resume ${runId} --pack ${notesPack} --model ${modelFile}\n$`),
    );
    expect((await home.run(["approvals", "approve", id])).code).toBe(0);
    const second = await home.run(resuming(runId));
    expect({ code: second.code, out: second.out }).toStrictEqual({ code: 0, out: "written\n" });
    expect(second.err).toMatch(
      new RegExp(`^${runId} is driven here
notes.add: ${id} is approved
notes.add: allowed, and begun; side effect user_write, cost none
notes.add: completed in \\S+ ms
asking the model
${runId}  completed\n$`),
    );
    expect(home.read("notes").split("\n")).toHaveLength(2);
    const { out } = await home.run(["runs", "show", runId]);
    expect(out).toMatch(
      new RegExp(`\nresumed   2 times\n[^]*
    approval  ${id} used
    decided   .* UTC \\(.* ago\\) by operator of account local

step 2    scripted completed; 1 step, 10 tokens in, 5 tokens out
  said      written

spent     2 steps, 1 call, 20 tokens in, 10 tokens out, \\S+ ms
          model scripted: 2 steps, 20 tokens in, 10 tokens out
          tool notes.add: 1 call, \\S+ ms
ended     completed, ${moment}
answer    written\n$`),
    );
  });

  test("goes on by itself while it is waited for, when somebody answers beside it", async () => {
    const home = new Home();
    const runId = await leftRun(home);
    const id = await approvalOf(home);
    const isAsked = Promise.withResolvers<void>();
    const stderr = (text: string) => void (text.includes("to deny it") && isAsked.resolve());
    const ended = home.run(resuming(runId, "--wait-for-approval", "--json"), { stderr });
    await isAsked.promise;
    expect((await home.run(["approvals", "deny", id, "--note", "not now"])).code).toBe(0);
    const { code, out } = await ended;
    expect({ code, answer: JSON.parse(out) as object }).toMatchObject({
      code: 0,
      answer: {
        ok: true,
        where: home.path(usual),
        result: { runId, status: "completed", output: "written" },
      },
    });
    expect((await home.run(["trace", "verify"])).code).toBe(0);
  });

  test("is left as it is by Ctrl-C, and not cancelled", async () => {
    const home = new Home();
    const runId = await leftRun(home);
    const ending = new AbortController();
    const isAsked = Promise.withResolvers<void>();
    let err = "";
    const stderr = (text: string) => {
      err += text;
      if (err.includes("to deny it")) isAsked.resolve();
    };
    const ended = home.run(resuming(runId, "--wait-for-approval"), { stderr, signal: ending.signal });
    await isAsked.promise;
    ending.abort("SIGINT");
    expect((await ended).code).toBe(130);
    expect(err).toContain(
      `error cancelled: ${runId} is driven here no more, and not cancelled: sf runs resume ${runId} `,
    );
    expect((await home.run(resuming(runId))).code).toBe(4);
  });

  test("ends here when it is cancelled, and its question with it, without its tools", async () => {
    const home = new Home();
    const runId = await leftRun(home);
    const id = await approvalOf(home);
    expect(await home.run(["runs", "cancel", runId])).toStrictEqual({
      code: 0,
      out: `${runId} is cancelled, and what it had asked with it\n`,
      err: "",
    });
    const { out } = await home.run(["runs", "show", runId, "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      run: { runId, agentId: "scribe" },
      result: { status: "cancelled", error: { code: "cancelled" }, approvals: [] },
      cancelledBy: { keyId: "operator", kind: "operator" },
    });
    expect((await home.run(["runs", "show", runId])).out).toContain('\n    input     {"text":"milk"}\n');
    expect(await listed(home, "--status", "cancelled")).toMatchObject([{ approvalId: id }]);
    expect(await home.run(["runs", "cancel", runId])).toMatchObject({
      code: 0,
      out: `${runId} had ended already: cancelled\n`,
    });
    // Its end is what it comes to, also for whoever would take it on.
    expect(await home.run(resuming(runId))).toMatchObject({
      code: 1,
      err: expect.stringMatching(
        `^${runId} ended as cancelled, ${moment}; nothing was asked or run now\n  cancelled: cancelled by operator; what had begun has ended\n$`,
      ),
    });
    expect((await home.run(["trace", "verify"])).code).toBe(0);
  });
});

describe("a run whose question was answered, and that nobody drives", () => {
  test("is said to be answered, wherever it is told, and how it goes on", async () => {
    const home = new Home();
    const runId = await leftRun(home);
    const id = await approvalOf(home);
    const resume = `sf runs resume ${runId} --pack … --model …`;
    const { out: answered } = await home.run(["approvals", "approve", id]);
    expect(answered.split("\n")[1]).toBe(`nobody drives ${runId} now; to go on: ${resume}`);
    expect((await home.run(["runs", "ls"])).out).toMatch(
      new RegExp(`^${runId}  waiting: is past its question, and has not gone on yet
  agent scribe, started ${moment}
  ${id} is approved; nobody drives it: ${resume}\n$`),
    );
    const ls = JSON.parse((await home.run(["runs", "ls", "--json"])).out) as { runs: object[] };
    const decided = { approvalId: id, status: "approved", decidedBy: { kind: "operator" } };
    expect(ls.runs).toMatchObject([{ state: "waiting", nobodys: true, approvals: [decided] }]);
    const { out } = await home.run(["runs", "show", runId, "--wide"]);
    expect(out.split("\n").filter((line) => /question|approv|needs|person/.test(line))).toStrictEqual([
      `${runId}  waiting: is past its question, and has not gone on yet`,
      "  call      notes.add  is past its question, and has not gone on yet",
      expect.stringMatching(/^ {4}verdict {3}ask at gate approval /),
      "    remedy    a person with an operator credential must approve exactly this call",
      `    approval  ${id} approved`,
      `needs     somebody who drives it; ${id} is approved; nobody does: ${resume}`,
    ]);
    const shown = JSON.parse((await home.run(["runs", "show", runId, "--json"])).out) as object;
    expect(shown).toMatchObject({
      result: { approvals: [decided] },
      steps: [{ calls: [{ isWaiting: true, approval: decided }] }],
    });
  });

  test("beside a process that drives its folder nobody claims that it is nobody's", async () => {
    const home = new Home();
    const runId = await leftRun(home);
    const id = await approvalOf(home);
    expect((await home.run(["approvals", "deny", id])).code).toBe(0);
    const driver = await openSqliteStore({ folder: home.path(usual) });
    onTestFinished(() => driver.close());
    const resume = `sf runs resume ${runId} --pack … --model …`;
    expect((await home.run(["runs", "ls"])).out).toContain(
      `\n  ${id} is denied; where nobody drives it: ${resume}\n`,
    );
    expect((await home.run(["runs", "show", runId])).out).toContain(
      `\nneeds     somebody who drives it; ${id} is denied; where nobody does: ${resume}\n`,
    );
  });

  test("whose question has run out is said to be that", async () => {
    const home = new Home();
    const policy = { ...asking, approvals: { ...asking.approvals, ttlMs: 1000 } };
    const runId = await leftRun(home, { policy });
    const [approval] =
      (JSON.parse((await home.run(["runs", "ls", "--json"])).out) as Listing).runs[0]?.approvals ?? [];
    vi.useFakeTimers({ toFake: ["Date"], now: Date.parse(approval?.expiresAt ?? "") });
    onTestFinished(() => void vi.useRealTimers());
    expect((await home.run(["runs", "ls"])).out).toContain(`\n  ${approval?.approvalId} is expired; `);
    expect((await home.run(["runs", "show", runId])).out).toContain(
      `${runId}  waiting: is past its question`,
    );
  });
});

describe("commands that are told name the place they are about", () => {
  const elsewhere = ["--data", "data"];

  test("in everything that is said about a run", async () => {
    const home = new Home();
    const folder = home.path("data");
    const runId = await leftRun(home, { folder });
    const other = home.write("model.mjs", 'export default { name: "other", complete() {} };\n');
    const wrong = ["runs", "resume", runId, "--pack", notesPack, "--model", other];
    expect((await home.run([...wrong, ...elsewhere])).err).toContain(
      `or stop it: sf runs cancel ${runId} --data ${folder}\n`,
    );
    expect((await home.run(["runs", "show", "run_00000000", ...elsewhere])).err).toContain(
      `sf runs ls --data ${folder} lists those there are\n`,
    );
    const driver = await openSqliteStore({ folder });
    onTestFinished(() => driver.close());
    const { err } = await home.run(resuming(runId, "--wait", "0", ...elsewhere));
    expect(err).toContain(`sf runs show ${runId} --events --follow --data ${folder} shows`);
    expect(err).toContain(`sf runs cancel ${runId} --data ${folder} stops it\n`);
    expect((await home.run(["runs", "cancel", runId, "--wait", "0", ...elsewhere])).err).toContain(
      `sf runs show ${runId} --data ${folder} says whether it has`,
    );
  });
});

describe("a run is not taken on", () => {
  test("with other tools, another model, or without the policy of its host (B3, B7)", async () => {
    const home = new Home();
    const runId = await leftRun(home);
    const other = home.write("model.mjs", 'export default { name: "other", complete() {} };\n');
    const refused = async (...argv: string[]) => {
      const { code, out, err } = await home.run(["runs", "resume", runId, ...argv]);
      return { code, out, why: /^error (\S+: .*)\. Name the modules/.exec(err)?.[1] };
    };
    const only = `invalid_package: ${runId} goes on only with what it was started with; here it would be`;
    expect(await refused("--model", modelFile)).toStrictEqual({
      code: 3,
      out: "",
      why: `${only} without notes.add, notes.fail, notes.login, notes.read`,
    });
    expect(await refused("--pack", notesPack, "--model", other)).toMatchObject({
      code: 3,
      why: `${only} with the model other in place of scripted`,
    });
    const more = await refused("--pack", notesPack, "--pack", unrulyPack, "--model", modelFile);
    expect(more.why).toContain(`${only} with tools it did not have: unruly.`);
    const withPort = await leftRun(home, { hasPort: true });
    const { code, err } = await home.run(resuming(withPort));
    expect({ code, err }).toMatchObject({
      code: 3,
      err: expect.stringContaining(
        "was started where these had a say in it: pre_tool; here it would be: none",
      ),
    });
    const ported = `export { model } from ${JSON.stringify(modelFile)};
export const evaluatePreTool = () => ({ outcome: "allow" });\n`;
    const argv = ["--pack", notesPack, "--model", home.write("ported.ts", ported)];
    expect((await home.run(["runs", "resume", withPort, ...argv])).code).toBe(4);
  });

  test("with a contract of a tool that is another now", async () => {
    const home = new Home();
    const runId = await leftRun(home);
    const changed = `import { defineTool } from ${JSON.stringify(import.meta.resolve("@spfunctions/agent"))};
import { tools as before } from ${JSON.stringify(notesPack)};
import { objectOf, text, writes } from ${JSON.stringify(notesPack.replace("notes-pack", "notes-file"))};
const add = defineTool({ ...writes, name: "notes.add", description: "Another.", input: objectOf({ text }), output: {}, run: () => ({}) });
export const tools = [add, ...before.filter(({ contract }) => contract.name !== "notes.add")];\n`;
    const { code, err } = await home.run([
      "runs",
      "resume",
      runId,
      "--pack",
      home.write("changed.ts", changed),
      "--model",
      modelFile,
    ]);
    expect({ code, err }).toMatchObject({
      code: 3,
      err: expect.stringContaining("here it would be with another contract of notes.add. Name"),
    });
  });

  test.each([
    ["no module", ["--model", "./none.ts"], "model ./none.ts: there is no such file"],
    ["no model in it", ["--model", notesPack], "expected a model adapter"],
    ["no model", [], "its model is needed: give --model as sf run names it"],
  ])("%s is bad usage", async (_, argv, why) => {
    const { code, err } = await new Home().run(["runs", "resume", "run_00000000", ...argv]);
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining(why) });
  });

  test("where another process drives its folder", async () => {
    const home = new Home();
    const runId = await leftRun(home);
    const driver = await openSqliteStore({ folder: home.path(usual) });
    onTestFinished(() => driver.close());
    const { code, err } = await home.run(resuming(runId, "--wait", "0", "--json"));
    expect({ code, err }).toStrictEqual({
      code: 3,
      err: `error invalid_transition: another process (${process.pid}) drives ${runId}, or at least the folder that it is in. sf runs show ${runId} --events --follow shows whether it goes on there; --wait waits longer for the end of that process; sf runs cancel ${runId} stops it\n`,
    });
  });
});

describe("its events", () => {
  test("are one JSON object a line, from any of them on", async () => {
    const home = new Home();
    const runId = await leftRun(home, { script: ["hello"] });
    const waits = await leftRun(home);
    const events = async (...argv: string[]) => {
      const { code, out, err } = await home.run(["runs", "show", runId, "--events", ...argv]);
      const lines = out.split("\n").filter((line) => line !== "");
      return { code, err, types: lines.map((line) => (JSON.parse(line) as { type: string }).type) };
    };
    const all = ["runtime.started", "model.started", "model.completed", "runtime.completed"];
    expect(await events()).toStrictEqual({ code: 0, err: "", types: all });
    // Of a run that goes on, those that there are.
    const soFar = await home.run(["runs", "show", waits, "--events"]);
    expect(soFar.out.trimEnd().split("\n").at(-1)).toMatch(/^\{"type":"approval\.required",/);
    expect((await events("--follow")).types).toStrictEqual(all);
    expect((await events("--cursor", "2.0")).types).toStrictEqual(all.slice(2));
    expect((await events("--cursor", `${runId}:3.0`)).types).toStrictEqual(all.slice(3));
    const other = `run_${"0".repeat(8)}:2.0`;
    const wrong = await Promise.all(["x", "99.0", other, "2"].map((place) => events("--cursor", place)));
    expect(wrong.map(({ code }) => code)).toStrictEqual([2, 2, 2, 2]);
  });

  test.each([["--follow"], ["--cursor", "2.0"], ["--follow", "--json"]])(
    "%s without --events is bad usage, and not overlooked",
    async (...argv) => {
      const { code, err } = await new Home().run(["runs", "show", "run_00000000", ...argv]);
      expect({ code, err }).toStrictEqual({
        code: 2,
        err: "error invalid_input: --follow and --cursor are of --events: give that as well\n",
      });
    },
  );
});

describe("traces of runs", () => {
  test("are listed, shown, verified and exported, and such an export replays alone", async () => {
    const home = new Home();
    const runId = await leftRun(home, { script: [[adding("milk")], "done"], policy: writer });
    const { out } = await home.run(["trace", "ls", "--json"]);
    expect(JSON.parse(out)).toMatchObject({
      total: 1,
      segments: [{ segment: runId, accountId: "local", state: "sealed", calls: 1, unknown: 0 }],
    });
    expect((await home.run(["trace", "show", runId])).out).toMatch(/^\+0 ms {2}notes\.add {2}completed in /);
    expect((await home.run(["trace", "verify", runId])).out).toMatch(
      new RegExp(`^ok: ${runId}: 8 records, .*\nauthentic: signed by `),
    );
    expect((await home.run(["trace", "verify"])).out).toMatch(
      /\nok: the journal of local in \S+, 0 segments and 1 run, 1 signed by a known key\n$/,
    );
    expect((await home.run(["trace", "export", runId, "-o", "run.jsonl"])).code).toBe(0);
    home.write("policy.json", writer);
    const call = ["call", "notes.add", "--policy", "policy.json", "--input", '{"text":"milk"}'];
    const replayed = await home.run([...call, "--replay-trace", "run.jsonl"]);
    expect(replayed).toMatchObject({ code: 0, out: '{\n  "count": 1\n}\n' });
    expect(home.read("notes").split("\n")).toHaveLength(2);
  });

  test("a call that waits in a run is found by its id", async () => {
    const home = new Home();
    const runId = await leftRun(home);
    const { out } = await home.run(["runs", "show", runId, "--json"]);
    const { steps } = JSON.parse(out) as { steps: { calls: { callId: string }[] }[] };
    const callId = steps[0]?.calls[0]?.callId ?? "";
    const { code, err } = await home.run(["trace", "export", callId, "-o", "one.jsonl"]);
    expect({ code, err }).toMatchObject({
      code: 0,
      err: `${runId} of account local: 4 records, open, not signed\n`,
    });
  });
});

describe("what is given in place of ids, and what lies in place of runs", () => {
  const hostile = ["x", "run_", "run_../../etc", "run_\u001b[2J00000000", "__proto__", "seg_00000000", ""];

  test.each(hostile)("%j is no run id, and is not repeated", async (given) => {
    const home = new Home();
    const effect = ["eff_00000000", "--status", "failed", "--note", "x"];
    for (const argv of [["show"], ["cancel"], ["resolve"], ["resume"]]) {
      const [command = ""] = argv;
      const more = command === "resolve" ? effect : command === "resume" ? ["--model", modelFile] : [];
      const { code, err } = await home.run(["runs", command, given, ...more]);
      expect({ command, code, err }).toStrictEqual({
        command,
        code: 2,
        err: "error invalid_input: that is no run id: one is run_ and all that follows, as sf runs ls shows it\n",
      });
    }
  });

  test("the beginning of a run's id is said not to be complete", async () => {
    expect(await new Home().run(["runs", "show", "run_x"])).toStrictEqual({
      code: 2,
      out: "",
      err: "error invalid_input: run_x is not a complete run id; copy the whole id from sf runs ls\n",
    });
  });

  test("a run that is not there, or another account's, is not there (I1)", async () => {
    const home = new Home();
    const runId = await leftRun(home);
    const said = "where it was looked; sf runs ls";
    expect(await home.run(["runs", "show", "run_00000000"])).toMatchObject({
      code: 1,
      err: `error not_found: there is no run run_00000000 in account local ${said} lists those there are\n`,
    });
    const others = ["show", "cancel"].map((command) =>
      home.run(["runs", command, runId, "--account", "other"]),
    );
    for (const ran of await Promise.all(others))
      expect(ran).toMatchObject({
        code: 1,
        err: `error not_found: there is no run ${runId} in account other ${said} --account other lists those there are\n`,
      });
    expect((await home.run(["runs", "ls", "--account", "other"])).out).toBe("none: no run is kept here\n");
  });

  test("a run that somebody has changed is told as broken, and does nothing (B22)", async () => {
    const home = new Home();
    const runId = await leftRun(home);
    const whole = await leftRun(home, { script: ["hello"] });
    const database = new DatabaseSync(home.path(`${usual}/simplefunctions.db`));
    database.exec(`UPDATE documents SET status = 'calling' WHERE kind = 'run' AND id = '${runId}'`);
    database.close();
    const { code, out } = await home.run(["runs", "ls"]);
    expect(code).toBe(6);
    expect(out).toContain(
      `\n  broken: ${runId} is not listed as what its journal says; verify the journal\n`,
    );
    expect(out).toContain(`${whole}  completed\n`);
    const codes = [["runs", "show", runId], resuming(runId)].map(async (argv) => (await home.run(argv)).code);
    expect(await Promise.all(codes)).toStrictEqual([6, 6]);
    expect((await home.run(["runs", "ls", "--state", "completed"])).code).toBe(0);
  });

  test("nothing is made by looking", async () => {
    const home = new Home();
    expect(await home.run(["runs", "ls"])).toStrictEqual({
      code: 0,
      out: "none: no run is kept here\n",
      err: "",
    });
    expect((await home.run(["runs", "ls", "--data", "data"])).code).toBe(1);
  });
});

test("sf doctor says how many runs wait, need recovery, or are nobody's", async () => {
  const home = new Home();
  await leftRun(home);
  const { code, out } = await home.run(["doctor", "--json"]);
  const { checks } = JSON.parse(out) as { checks: { check: string }[] };
  expect({ code, found: checks.filter(({ check }) => check === "runs") }).toMatchObject({
    code: 0,
    found: [
      {
        status: "warn",
        what: "1 under way: 1 at a question to a person, 1 driven by nobody (account local)",
        todo: `sf runs ls --data ${home.path(usual)} lists them`,
        facts: { underWay: 1, waiting: 1, recoveryNeeded: 0, nobodys: 1 },
      },
    ],
  });
});

test("the examples of the help do what they say", async () => {
  const home = new Home();
  const run = await leftRun(home);
  home.write("notes.ts", `export { tools } from ${JSON.stringify(notesPack)};\n`);
  home.write("model.ts", `export { model } from ${JSON.stringify(modelFile)};\n`);
  home.write("script.json", [{ text: "written" }]);
  for (const [command, codes] of [
    ["ls", [0, 0, 0]],
    ["show", [0, 0, 0]],
    ["resume", [4, 4]],
    ["cancel", [0]],
  ] as const) {
    const ran = await runExamples(home, ["runs", command], { run });
    expect({ command, codes: ran.map(({ code }) => code) }).toStrictEqual({ command, codes });
  }
});
