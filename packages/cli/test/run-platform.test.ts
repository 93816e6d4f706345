// `sf run` over the tools of a platform: judged on both sides, and asked about by either.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { approvalIdIn, bounded, runIdIn, running, saying, withPolicy } from "../test-data/run-scripts.ts";
import { Home, notesPack, routedPack } from "../test-data/run-sf.ts";
import { keyPath, startUp, type Up } from "../test-data/run-up.ts";

const upArgs = ["--port", "0", "--no-markets", "--pack", routedPack];
const adding = { toolCalls: [{ name: "routed.add", args: { text: "milk" } }] };
const steps = [adding, saying("done")];
const lifted = {
  ...bounded,
  maxSideEffect: "user_write",
  approvals: { requireForSideEffectAtOrAbove: "secret" },
} as const;

async function house(): Promise<{ readonly home: Home; readonly up: Up }> {
  const home = new Home();
  return { home, up: await startUp(home, upArgs) };
}

/** A run over the platform, under a policy that asks nobody about it. */
function asking(home: Home, ...more: readonly string[]): string[] {
  const argv = running(home, steps, ...withPolicy, ...more);
  home.write("policy.json", lifted);
  return argv.filter((word) => word !== "--pack" && word !== notesPack);
}

describe("sf run over a platform", () => {
  test("calls the tools of the one that is up here, with what its key lends the run", async () => {
    const { home, up } = await house();
    const { code, out, err } = await home.run(asking(home, "--tools", "routed.add"));
    expect({ code, out }).toStrictEqual({ code: 0, out: "done\n" });
    expect(err).toContain(` of the platform ${up.url}: routed.add\n`);
    expect(home.read("notes")).toBe("milk\n");
    // On record on both sides: there as a run's, and not as its starter's.
    const there = await home.run(["trace", "show", "--json", await lastSegment(home)]);
    expect(there.out).toContain('"kind": "run"');
    expect((await home.run(["runs", "show", runIdIn(err)])).out).toContain(
      "where     " + home.path("home/.local/share/simplefunctions/agent"),
    );
  });

  test("at an address, with a key, from anywhere", async () => {
    const { home, up } = await house();
    const other = new Home({
      SF_API_URL: up.url,
      SF_API_KEY: readFileSync(keyPath(home, "starter"), "utf8").trim(),
    });
    expect(await other.run(asking(other))).toMatchObject({ code: 0, out: "done\n" });
    // The platform runs in this process, and has the notes of whoever is at work there.
    expect(other.read("notes")).toBe("milk\n");
    const without = new Home();
    expect((await without.run(asking(without, "--url", up.url))).code).toBe(3);
  });

  // proves RUN-13.3
  test("what the platform itself asks is said to be answered there, and then it goes on", async () => {
    const { home, up } = await house();
    home.write("ask.json", { requireForSideEffectAtOrAbove: "user_write" });
    const made = await home.run([
      "keys",
      "create",
      "--name",
      "careful",
      "--scope",
      "write",
      "--scope",
      "read",
      "--approvals",
      "ask.json",
      "--output",
      "careful.key",
    ]);
    expect(made.code).toBe(0);
    const { code, err } = await home.run(asking(home, "--url", up.url, "--key-file", "careful.key"));
    expect(code).toBe(4);
    const [runId, id] = [runIdIn(err), approvalIdIn(err)];
    expect(err).toMatch(
      new RegExp(`  ${id} waits for an answer until .*, at the platform ${up.url}, which asks for itself
  to approve it: sf approvals approve ${id} --url ${up.url}
`),
    );
    expect(err).toContain(
      `  then it goes on: sf runs resume ${runId} --url ${up.url} --key-file careful.key --model scripted:script.json\n`,
    );
    expect((await home.run(["approvals", "approve", id, "--url", up.url])).code).toBe(0);
    const resume = ["runs", "resume", runId, "--url", up.url, "--model", "scripted:script.json"];
    // With another key it would be another caller.
    expect(await home.run(resume)).toMatchObject({
      code: 3,
      err: expect.stringContaining(`${runId} was started by key_`),
    });
    expect(() => home.read("notes")).toThrow("ENOENT");
    expect(await home.run([...resume, "--key-file", "careful.key"])).toMatchObject({
      code: 0,
      out: "done\n",
    });
    expect(home.read("notes")).toBe("milk\n");
  });

  test("a run that waits here goes on over the same platform, with nothing said about its tools", async () => {
    const { home } = await house();
    // Which it may call at most is part of what it was started with.
    const argv = asking(home, "--tools", "routed.add");
    home.write("policy.json", { ...bounded, maxSideEffect: "user_write" });
    const { code, err } = await home.run(argv);
    expect(code).toBe(4);
    const resume = ["runs", "resume", runIdIn(err), "--model", "scripted:script.json"];
    expect(err).toContain(`  then it goes on: sf ${resume.join(" ")}\n`);
    expect((await home.run(["approvals", "approve", approvalIdIn(err)])).code).toBe(0);
    expect(await home.run(resume)).toMatchObject({ code: 0, out: "done\n" });
  });

  test("a demo beside a platform without markets says what it misses", async () => {
    const { home } = await house();
    expect(await home.run(["run", "--demo"])).toMatchObject({
      code: 1,
      err: expect.stringContaining("the platform that is up here has no markets, which the demo needs"),
    });
  });

  test("what is named as this side's folder is not the platform's own", async () => {
    const { home } = await house();
    expect(await home.run(asking(home, "--data", ".sf"))).toMatchObject({
      code: 2,
      err: expect.stringContaining(".sf is the platform's data folder"),
    });
  });
});

async function lastSegment(home: Home): Promise<string> {
  const { out } = await home.run(["trace", "ls", "--json", "--data", ".sf"]);
  const { segments } = JSON.parse(out) as { segments: { segment: string; calls: number }[] };
  return segments.findLast(({ calls }) => calls > 0)?.segment ?? "";
}
