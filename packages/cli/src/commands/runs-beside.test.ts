// Runs that another process drives, and effects of which a person must say what became.
import { openSqliteStore } from "@spfunctions/host/store";
import { describe, expect, onTestFinished, test } from "vitest";
import { adding, leftRun, modelFile, resuming, startRun, usual, writer } from "../../test-data/run-home.ts";
import { Home, unrulyPack } from "../../test-data/run-sf.ts";

const saying = (...words: string[]) => [
  "runs",
  "resolve",
  ...words,
  "--status",
  "completed",
  "--note",
  "it is there",
];
const waitingRun = { script: [[adding("milk")], "written"] };

describe("a run that a living process drives", () => {
  test("is cancelled by that process, which is told through its inbox", async () => {
    const home = new Home();
    const { runId, process: driver } = await startRun(home, waitingRun);
    expect(await home.run(["runs", "cancel", runId])).toStrictEqual({
      code: 0,
      out: `${runId} is cancelled, and what it had asked with it\n`,
      err: `another process drives ${runId}: it was left for that one, which is waited for\n`,
    });
    expect(await driver.ended).toMatchObject({ code: 0, out: expect.stringContaining("ends cancelled\n") });
    const { out } = await home.run(["runs", "show", runId, "--json"]);
    expect(JSON.parse(out)).toMatchObject({ takenOver: 0, cancelledBy: { keyId: "operator" } });
    expect((await home.run(["trace", "verify"])).code).toBe(0);
  });

  test("is watched until its end, and is not taken on", async () => {
    const home = new Home();
    const { runId, process: driver } = await startRun(home, waitingRun);
    expect(await home.run(resuming(runId, "--wait", "0"))).toMatchObject({
      code: 3,
      err: expect.stringMatching(
        new RegExp(
          `^error invalid_transition: another process \\(${driver.child.pid}\\) drives ${runId}, or at`,
        ),
      ),
    });
    const watching = home.run(["runs", "show", runId, "--events", "--follow"]);
    const { out } = await home.run(["approvals", "ls", "--json"]);
    const { approvals } = JSON.parse(out) as { approvals: { approvalId: string }[] };
    const approved = await home.run(["approvals", "approve", approvals[0]?.approvalId ?? ""]);
    expect(approved.code).toBe(0);
    expect(approved.out).toContain(
      `\n${runId} goes on by itself if process ${driver.child.pid}, which drives its folder, drives it too; if not: sf runs resume ${runId} `,
    );
    expect((await driver.ended).out).toContain("ends completed\n");
    const watched = await watching;
    const types = watched.out.split("\n").flatMap((line) => /"type":"([^"]+)"/.exec(line)?.[1] ?? []);
    expect({
      code: watched.code,
      last: types.at(-1),
      ends: types.filter((type) => type.startsWith("runtime.")),
    }).toStrictEqual({
      code: 0,
      last: "runtime.completed",
      ends: ["runtime.started", "runtime.completed"],
    });
  });

  test("--follow ends with Ctrl-C, and the run goes on", async () => {
    const home = new Home();
    const { runId } = await startRun(home, waitingRun);
    const ending = new AbortController();
    let out = "";
    const isShown = Promise.withResolvers<void>();
    const stdout = (text: string) => {
      out += text;
      if (out.includes("approval.required")) isShown.resolve();
    };
    const watching = home.run(["runs", "show", runId, "--events", "--follow"], {
      stdout,
      signal: ending.signal,
    });
    await isShown.promise;
    ending.abort("SIGINT");
    expect((await watching).code).toBe(130);
    expect((await home.run(["runs", "ls", "--state", "waiting"])).out).toContain(runId);
  });
});

