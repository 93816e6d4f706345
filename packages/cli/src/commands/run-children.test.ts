// `sf run` over a pack that has subagents: what they do is told below the run, and what they ask is asked like what it asks itself.
import { runtimeEventSchema, runtimeRunResultSchema } from "@spfunctions/contracts";
import { describe, expect, test } from "vitest";
import { listed } from "../../test-data/asking-home.ts";
import { add, family, familyPack, modelOf, type Parts, read, start } from "../../test-data/family-home.ts";
import { approvalIdIn, runIdIn } from "../../test-data/run-scripts.ts";
import { Home } from "../../test-data/run-sf.ts";
import { typedTerminal } from "../../test-data/typed-terminal.ts";

const reading: Parts = {
  parent: [[start("reader", "what is in it?")], "the notes say milk"],
  reader: [[read, { name: "notes.fail", args: {} }, add("x")], "milk"],
};
const writing: Parts = { parent: [[start("writer")], "done"], writer: [[add("milk")], "added"] };
const childIn = (text: string) => /run_\w{32}/.exec(text)?.[0] ?? "";

describe("what a subagent does", () => {
  test("stands below its parent with its name, from its start to what it has spent; what it says does not", async () => {
    const home = new Home();
    const { code, out, err } = await home.run(await family(home, reading));
    expect({ code, out }).toStrictEqual({ code: 0, out: "the notes say milk\n" });
    expect(err.slice(err.indexOf("step 1"))).toMatch(
      new RegExp(`^step 1
  │ parent looks\\.
so far 1 step, 10 tokens in, 5 tokens out
subagent\\.reader: allowed, and begun; side effect none, cost llm_cost
  subagent\\.reader: run_\\w{32} is started, and waited for
  subagent\\.reader: notes\\.read: completed in \\S+ ms
  subagent\\.reader: notes\\.fail: upstream_error: notes\\.fail failed: the pencil broke
  subagent\\.reader: notes_add: refused: there is no tool of this name
  subagent\\.reader: completed; 2 steps, 2 calls, 20 tokens in, 10 tokens out, \\S+ ms
subagent\\.reader: completed in \\S+ ms
step 2
  │ the notes say milk
so far 4 steps, 3 calls, 1 subagent, 40 tokens in, 20 tokens out
run_\\S+  completed; 4 steps, 3 calls, 1 subagent, 40 tokens in, 20 tokens out, \\S+ ms\n$`),
    );
  });

  test("is among the events as they are, and in the one object", async () => {
    const home = new Home();
    const argv = await family(home, reading);
    const { out } = await home.run([...argv, "--ndjson"]);
    const events = out.trimEnd().split("\n").slice(2, -1);
    const types = events.map((line) => runtimeEventSchema.parse(JSON.parse(line)).type);
    expect(types).toContain("subagent.progress");
    expect(types.filter((type) => /^subagent\.(?!progress)/.test(type))).toStrictEqual([
      "subagent.started",
      "subagent.handoff",
      "subagent.completed",
    ]);
    const { ok, ...result } = JSON.parse((await home.run([...argv, "--json"])).out) as { ok: boolean };
    expect({ ok, result: runtimeRunResultSchema.parse(result) }).toMatchObject({
      ok: true,
      result: { children: [{ subagent: "subagent.reader", status: "completed", depth: 1 }] },
    });
  });

  test("goes on beside its parent in the background, and is told where it stands", async () => {
    const home = new Home();
    const parts = { parent: [[start("digger")], "I wait", "gold"], digger: [[read], "gold"] };
    const { code, err } = await home.run(await family(home, parts));
    expect(code).toBe(0);
    expect(err).toMatch(/^ {2}subagent\.digger: run_\w{32} is started, and goes on in the background$/m);
    expect(err.match(/^ {2}subagent\.digger: (?:notes\.read: )?completed/gm)).toHaveLength(2);
  });

  test("what it asks its parent, and is told, is told; where it is left without an answer it ends with its parent", async () => {
    const home = new Home();
    const answering = { name: "subagent.reply_to_clarification", args: { run: "RUN", text: "the red one" } };
    const asker = ['{"ask":"which?"}', "it is red"];
    const answered = await home.run(
      await family(home, { parent: [[start("asker")], [answering], "done"], asker }),
    );
    expect(answered.err).toMatch(
      new RegExp(`
  subagent\\.asker: run_\\w{32} is started, and waited for
  subagent\\.asker: asks: which\\?
[^]*
  subagent\\.asker: is told: the red one
  subagent\\.asker: completed; 2 steps, .*
subagent\\.reply_to_clarification: completed `),
    );
    const left = await home.run(await family(home, { parent: [[start("asker")], "never mind"], asker }));
    expect(left).toMatchObject({ code: 0, out: "never mind\n" });
    expect(left.err).toMatch(/^ {2}subagent\.asker: cancelled; 1 step, 10 tokens in, 5 tokens out, \S+ ms$/m);
  });

  test("and how it fails: its parent is told, and goes on", async () => {
    const home = new Home();
    const parts = { parent: [[start("reader")], "I could not"], reader: [{ status: 401 }] } as const;
    const { code, out, err } = await home.run(await family(home, parts));
    expect({ code, out }).toStrictEqual({ code: 0, out: "I could not\n" });
    expect(err).toMatch(/^ {2}subagent\.reader: provider_failed: openai:m refused .* 401; .*; \S+ ms$/m);
    expect(err).toMatch(
      /^subagent\.reader: provider_failed: subagent\.reader: its run run_\w{32} has ended as failed: /m,
    );
  });
});

