// What a run may do only if a person says so: asked at a terminal, or left for whoever answers later.
import { describe, expect, test } from "vitest";
import { listed } from "../../test-data/asking-home.ts";
import {
  adding,
  approvalIdIn,
  runIdIn,
  running,
  saying,
  withPolicy,
  writing,
} from "../../test-data/run-scripts.ts";
import { Home, notesPack, type Ran } from "../../test-data/run-sf.ts";
import { typedTerminal } from "../../test-data/typed-terminal.ts";

const steps = [adding("milk"), saying("done")];
const notesIn = (home: Home) =>
  home
    .read("notes")
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" ").at(-1));

/** Runs the commands that were told, one after the other, as they stand there. */
async function doWhatIsSaid(home: Home, err: string, ...words: readonly string[]): Promise<Ran[]> {
  const ran: Ran[] = [];
  for (const word of words) {
    const [, command = ""] = new RegExp(`(?:: )(sf ${word} .*)$`, "m").exec(err) ?? [];
    ran.push(await home.run(command.split(" ").slice(1)));
  }
  return ran;
}

describe("where nobody sits at a terminal", () => {
  test("a run is left with 4, and goes on with the very commands that are told", async () => {
    const home = new Home();
    const { code, out, err } = await home.run(running(home, steps, ...withPolicy));
    expect({ code, out }).toStrictEqual({ code: 4, out: "" });
    const [runId, id] = [runIdIn(err), approvalIdIn(err)];
    expect(err).toMatch(
      new RegExp(`notes.add: asked: a person must approve side effects from user_write up
${runId}  waiting: waits for a person; 1 step, .*
  ${id} waits for an answer until .* UTC \\(in 59 minutes\\)
  to approve it: sf approvals approve ${id}
  to deny it:    sf approvals deny ${id} --note "why"
  then it goes on: sf runs resume ${runId} --pack ${notesPack} --model scripted:script.json\n$`),
    );
    const ran = await doWhatIsSaid(home, err, "approvals approve", "runs resume");
    expect(ran.map((one) => one.code)).toStrictEqual([0, 0]);
    expect(ran[1]?.out).toBe("done\n");
    expect(notesIn(home)).toStrictEqual(["milk"]);
  });

  test("the commands name the place that was named, and the model of the environment needs no name", async () => {
    const home = new Home({ SF_MODEL: "scripted:script.json" });
    const argv = running(home, steps, ...withPolicy, "--data", "my data", "--account", "desk");
    const { err } = await home.run(argv.filter((word) => !/^--model$|^scripted:/.test(word)));
    const place = `--data '${home.path("my data")}' --account desk`;
    expect(err).toContain(`sf approvals approve ${approvalIdIn(err)} ${place}\n`);
    expect(err).toContain(`sf runs resume ${runIdIn(err)} --pack ${notesPack} ${place}\n`);
  });

  test.each(["--json", "--ndjson"])(
    "%s asks nobody at a terminal either, and says that it waits",
    async (flag) => {
      const home = new Home();
      const terminal = typedTerminal(["approve"]);
      const { code } = await home.run(running(home, steps, ...withPolicy, flag), terminal);
      expect(code).toBe(4);
      expect(terminal.screen()).not.toContain("or later?");
      expect(terminal.screen()).toContain(`\n  to approve it: sf approvals approve appr_`);
      const last = terminal.out().trimEnd().split("\n").at(-1) ?? "";
      const said = JSON.parse(flag === "--json" ? terminal.out() : last) as object;
      expect(said).toMatchObject(
        flag === "--json"
          ? { ok: false, status: "requires_approval" }
          : { type: "agent.final", ok: false, error: { code: "approval_required" } },
      );
    },
  );
});