describe("beside a process that drives the folder and no runs", () => {
  test("a cancel is left, and that is said; whoever takes the run on next ends it", async () => {
    const home = new Home();
    const runId = await leftRun(home);
    const driver = await openSqliteStore({ folder: home.path(usual) });
    onTestFinished(() => driver.close());
    const { code, out, err } = await home.run(["runs", "cancel", runId, "--wait", "50"]);
    expect({ code, out }).toStrictEqual({ code: 1, out: "" });
    expect(err).toContain(`error timeout: ${runId} was told to stop, and has not ended within 50 ms`);
    await driver.close();
    expect(await home.run(resuming(runId))).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${runId}  cancelled`),
    });
  });

  test("it is ended here when that process has ended meanwhile", async () => {
    const home = new Home();
    const runId = await leftRun(home);
    const driver = await openSqliteStore({ folder: home.path(usual) });
    let closing: Promise<void> | undefined;
    const stderr = (text: string) => {
      if (text.includes("it was left for that one")) closing = driver.close();
    };
    const cancelling = home.run(["runs", "cancel", runId, "--wait", "2000"], { stderr });
    expect(await cancelling).toMatchObject({
      code: 0,
      out: `${runId} is cancelled, and what it had asked with it\n`,
    });
    await closing;
    expect((await home.run(["trace", "verify"])).code).toBe(0);
  });
});

describe("an effect of a run of which nobody knows what became (X1)", () => {
  const dying = {
    script: [[{ name: "unruly.die_unkeyed", args: { text: "x" } }], "went on"],
    pack: unrulyPack,
    policy: writer,
  };
  const modules = ["--pack", unrulyPack, "--model", modelFile];
  const taking = (runId: string, ...more: string[]) => ["runs", "resume", runId, ...modules, ...more];

  /** A run whose process died in the middle of a tool, and that was taken on since. */
  async function stuckRun(data?: string): Promise<{ home: Home; runId: string; effectId: string }> {
    const home = new Home();
    const folder = data === undefined ? {} : { folder: home.path(data) };
    const { runId, process: driver } = await startRun(home, { ...dying, ...folder });
    expect((await driver.ended).signal).toBe("SIGKILL");
    const { code, err } = await home.run(taking(runId, ...(data === undefined ? [] : ["--data", data])));
    const [, effectId = ""] = /nobody knows what became of (eff_\S+): sf runs resolve/.exec(err) ?? [];
    expect({ code, err }).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${runId}  recovery_needed: a person must say what became of an effect`),
    });
    return { home, runId, effectId };
  }

  test("is listed, and its run as driven by nobody, before anybody has taken that on", async () => {
    const home = new Home();
    const { runId, process: driver } = await startRun(home, dying);
    expect((await driver.ended).signal).toBe("SIGKILL");
    const resume = `sf runs resume ${runId} --pack … --model …`;
    const { out } = await home.run(["runs", "ls"]);
    expect(out).toContain(`${runId}  calling: nobody drives it\n`);
    expect(out).toContain(`\n  takes somebody who drives it: ${resume}\n`);
    expect((await home.run(["runs", "show", runId])).out).toContain(`${runId}  calling: nobody drives it\n`);
    const left = await home.run(["effects", "ls"]);
    expect(left.out).toMatch(
      new RegExp(
        `^eff_\\S+ {2}unruly\\.die_unkeyed {2}left as it was\\n {2}it is of ${runId}, which nobody drives: ${resume}\\n$`,
      ),
    );
    expect(JSON.parse((await home.run(["effects", "ls", "--json"])).out)).toMatchObject({
      complete: true,
      unknown: [],
      left: [{ runId, tool: "unruly.die_unkeyed", outcome: "left" }],
    });
  });

  test("is decided by a person, on record, and the run goes on by it", async () => {
    const { home, runId, effectId } = await stuckRun();
    expect((await home.run(["runs", "ls"])).out).toContain(
      `  needs to know of ${effectId}: sf runs resolve ${runId} ${effectId} --status … --note …\n`,
    );
    expect(await home.run(saying(runId, effectId))).toStrictEqual({
      code: 0,
      out: `${effectId} is completed from now on, by your word
nobody drives ${runId}: sf runs resume ${runId} --pack … --model … takes it on\n`,
      err: "",
    });
    expect(await home.run(taking(runId))).toMatchObject({ code: 0, out: "went on\n" });
    expect(home.read("notes")).toBe("died of x\n");
    const { out } = await home.run(["runs", "show", runId]);
    expect(out).toContain("\n    then      found out later by operator: completed\n");
    expect(await home.run(saying(runId, effectId))).toMatchObject({
      code: 1,
      err: expect.stringContaining(
        `error not_found: ${runId} has no effect ${effectId} of which nobody knows what became: it has none\n`,
      ),
    });
    expect((await home.run(["trace", "verify"])).code).toBe(0);
  });

  test("is not decided behind the run's back: sf effects says how it is", async () => {
    const { home, runId, effectId } = await stuckRun();
    const how = `sf runs resolve ${runId} ${effectId} --status … --note …`;
    expect((await home.run(["effects", "ls"])).out).toContain(`whether it happened, then: ${how}\n`);
    const word = ["--status", "failed", "--note", "no"];
    expect(await home.run(["effects", "resolve", effectId, ...word])).toMatchObject({
      code: 1,
      out: "",
      err: `error invalid_transition: ${effectId} is of ${runId}, which has not ended and goes on by what is decided: ${how}\n`,
    });
    expect((await home.run(["runs", "cancel", runId])).out).toBe(
      `${runId} is cancelled; of ${effectId} nobody knows what became\n`,
    );
    expect((await home.run(["effects", "resolve", effectId, ...word])).code).toBe(0);
    expect((await home.run(["effects", "ls"])).out).toMatch(/^none: /);
    expect((await home.run(["trace", "verify"])).code).toBe(0);
  });

  test("in a place that was named: how it is decided names that place, too", async () => {
    const { home, runId, effectId } = await stuckRun("data");
    const how = `sf runs resolve ${runId} ${effectId} --status … --note … --data ${home.path("data")}`;
    const word = ["--status", "failed", "--note", "no", "--data", "data"];
    const { err, out } = await home.run(["effects", "resolve", effectId, ...word, "--json"]);
    expect(err).toContain(`goes on by what is decided: ${how}\n`);
    expect((JSON.parse(out) as { error: { message: string } }).error.message).toContain(`: ${how}`);
  });

  test("is decided through the process that drives the run, which then goes on", async () => {
    const { home, runId, effectId } = await stuckRun();
    const driver = home.start(taking(runId, "--wait-for-approval"));
    await driver.says("is driven here");
    const { code, out, err } = await home.run(saying(runId, effectId));
    expect({ code, out, err }).toStrictEqual({
      code: 0,
      out: `${effectId} is completed from now on, by your word\nthe process that drives ${runId} goes on by it\n`,
      err: `another process drives ${runId}: it was left for that one, which is waited for\n`,
    });
    expect(await driver.ended).toMatchObject({ code: 0, out: "went on\n" });
  });

  test.each([
    ["no effect's id", ["x"]],
    ["an id that could drive a terminal", ["eff_\u001b[2J00000000"]],
  ])("%s is bad usage, and is not repeated", async (_, [given = ""]) => {
    expect(await new Home().run(saying("run_00000000", given))).toMatchObject({
      code: 2,
      err: "error invalid_input: that is no effect id: one is eff_ and all that follows, as sf runs show shows it\n",
    });
  });
});
