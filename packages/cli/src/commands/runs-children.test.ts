// Runs with children at a command line: which are whose, what they wait for, and who is taken on.
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { family, familyPack, familyPolicy, start } from "../../test-data/family-home.ts";
import { leftTree, starting } from "../../test-data/left-tree.ts";
import { adding, asking, leftRun, modelFile, usual } from "../../test-data/run-home.ts";
import { runIdIn } from "../../test-data/run-scripts.ts";
import { Home } from "../../test-data/run-sf.ts";

const moment = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC \(\S+ \w+ ago\)`;
const waits = "waiting: waits for a person";
const resuming = (runId: string) => ["runs", "resume", runId, "--pack", familyPack, "--model", modelFile];
const resumed = (runId: string) => `sf ${resuming(runId).join(" ")}`;
const taking = (runId: string) => `sf runs resume ${runId} --pack … --model …`;

async function runsCheckOf(home: Home): Promise<unknown> {
  const { checks } = JSON.parse((await home.run(["doctor", "--json"])).out) as {
    checks: { check: string; facts?: unknown }[];
  };
  return checks.find(({ check, facts }) => check === "runs" && facts !== undefined)?.facts;
}

describe("a tree of runs that nobody drives", () => {
  test("ends as one where it is cancelled, and what was asked in it with it", async () => {
    const home = new Home();
    const { parent } = await leftTree(home);
    expect(await home.run(["runs", "cancel", parent])).toMatchObject({
      code: 0,
      out: `${parent} is cancelled, and what it had asked with it\n`,
    });
    expect((await home.run(["runs", "ls"])).out.match(/^ *run_\S+ {2}cancelled$/gm)).toHaveLength(3);
    expect((await home.run(["approvals", "ls"])).out).toMatch(/^none/);
  });

  test("is listed as one, with its children further in", async () => {
    const home = new Home();
    const { parent, child, grandchild, id } = await leftTree(home);
    const { code, out, err } = await home.run(["runs", "ls"]);
    expect({ code, err }).toStrictEqual({
      code: 0,
      err: `1 in ${home.path(usual)} with 2 subagents; one whole: sf runs show <runId>\n`,
    });
    expect(out).toMatch(
      new RegExp(`^${parent}  ${waits}
  agent scribe, started ${moment}
  waits for ${id}: sf approvals show ${id}
  ${child}  ${waits}
    subagent subagent\\.lead, started ${moment}
    ${grandchild}  ${waits}
      subagent subagent\\.writer, started ${moment}\n$`),
    );
    const json = JSON.parse((await home.run(["runs", "ls", "--json"])).out) as object;
    expect(json).toMatchObject({
      total: 1,
      runs: [
        {
          runId: parent,
          nobodys: true,
          children: [
            {
              runId: child,
              parentRunId: parent,
              state: "waiting",
              children: [{ runId: grandchild, approvals: [{ approvalId: id }], children: [] }],
            },
          ],
        },
      ],
    });
    expect(await runsCheckOf(home)).toStrictEqual({ underWay: 1, waiting: 1, recoveryNeeded: 0, nobodys: 1 });
  });

  test("is shown with all that stands below, what each waits for and has spent, and whose child one is", async () => {
    const home = new Home();
    const { parent, child, grandchild, id } = await leftTree(home);
    const { code, out } = await home.run(["runs", "show", parent]);
    expect(code).toBe(0);
    expect(out).toContain(`\n  call      subagent.lead  is under way (${child})\n`);
    expect(out.slice(out.indexOf("\nchild "))).toMatch(
      new RegExp(`^
child     ${child}  subagent\\.lead, depth 1  ${waits}; 2 steps, 20 tokens in, 10 tokens out, \\S+ ms
  child     ${grandchild}  subagent\\.writer, depth 2  ${waits}; 1 step, 10 tokens in, 5 tokens out, \\S+ ms
    waits     for an answer to ${id}: sf approvals show ${id}