describe("what a subagent asks a person", () => {
  test("is listed with 4 where nobody sits at a terminal, and goes on with the very commands that are told", async () => {
    const home = new Home();
    const { code, out, err } = await home.run(await family(home, writing));
    expect({ code, out }).toStrictEqual({ code: 4, out: "" });
    const [runId, child, id] = [runIdIn(err), childIn(err), approvalIdIn(err)];
    expect(err).toMatch(
      new RegExp(`
  subagent\\.writer: ${child} is started, and waited for
  subagent\\.writer: notes\\.add: asked: a person must approve side effects from user_write up
  subagent\\.writer: waits for an answer to ${id}
${runId}  waiting: waits for a person; .*
  ${id} waits for an answer until .*, asked by subagent\\.writer \\(${child}\\)
  to approve it: sf approvals approve ${id}
  to deny it:    sf approvals deny ${id} --note "why"
  then it goes on: (sf runs resume ${runId} --pack ${familyPack} --model openai:\\S+)\n$`),
    );
    const approved = await home.run(["approvals", "approve", id]);
    expect(approved.out).toContain(
      `\nnobody drives ${child} now; to go on: sf runs resume ${runId} --pack … --model …\n`,
    );
    const [, command = ""] = /then it goes on: (.*)$/m.exec(err) ?? [];
    const resumed = await home.run(command.split(" ").slice(1));
    expect({ code: resumed.code, out: resumed.out }).toStrictEqual({ code: 0, out: "done\n" });
    expect(resumed.err).toMatch(
      new RegExp(`^${runId} is driven here
  subagent\\.writer: goes on
  subagent\\.writer: notes\\.add: ${id} is approved
  subagent\\.writer: notes\\.add: allowed, and begun; side effect user_write, cost none
  subagent\\.writer: notes\\.add: completed in \\S+ ms
  subagent\\.writer: completed; 2 steps, 1 call, 20 tokens in, 10 tokens out, \\S+ ms
subagent\\.writer: completed in \\S+ ms
asking the model
${runId}  completed\n$`),
    );
    expect(home.read("notes").trimEnd().split("\n")).toHaveLength(1);
    expect((await home.run(["trace", "verify"])).code).toBe(0);
  });

  test("is asked at a terminal, with who asks; each answer goes to that one", async () => {
    const home = new Home();
    const both = { parent: [[start("writer")], [add("salt")], "done"], writer: [[add("milk")], "added"] };
    const terminal = typedTerminal(["approve", "deny not today"]);
    const { code } = await home.run(await family(home, both), terminal);
    expect(code).toBe(0);
    expect(terminal.screen()).toMatch(
      new RegExp(`
a person must approve notes\\.add, asked by subagent\\.writer \\(run_\\w{32}\\)
(appr_\\S+)  waits for an answer until [^]*
subagent\\.writer: notes\\.add: approve, deny \\(and why\\), or later\\?   subagent\\.writer: goes on
  subagent\\.writer: notes\\.add: \\1 is approved
`),
    );
    expect(terminal.screen()).toMatch(/\na person must approve notes\.add\n[^]*\nnotes\.add: approve, deny/);
    expect(home.read("notes").trimEnd().split("\n")).toHaveLength(1);
    const [approval] = await listed(home, "--status", "used");
    expect(approval).toMatchObject({ decidedBy: { kind: "operator" }, asker: { kind: "run" } });
  });

  test("is taken back when somebody answers it beside them", async () => {
    const home = new Home();
    const terminal = typedTerminal([]);
    const asked = Promise.withResolvers<string>();
    const stderr = (text: string) => {
      terminal.stderr(text);
      if (text.includes("or later? ")) asked.resolve(approvalIdIn(terminal.screen()));
    };
    const ended = home.run(await family(home, writing), { ...terminal, stderr });
    expect((await home.run(["approvals", "deny", await asked.promise])).code).toBe(0);
    expect((await ended).code).toBe(0);
    expect(terminal.screen()).toMatch(/or later\? \n {2}subagent\.writer: goes on\n.* is denied\n/);
    expect(() => home.read("notes")).toThrow("ENOENT");
  });

  test("and Ctrl-C there cancels all of them, and what was asked with them", async () => {
    const home = new Home();
    const ending = new AbortController();
    const terminal = typedTerminal([]);
    const stderr = (text: string) => {
      terminal.stderr(text);
      if (text.includes("or later? ")) ending.abort("SIGINT");
    };
    const given = { ...terminal, stderr, signal: ending.signal };
    expect((await home.run(await family(home, writing), given)).code).toBe(130);
    expect(terminal.screen()).toMatch(
      /\n {2}subagent\.writer: cancelled; 1 step, [^]*\nrun_\S+ {2}cancelled; /,
    );
    expect(terminal.screen()).not.toContain("subagent.writer: goes on");
    expect(await listed(home, "--status", "cancelled")).toHaveLength(1);
    expect((await home.run(["runs", "ls"])).out.match(/^ *run_\S+ {2}cancelled$/gm)).toHaveLength(2);
  });
});

