// The start of a platform, as the real program and in processes of its own.
import { execFile, spawn } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { bareEnv, Home, routedPack, Started } from "../test-data/run-sf.ts";
import { isHeld, verified } from "../test-data/run-up.ts";

const startScript = join(import.meta.dirname, "../../../scripts/start.mjs");
const run = promisify(execFile);

test("of two that start at once one is up, the other asks it and exits with 0, and the keys are shown once", async () => {
  const home = new Home();
  const both = [home.start(["up", "--port", "0"]), home.start(["up", "--port", "0"])];
  onTestFinished(() => both.forEach(({ child }) => void child.kill("SIGKILL")));
  const asking = await Promise.race(both.map(async (one) => ({ one, ran: await one.ended })));
  const up = both.find((one) => one !== asking.one);
  expect(asking.ran.code).toBe(0);
  expect(asking.ran.out).toContain(` (process ${up?.child.pid}, which has this data folder)\n`);
  up?.child.kill("SIGTERM");
  const { code, out } = (await up?.ended) ?? {};
  expect([code, out?.match(/shown this once/g)?.length, asking.ran.out.includes("sf_live_")]).toStrictEqual([
    0,
    2,
    false,
  ]);
});

test("a folder that `sf call` has is refused, with the process that has it", async () => {
  const home = new Home();
  home.write("policy.json", { maxSideEffect: "user_write" });
  const input = JSON.stringify({ file: home.path("let-go") });
  const law = ["--pack", routedPack, "--policy", "policy.json", "--data", ".sf"];
  const call = home.start(["call", "routed.hold", ...law, "--input", input]);
  onTestFinished(() => void call.child.kill("SIGKILL"));
  await isHeld(home);
  expect(await home.run(["up", "--port", "0", "--wait", "0"])).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringMatching(
      `^error host_configuration_needed: .*/\\.sf is driven by process ${call.child.pid}, and one process at a time drives a folder\\. Answer what it may wait for `,
    ),
  });
  home.write("let-go", "");
  expect((await call.ended).code).toBe(0);
});

/** `npm start`, without npm. */
function npmStart(home: Home, argv: readonly string[], env: Readonly<Record<string, string>> = {}): Started {
  const child = spawn(process.execPath, ["--conditions=source", startScript, ...argv], {
    cwd: home.folder,
    env: { ...bareEnv, ...home.env, ...env },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return new Started(child);
}

const commandsIn = (out: string) => out.match(/(?<=^ {2})curl .*/gm) ?? [];

describe("npm start", () => {
  test("prints three commands that a shell runs as they stand, also where a path has quotes and spaces", async () => {
    const home = new Home();
    const odd = { HOME: home.path('it\'s $HOME `x` "here"') };
    mkdirSync(odd.HOME);
    const up = npmStart(home, ["--port", "0"], odd);
    await up.says("Ctrl-C stops it.");
    const answers = await Promise.all(
      commandsIn(up.said).map(
        async (command) => JSON.parse((await run("sh", ["-c", command])).stdout) as unknown,
      ),
    );
    expect(answers).toMatchObject([
      { mode: "implemented", tools: expect.any(Array) },
      { ok: true, data: { synthetic: true, movers: expect.any(Array) } },
      { ok: false, error: { code: "policy_denied", details: { verdict: { outcome: "deny" } } } },
    ]);
    up.child.kill("SIGINT");
    expect(await up.ended).toMatchObject({ code: 0, err: "" });
  });

  test("-- --once shows the same, leaves a journal that is ok, and exits with 0", async () => {
    const home = new Home();
    const { code, out, err } = await npmStart(home, ["--port", "0", "--once"]).ended;
    expect([code, err, commandsIn(out).length]).toStrictEqual([0, "", 3]);
    expect(out).toMatch(/^SimpleFunctions is up at http:/);
    expect(out).toMatch(/\nstopped; everything is kept in .*\n$/);
    expect(readdirSync(home.path(".sf"))).toStrictEqual([".gitignore", "simplefunctions.db"]);
    expect(await verified(home)).toBe("ok: the journal of local, 1 segment, 1 signed by a known key");
  });
});

test.each([40, 200])(
  "a disk with room for %d blocks is too small, which is told; the next start with room works and shows the keys",
  async (blocks) => {
    const home = new Home();
    // No file may grow beyond this: while the database is made, and when something is written to it.
    const script = `ulimit -f ${blocks}; exec "$0" --conditions=source ${startScript} --once --port 0`;
    const child = spawn("sh", ["-c", script, process.execPath], {
      cwd: home.folder,
      env: { PATH: process.env.PATH, ...home.env },
    });
    const { code, out, err } = await new Started(child).ended;
    expect([code, out]).toStrictEqual([1, ""]);
    expect(err).toMatch(/^error (?:host_configuration_needed|journal_append_failed): .*has room.*\n$/);
    const next = await home.run(["up", "--once", "--port", "0"]);
    expect([next.code, next.out.match(/shown this once/g)?.length]).toStrictEqual([0, 2]);
  },
);