spent     1 step, [^]*
needs     an answer to ${id}: sf approvals show ${id}
needs     somebody who drives it; nobody does: ${taking(parent)}\n$`),
    );
    const below = (await home.run(["runs", "show", grandchild])).out;
    expect(below).toContain(`\nagent     subagent.writer\nparent    ${child}\n`);
    expect(below).toContain(
      `\nneeds     somebody who drives it; nobody does: it goes on with ${parent}: ${taking(parent)}\n`,
    );
    const json = JSON.parse((await home.run(["runs", "show", child, "--json"])).out) as object;
    expect(json).toMatchObject({
      run: { runId: child, parentRunId: parent },
      goesOnWith: parent,
      children: [
        {
          runId: grandchild,
          subagent: "subagent.writer",
          depth: 2,
          status: "resting",
          state: "waiting",
          spent: { steps: 1 },
          approvals: [{ approvalId: id, status: "pending" }],
          children: [],
        },
      ],
    });
  });

  test("goes on with the run that stands above them all, and with no other", async () => {
    const home = new Home();
    const { parent, child, grandchild, id } = await leftTree(home);
    for (const [one, above] of [
      [child, parent],
      [grandchild, child],
    ] as const) {
      expect(await home.run(resuming(one))).toStrictEqual({
        code: 3,
        out: "",
        err: `error invalid_transition: ${one} is a child of ${above}, and goes on with ${parent}: ${resumed(parent)}\n`,
      });
    }
    const left = await home.run(resuming(parent));
    expect(left.code).toBe(4);
    expect(left.err).toContain(`\nwaiting: notes.add, asked by subagent.writer (${grandchild}), until `);
    expect((await home.run(["approvals", "approve", id])).out).toContain(`; to go on: ${taking(parent)}\n`);
    expect((await home.run(["runs", "ls"])).out).toContain(
      `\n  ${id} is approved; nobody drives it: ${taking(parent)}\n`,
    );
    const { code, err } = await home.run(resuming(parent));
    expect(code).toBe(4);
    expect(err.match(/^ {4}subagent\.writer: .*/gm)).toStrictEqual([
      "    subagent.writer: goes on",
      `    subagent.writer: notes.add: ${id} is approved`,
      "    subagent.writer: notes.add: allowed, and begun; side effect user_write, cost none",
      expect.stringMatching(/^ {4}subagent\.writer: notes\.add: completed in /),
      expect.stringMatching(/^ {4}subagent\.writer: completed; 2 steps, 1 call, /),
    ]);
    expect(err.match(/^ {2}subagent\.lead: .*/gm)).toStrictEqual([
      "  subagent.lead: goes on",
      expect.stringMatching(/^ {2}subagent\.lead: completed; 5 steps, 1 call, 1 subagent, /),
    ]);
    expect(home.read("notes").trimEnd().split("\n")).toHaveLength(1);
    // One that has ended is shown to whoever would take it on.
    expect((await home.run(resuming(grandchild))).code).toBe(0);
  });

  test("a child alone can be cancelled: its parent is told when it goes on, and does without", async () => {
    const home = new Home();
    const runId = await leftRun(home, {
      pack: familyPack,
      policy: { ...familyPolicy, ...asking },
      script: [[starting("writer", [[adding("milk")], "added"])], "without"],
    });
    const child = /run_\w{32}/.exec((await home.run(["runs", "ls"])).out)?.[0] ?? "";
    expect(await home.run(["runs", "cancel", child])).toStrictEqual({
      code: 0,
      out: `${child} is cancelled, and what it had asked with it
${runId}, whose child it is, is told when it goes on; where nobody drives it: ${taking(runId)}\n`,
      err: "",
    });
    const { code, out, err } = await home.run(resuming(runId));
    expect({ code, out }).toStrictEqual({ code: 0, out: "without\n" });
    expect(err).toMatch(/^ {2}subagent\.writer: cancelled; 1 step, .*\nsubagent\.writer: cancelled: /m);
    expect(await home.run(["runs", "cancel", child])).toMatchObject({
      out: `${child} had ended already: cancelled\n`,
    });
    expect((await home.run(["trace", "verify"])).code).toBe(0);
  });
});

describe("a child that was let go", () => {
  test("is a run of its own: listed, counted and taken on by itself", async () => {
    const home = new Home();
    const { parent, child, grandchild, id } = await leftTree(home, true);
    const ls = await home.run(["runs", "ls"]);
    expect(ls.err).toBe(`2 in ${home.path(usual)} with 1 subagent; one whole: sf runs show <runId>\n`);
    expect(ls.out).toMatch(
      new RegExp(`^${child}  ${waits}
  agent subagent\\.lead, let go by ${parent}, started ${moment}
  waits for ${id}: sf approvals show ${id}
  ${grandchild}  ${waits}
    subagent subagent\\.writer, started ${moment}