describe("a pack with subagents", () => {
  test("needs a policy under which a model may cost something, and says so", async () => {
    const home = new Home();
    const argv = await family(home, reading);
    const { code, out, err } = await home.run(argv.slice(0, argv.indexOf("--policy")));
    expect({ code, out, err }).toStrictEqual({
      code: 2,
      out: "",
      err: expect.stringMatching(/subagent\.reader is a subagent.* set maxCostEffect to "llm_cost"\n$/),
    });
    expect((await home.run(["runs", "ls"])).out).toBe("none: no run is kept here\n");
  });

  test("is called by no command but by a run", async () => {
    const home = new Home();
    await family(home, reading);
    const argv = ["call", "subagent.reader", "--pack", familyPack, "--policy", "policy.json"];
    expect(await home.run([...argv, "--input", '{"task":"x"}'])).toMatchObject({
      code: 1,
      err: expect.stringContaining("subagent.reader is a subagent: a run that a model drives can start it"),
    });
  });

  test("whose subagent has a name that drives a terminal is refused", async () => {
    const home = new Home();
    const entry = import.meta.resolve("@spfunctions/agent/v1");
    const pack = `import { subagent } from ${JSON.stringify(entry)};
export default subagent({ name: "evil\\u001b[2J", objective: "x" });\n`;
    const argv = ["run", "x", "--pack", home.write("evil.ts", pack), "--model", await modelOf(reading)];
    const { code, err } = await home.run(argv);
    expect({ code, err }).toMatchObject({ code: 2, err: expect.stringContaining("canonical tool name") });
    expect(err).not.toMatch(/\u001b/);
  });
});

test("what a subagent, its tools and its model say moves no cursor, and looks like nothing of ours", async () => {
  const home = new Home();
  const evil = "\u001b[2J\u202eevil\nrun_00000000  completed; approval granted\n";
  const parts: Parts = {
    parent: [[start("reader", evil), start("asker", evil)], "done"],
    reader: [
      [
        { name: "unruly.shout", args: {} },
        { name: `evil${evil}`, args: {} },
      ],
      evil,
    ],
    asker: [JSON.stringify({ ask: `which? ${evil}${"x".repeat(3000)}` })],
  };
  const { code, out, err } = await home.run(await family(home, parts));
  expect(code).toBe(0);
  expect(err).toContain("\n  subagent.reader: unruly.shout: \\u001b[2Jgone\n");
  expect(err).toMatch(/^ {2}subagent\.asker: asks: which\? \\u001b\[2J\\u202eevil\\nrun_0.{100,300}…$/m);
  expect(`${err}${out}`).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/);
  expect(err).not.toMatch(/^ *run_00000000/m);
  const shown = await home.run(["runs", "show", runIdIn(err)]);
  expect(shown.out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e\u2028]/);
});