describe("at a terminal a person is asked", () => {
  test("what exactly, why and until when; and approves it with a credential that is not the run's", async () => {
    const home = new Home();
    const terminal = typedTerminal(["approve"]);
    const { code } = await home.run(running(home, steps, ...withPolicy), terminal);
    expect(code).toBe(0);
    expect(terminal.screen()).toMatch(
      new RegExp(`
a person must approve notes.add
(appr_\\S+)  waits for an answer until .*
what      notes.add, side effect user_write, cost none; contract sha256:.*
who       a run under cli of account local, scopes read write
why       a person must approve side effects from user_write up
input     \\{
            "text": "milk"
          \\}
asked     .*
until     .* UTC \\(in 59 minutes\\)
where     .*
Approving lets exactly this call run, once: .*
notes.add: approve, deny \\(and why\\), or later\\? notes.add: \\1 is approved
notes.add: allowed, and begun; side effect user_write, cost none
notes.add: completed in \\S+ ms
step 2
`),
    );
    expect(notesIn(home)).toStrictEqual(["milk"]);
    const [approval] = await listed(home, "--status", "any");
    expect(approval).toMatchObject({
      status: "used",
      decidedBy: { kind: "operator", keyId: "operator" },
      asker: { kind: "run", keyId: "cli" },
    });
    // Whoever has seen the answer being said is not shown it again.
    expect(terminal.out()).toBe("");
    expect(terminal.screen().match(/done/g)).toHaveLength(1);
  });

  test("and denies it: the model is told why, and goes on without", async () => {
    const home = new Home();
    const terminal = typedTerminal(["deny   not on a monday "]);
    const { code } = await home.run(running(home, steps, ...withPolicy), terminal);
    expect(code).toBe(0);
    expect(terminal.screen()).toMatch(/notes\.add: appr_\S+ is denied\nstep 2\n/);
    expect(() => home.read("notes")).toThrow("ENOENT");
    expect(await listed(home, "--status", "denied")).toMatchObject([{ note: "not on a monday" }]);
  });

  test("and says later: it is left with 4, as without a terminal", async () => {
    const home = new Home();
    const terminal = typedTerminal(["l"]);
    expect((await home.run(running(home, steps, ...withPolicy), terminal)).code).toBe(4);
    const [, resumed] = await doWhatIsSaid(home, terminal.screen(), "approvals approve", "runs resume");
    expect(resumed).toMatchObject({ code: 0, out: "done\n" });
  });

  test("until it is one of three words; Ctrl-D is later", async () => {
    const home = new Home();
    const odd = ["", "yes", "approve it", "aprove", "APPROVE"];
    const terminal = typedTerminal(odd);
    expect((await home.run(running(home, steps, ...withPolicy), terminal)).code).toBe(0);
    expect(terminal.screen().match(/or later\? /g)).toHaveLength(5);
    expect(terminal.screen().match(/^a person must approve /gm)).toHaveLength(1);
    const gone = { ...terminal, stdin: Object.assign((async function* none() {})(), { isTTY: true }) };
    expect((await home.run(running(home, steps, ...withPolicy), gone)).code).toBe(4);
  });

  test("and what was typed before the question was shown is no answer to it", async () => {
    const home = new Home();
    const terminal = typedTerminal(["later"], "approve\napprove\n");
    expect((await home.run(running(home, steps, ...withPolicy), terminal)).code).toBe(4);
    expect(() => home.read("notes")).toThrow("ENOENT");
  });

  test("about each call of a step, one after the other", async () => {
    const home = new Home();
    const both = { toolCalls: ["milk", "bread"].map((text) => ({ name: "notes.add", args: { text } })) };
    const terminal = typedTerminal(["approve", "later"]);
    const { code } = await home.run(running(home, [both, saying("done")], ...withPolicy), terminal);
    expect(code).toBe(4);
    expect(terminal.screen().match(/or later\? /g)).toHaveLength(2);
    expect(notesIn(home)).toStrictEqual(["milk"]);
    const [, resumed] = await doWhatIsSaid(home, terminal.screen(), "approvals approve", "runs resume");
    expect(resumed).toMatchObject({ code: 0, out: "done\n" });
    expect(notesIn(home)).toStrictEqual(["milk", "bread"]);
  });

  test("and the question is taken back when somebody answers it beside them", async () => {
    const home = new Home();
    const terminal = typedTerminal([]);
    const asked = Promise.withResolvers<string>();
    const stderr = (text: string) => {
      terminal.stderr(text);
      if (text.includes("or later? ")) asked.resolve(approvalIdIn(terminal.screen()));
    };
    const ended = home.run(running(home, steps, ...withPolicy), { ...terminal, stderr });
    expect((await home.run(["approvals", "approve", await asked.promise])).code).toBe(0);
    expect((await ended).code).toBe(0);
    expect(terminal.screen()).toMatch(/or later\? \nnotes\.add: appr_\S+ is approved\n/);
    expect(notesIn(home)).toStrictEqual(["milk"]);
  });

  test("and the question is taken back when its time is over", async () => {
    const home = new Home();
    const terminal = typedTerminal([]);
    const argv = running(home, steps, ...withPolicy);
    home.write("policy.json", { ...writing, approvals: { ttlMs: 2000 } });
    expect((await home.run(argv, terminal)).code).toBe(0);
    expect(terminal.screen()).toMatch(/or later\? \nnotes\.add: appr_\S+ is expired\nstep 2\n/);
    expect(() => home.read("notes")).toThrow("ENOENT");
  });

  test("and Ctrl-C there cancels the run, and what it has asked with it", async () => {
    const home = new Home();
    const ending = new AbortController();
    const terminal = typedTerminal([]);
    const stderr = (text: string) => {
      terminal.stderr(text);
      if (text.includes("or later? ")) ending.abort("SIGINT");
    };
    const { code } = await home.run(running(home, steps, ...withPolicy), {
      ...terminal,
      stderr,
      signal: ending.signal,
    });
    expect(code).toBe(130);
    expect(terminal.screen()).toContain("cancelling: what has begun is seen to its end");
    expect(terminal.screen()).toMatch(/\nrun_\S+ {2}cancelled; 1 step/);
    expect(await listed(home, "--status", "cancelled")).toHaveLength(1);
  });
});

test("no flag approves: there is no --yes", async () => {
  const home = new Home();
  expect((await home.run(running(home, steps, ...withPolicy, "--yes"))).code).toBe(2);
});
