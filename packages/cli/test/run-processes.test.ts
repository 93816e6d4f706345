// `sf run` as a real process: killed in the middle, told to stop, and beside others.
import { openSqliteStore } from "@spfunctions/host/store";
import { describe, expect, onTestFinished, test } from "vitest";
import { usual } from "../test-data/run-home.ts";
import { bounded, runIdIn, running, saying, withPolicy, writing } from "../test-data/run-scripts.ts";
import { Home, type Started, unrulyPack } from "../test-data/run-sf.ts";
import { hasTerminals, startAtTerminal } from "../test-data/terminal-process.ts";

/** Nobody is asked about what belongs to the user alone. */
const lifted = { ...writing, approvals: { requireForSideEffectAtOrAbove: "secret" } } as const;

const calling = (name: string, args = {}) => ({ toolCalls: [{ name, args }] });

/** A run over tools that behave badly. */
function unruly(home: Home, steps: readonly object[], ...more: readonly string[]): string[] {
  const [, objective = "", , , ...rest] = running(home, steps, ...withPolicy, ...more);
  home.write("policy.json", { ...lifted, ...bounded });
  return ["run", objective, "--pack", unrulyPack, ...rest];
}

function started(home: Home, argv: readonly string[]): Started {
  const process = home.start(argv);
  onTestFinished(() => void process.child.kill("SIGKILL"));
  return process;
}

describe("a run whose process was killed in the middle of a call", () => {
  async function killed(name: string): Promise<{ readonly home: Home; readonly resume: string[] }> {
    const home = new Home();
    const steps = [calling(`unruly.${name}`, { text: "milk" }), saying("done")];
    const { signal, err } = await started(home, unruly(home, steps)).ended;
    expect(signal).toBe("SIGKILL");
    const model = ["--model", "scripted:script.json"];
    return { home, resume: ["runs", "resume", runIdIn(err), "--pack", unrulyPack, ...model] };
  }
  const timesDone = (home: Home) => home.read("notes").match(/^done$/gm)?.length ?? 0;

  test("that can be repeated goes on with sf runs resume, and the call is done once", async () => {
    const { home, resume } = await killed("die_keyed");
    expect(await home.run(resume)).toMatchObject({ code: 0, out: "done\n" });
    expect(timesDone(home)).toBe(1);
  });

  test("that nobody may repeat goes on once a person has said what became of it (X1)", async () => {
    const { home, resume } = await killed("die_unkeyed");
    const { code, err } = await home.run(resume);
    expect(code).toBe(1);
    const [, command = ""] = /: sf (runs resolve .*)$/m.exec(err) ?? [];
    const decided = command.replace("--status …", "--status failed").replace("--note …", "--note seen");
    expect((await home.run(decided.split(" "))).code).toBe(0);
    expect(await home.run(resume)).toMatchObject({ code: 0, out: "done\n" });
    expect(timesDone(home)).toBe(0);
  });
});

describe("Ctrl-C", () => {
  test("cancels a run, and waits for its end", async () => {
    const home = new Home();
    const process = started(home, unruly(home, [calling("unruly.wait")]));
    await process.says("unruly.wait: waiting");
    process.child.kill("SIGINT");
    const { code, err } = await process.ended;
    expect(code).toBe(130);
    expect(err).toContain("cancelling: what has begun is seen to its end; a second Ctrl-C leaves at once\n");
    expect(err).toMatch(/\nrun_\S+ {2}cancelled; 1 step/);
    expect((await home.run(["runs", "ls"])).out).toMatch(/^run_\S+ {2}cancelled\n/);
  });

  test.skipIf(!hasTerminals)(
    "at a terminal, where a person is asked, cancels it too (needs script)",
    async () => {
      const home = new Home();
      const argv = unruly(home, [calling("unruly.stray"), saying("x")]);
      home.write("policy.json", writing);
      const process = startAtTerminal(home, argv);
      await process.says("or later? ");
      process.child.stdin.write("\u0003");
      const { code, out } = await process.ended;
      expect(code).toBe(130);
      expect(out).toMatch(/\nrun_\S+ {2}cancelled; 1 step/);
    },
  );
});

describe("beside others", () => {
  test("a run does not begin in a folder that another process drives, and says which", async () => {
    const home = new Home();
    const driver = await openSqliteStore({ folder: home.path(usual) });
    onTestFinished(() => driver.close());
    const { code, err } = await home.runBinary(running(home, [saying("x")], "--wait", "0"));
    expect(code).toBe(1);
    expect(err).toMatch(
      new RegExp(`^error host_configuration_needed: .* is driven by .*${process.pid}`, "m"),
    );
    expect(err).toContain("Answer what it may wait for (sf approvals ls --data ");
  });

  test("two of one session take turns: the second goes on from the first", async () => {
    const home = new Home();
    const argv = running(home, [saying("one"), saying("two")], "--session", "monday", "--wait", "60000");
    const both = await Promise.all([home.start(argv).ended, home.start(argv).ended]);
    expect(
      both.map(({ code, out }) => ({ code, out })).toSorted((a, b) => (a.out < b.out ? -1 : 1)),
    ).toStrictEqual([
      { code: 0, out: "one\n" },
      { code: 0, out: "two\n" },
    ]);
  });

  test("a session whose run waits for a person takes no other, and says which run it is", async () => {
    const home = new Home();
    const adding = { toolCalls: [{ name: "notes.add", args: { text: "milk" } }] };
    const argv = running(home, [adding, saying("x")], ...withPolicy, "--session", "monday");
    const runId = runIdIn((await home.run(argv)).err);
    for (const flag of [[], ["--json"], ["--ndjson"]]) {
      const { code, err } = await home.run([...argv, ...flag]);
      expect({ code, err }).toMatchObject({
        code: 3,
        err: expect.stringContaining(
          `the session monday has a run under way: ${runId} is waiting. Wait for it, take it on (sf runs resume ${runId} --pack … --model …), or end it (sf runs cancel ${runId})`,
        ),
      });
    }
  });
});
