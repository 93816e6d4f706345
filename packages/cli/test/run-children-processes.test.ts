// Runs with subagents as real processes: told to stop, and killed while a child waits for a person.
import { expect, onTestFinished, test } from "vitest";
import { add, family, familyPack, start } from "../test-data/family-home.ts";
import { approvalIdIn, runIdIn } from "../test-data/run-scripts.ts";
import { Home, type Started } from "../test-data/run-sf.ts";

function started(home: Home, argv: readonly string[]): Started {
  const process = home.start(argv);
  onTestFinished(() => void process.child.kill("SIGKILL"));
  return process;
}

test("Ctrl-C ends the children first, and waits for them", async () => {
  const home = new Home();
  const rogue = [[{ name: "unruly.wait", args: {} }]];
  const argv = await family(home, { parent: [[start("rogue")]], rogue });
  home.write("policy.json", {
    maxSideEffect: "user_write",
    maxCostEffect: "llm_cost",
    approvals: { requireForSideEffectAtOrAbove: "secret" },
  });
  const process = started(home, argv);
  await process.says("unruly.wait: waiting");
  process.child.kill("SIGINT");
  const { code, err } = await process.ended;
  expect(code).toBe(130);
  expect(err).toMatch(
    new RegExp(`
  subagent\\.rogue: unruly\\.wait: allowed, and begun; side effect user_write, cost none
  subagent\\.rogue: unruly\\.wait: waiting
cancelling: what has begun is seen to its end; a second Ctrl-C leaves at once
  subagent\\.rogue: unruly\\.wait: cancelled: .*
  subagent\\.rogue: cancelled; 1 step, 1 call, .*
subagent\\.rogue: cancelled: .*
error cancelled: .*
run_\\S+  cancelled; 2 steps, 2 calls, 1 subagent, `),
  );
});

test("killed while a child waits for a person, it goes on with the answer, and the deed is done once", async () => {
  const home = new Home();
  const argv = await family(home, { parent: [[start("writer")], "done"], writer: [[add("milk")], "added"] });
  const { err } = await home.run(argv);
  const [runId, id] = [runIdIn(err), approvalIdIn(err)];
  const resume = ["runs", "resume", runId, "--pack", familyPack, ...argv.slice(4, 6)];
  const driving = started(home, [...resume, "--wait-for-approval"]);
  await driving.says(`to approve it: sf approvals approve ${id}`);
  driving.child.kill("SIGKILL");
  await driving.ended;
  expect((await home.run(["approvals", "approve", id])).code).toBe(0);
  const ended = await home.run(resume);
  expect({ code: ended.code, out: ended.out }).toStrictEqual({ code: 0, out: "done\n" });
  expect(home.read("notes").trimEnd().split("\n")).toHaveLength(1);
  expect((await home.run(["trace", "verify"])).code).toBe(0);
});