${parent}  `),
    );
    expect(await runsCheckOf(home)).toMatchObject({ underWay: 2, waiting: 2, nobodys: 2 });
    const shown = (await home.run(["runs", "show", child])).out;
    expect(shown).toContain(`\nparent    ${parent}, which has let it go\n`);
    expect(shown).toContain(`\nneeds     somebody who drives it; nobody does: ${taking(child)}\n`);
    expect((await home.run(["runs", "show", parent])).out).toContain(
      `  subagent.lead, depth 1, let go  ${waits}; `,
    );
    expect((await home.run(["approvals", "approve", id])).out).toContain(`; to go on: ${taking(child)}\n`);
    const { code, err } = await home.run(resuming(child));
    expect(code).toBe(0);
    expect(err).toMatch(new RegExp(`^${child} is driven here\n[^]*\n${child}  completed\n$`));
    expect(home.read("notes").trimEnd().split("\n")).toHaveLength(1);
  });

  test("goes on with the tools and the model that it has, and with no others", async () => {
    const home = new Home();
    const { child } = await leftTree(home, true);
    const other = home.write("model.mjs", 'export default { name: "other", complete() {} };\n');
    const bare = ["runs", "resume", child, "--model"];
    expect(await home.run([...bare, modelFile])).toMatchObject({
      code: 3,
      err: expect.stringContaining("that tool is not here; give the tools that it was made of"),
    });
    expect(await home.run([...bare, other, "--pack", familyPack])).toMatchObject({
      code: 3,
      err: expect.stringContaining("the package is driven by scripted, and this model is other"),
    });
  });
});

describe("an effect of a child of which nobody knows what became", () => {
  test("is decided by its id, whichever of them is named, and the run goes on by it (X1)", async () => {
    const home = new Home();
    const dying = [{ name: "unruly.die_unkeyed", args: { text: "milk" } }];
    const argv = await family(home, { parent: [[start("rogue")], "done"], rogue: [dying, "over"] });
    home.write("policy.json", {
      maxSideEffect: "user_write",
      maxCostEffect: "llm_cost",
      approvals: { requireForSideEffectAtOrAbove: "secret" },
    });
    const killed = await home.start(argv).ended;
    expect(killed.signal).toBe("SIGKILL");
    const runId = runIdIn(killed.err);
    const resume = ["runs", "resume", runId, "--pack", familyPack, ...argv.slice(4, 6)];
    const { code, err } = await home.run(resume);
    expect(code).toBe(1);
    const [, child = "", effect = ""] =
      /: sf runs resolve (run_\S+) (eff_\S+) --status … --note …$/m.exec(err) ?? [];
    expect([child.length, err]).toStrictEqual([
      36,
      expect.stringContaining(`\n  subagent.rogue: waits for a word on what became of ${effect}\n`),
    ]);
    const decide = `sf runs resolve ${child} ${effect} --status … --note …`;
    expect((await home.run(["runs", "ls"])).out).toContain(
      `${runId}  waiting: a person must say what became of an effect\n`,
    );
    expect((await home.run(["runs", "ls"])).out).toContain(`\n  needs to know of ${effect}: ${decide}\n`);
    expect((await home.run(["runs", "show", runId])).out).toContain(
      `\n  waits     for a word on ${effect}: ${decide}\n`,
    );
    // Also by whoever names the run that it goes on with.
    const resolved = await home.run([
      "runs",
      "resolve",
      runId,
      effect,
      "--status",
      "failed",
      "--note",
      "seen",
    ]);
    expect(resolved).toStrictEqual({
      code: 0,
      out: `${effect} is failed from now on, by your word\nnobody drives ${child}: ${taking(runId)} takes it on\n`,
      err: "",
    });
    expect(await home.run(resume)).toMatchObject({ code: 0, out: "done\n" });
  });
});

describe("what somebody has changed", () => {
  test("is told as broken, and a child that is listed below itself is not hidden (B22)", async () => {
    const home = new Home();
    const { parent, child, grandchild } = await leftTree(home);
    const database = new DatabaseSync(home.path(`${usual}/simplefunctions.db`));
    const below = (id: string, above: string) =>
      database.exec(
        `UPDATE documents SET body = json_set(body, '$.parentRunId', '${above}') WHERE kind = 'run' AND id = '${id}'`,
      );
    below(child, grandchild);
    const ls = await home.run(["runs", "ls"]);
    expect(ls.code).toBe(6);
    for (const id of [parent, child, grandchild]) expect(ls.out).toMatch(new RegExp(`^ *${id} `, "m"));
    expect(ls.out).toContain("is not listed as what its journal says; verify the journal\n");
    const { code, out } = await home.run(["runs", "show", parent]);
    expect([code, out]).toStrictEqual([
      6,
      expect.stringContaining(`\nchild     ${child}  subagent.lead, depth 1  cannot be read\n`),
    ]);
    below(grandchild, grandchild);
    expect((await home.run(resuming(grandchild))).code).toBe(6);
    expect((await home.run(["doctor"])).code).toBe(0);
    database.close();
  });
});
