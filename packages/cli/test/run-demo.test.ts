// `sf run --demo`: no key, no network, no configuration; at a terminal and without one, as real processes.
import { expect, test } from "vitest";
import { approvalIdIn, runIdIn } from "../test-data/run-scripts.ts";
import { Home } from "../test-data/run-sf.ts";
import { hasTerminals, startAtTerminal } from "../test-data/terminal-process.ts";

/** What somebody may have set up for their own runs, all of it wrong here. */
const setUp = {
  SF_API_URL: "http://127.0.0.1:1",
  SF_API_KEY: `sf_live_${"x".repeat(32)}`,
  SF_STORE: "postgres://nobody@127.0.0.1:1/none",
  SF_MODEL: "openai:none@http://127.0.0.1:1",
};

test("without a terminal it rests at its one order, and what it tells to do then completes it", async () => {
  const home = new Home(setUp);
  const { code, out, err } = await home.runBinary(["run", "--demo"]);
  expect({ code, out }).toStrictEqual({ code: 4, out: "" });
  const calls = [...err.matchAll(/^ *((?:\S+: )+)(?:completed|asked)/gm)].map(([, whose]) => whose);
  expect(calls).toStrictEqual([
    "subagent.researcher: markets.search: ",
    "subagent.researcher: market.inspect: ",
    "subagent.researcher: world.read: ",
    "subagent.researcher: ",
    "subagent.researcher: ",
    "paper.order: ",
  ]);
  const [runId, id] = [runIdIn(err), approvalIdIn(err)];
  expect(err).toContain(`  to approve it: sf approvals approve ${id}\n`);
  expect(err).toContain(`  then it goes on: sf runs resume ${runId} --demo\n`);
  // Nothing but the demo is without what was set up.
  const own = { ...home.env, SF_STORE: "", SF_API_URL: "" };
  const approved = await home.run(["approvals", "approve", id], { env: own });
  expect(approved.code).toBe(0);
  // Whoever tells how it goes on knows what it is.
  const resume = `sf runs resume ${runId} --demo\n`;
  expect(approved.out).toContain(resume);
  expect((await home.run(["runs", "ls"], { env: own })).out).toContain(resume);
  const shown = await home.run(["runs", "show", runId, "--wide"], { env: own });
  expect(shown.out).toContain("\nobjective Find out what the markets make of the rain. ");
  expect(shown.out).toContain(resume);
  const resumed = await home.runBinary(["runs", "resume", runId, "--demo"]);
  expect(resumed.code).toBe(0);
  expect(resumed.out).toMatch(
    /\nBought on paper, as a person approved: \d of 5, for \d+ cents; .*\nAll of it is/,
  );
  expect((await home.run(["trace", "verify", runId], { env: own })).code).toBe(0);
}, 180_000);

test("killed in the midst of its researcher, it goes on from there", async () => {
  const home = new Home();
  const started = home.start(["run", "--demo"]);
  await started.says("  subagent.researcher: markets.search: completed");
  started.child.kill("SIGKILL");
  const before = (await started.ended).err;
  const { code, err } = await home.runBinary(["runs", "resume", runIdIn(before), "--demo"]);
  expect(code).toBe(4);
  // How far it came before the signal is the machine's matter; that no call of it is made again is not.
  const told = `${before}${err}`;
  const calls = [...told.matchAll(/researcher: (\S+\.\S+): completed/g)];
  const names = calls.map(([, name]) => name);
  expect(names).toStrictEqual([...new Set(names)]);
  expect(names).toContain("markets.search");
  expect(told).toMatch(/\n {2}subagent\.researcher: completed; [^]*\nwaiting: paper\.order, /);
}, 180_000);

test.skipIf(!hasTerminals)(
  "at a terminal it asks, and goes on with what is answered there (needs script)",
  async () => {
    const home = new Home();
    const started = startAtTerminal(home, ["run", "--demo"]);
    // Before it is asked: nobody is approved by that.
    started.child.stdin.write("approve\n");
    await started.says("or later? ");
    expect(started.said).toMatch(/\ninput {5}\{\r\n {12}"action": "buy",\r\n/);
    started.child.stdin.write("perhaps\n");
    await started.says("is told to the model\r\npaper.order: approve, deny (and why), or later? ");
    started.child.stdin.write("deny not today\n");
    const { code, out } = await started.ended;
    expect(code).toBe(0);
    expect(out).toMatch(/paper\.order: appr_\S+ is denied\r\nstep 3\r\n/);
    expect(out).toMatch(/ {2}│ Nothing was bought: .*not today.*\r\n/);
  },
  180_000,
);
