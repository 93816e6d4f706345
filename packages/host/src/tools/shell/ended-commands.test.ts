// A command ends: by itself, when its time is over, when it is cancelled, when it prints too much, or with the process that started it.
// However it ends, nothing of it is left.
import { execFileSync, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { expect, test } from "vitest";
import { describeSandbox } from "../../../test/describe-sandbox.ts";
import { inTurn } from "../../../test/in-turn.ts";
import { processesWith, shellDesk } from "../../../test/shell-desk.ts";
import type { ShellOrder } from "../../../test/shell-process.ts";
import { lookAtProgram } from "./locate-program.ts";
import { openSandbox } from "./sandbox-state.ts";
import { startSandbox } from "./start-sandbox.ts";

let marks = 0;
/** A word that no other process has. */
const newMark = () => `mark${process.pid}x${(marks += 1)}`;

/** Text that a pattern with back-references fits in very many ways, and in none of them to its end. */
const slowLine = `${"a".repeat(200)}b${"a".repeat(199)}x\n`;
const slow = (mark: string) => `grep -E '^(a*)(a*)(a*)b\\1\\2\\3.$' slow ${mark}`;

const left = (mark: string) => processesWith(mark, readdirSync("/proc"));

async function until(isTrue: () => boolean): Promise<boolean> {
  const end = performance.now() + 10_000;
  while (!isTrue() && performance.now() < end) await after(10);
  return isTrue();
}

test.each([
  ["there is no program", "/nowhere/bwrap", [], "ENOENT"],
  ["it may not be run", "/etc/passwd", [], "EACCES"],
  ["its arguments are too long", "/bin/true", ["x".repeat(2 ** 20)], "E2BIG"],
])("a sandbox that cannot be spawned says why: %s", async (_, bwrap, words, why) => {
  const started = startSandbox(bwrap, words, { outputBytes: 10 });
  await started.heard;
  started.stop();
  expect(await started.ended).toEqual({ failure: expect.stringContaining(why), cause: expect.any(Error) });
});

describeSandbox("a command ends", () => {
  test("when its time is over, with what it had printed", async () => {
    const mark = newMark();
    const { root, run } = shellDesk({ files: { quick: "quick\n" } });
    // Nobody ever writes to it.
    execFileSync("mkfifo", [join(root, mark)]);
    const { durationMs, ...result } = await run(`cat quick ${mark}`, { timeout_s: 1 });
    expect(result).toEqual({
      exitCode: null,
      stdout: "quick\n",
      stderr: "",
      truncated: false,
      timedOut: true,
      sandbox: "full",
    });
    expect(durationMs).toBeGreaterThan(900);
    expect(left(mark)).toEqual([]);
  });

  test("before its call's own time is over, if that is sooner", async () => {
    const { run } = shellDesk({ files: { slow: slowLine } });
    const { timedOut } = await run(slow(newMark()), { timeout_s: 120, timeoutMs: 900 });
    expect(timedOut).toBe(true);
  });

  test("when it is cancelled, also before it has begun", async () => {
    const { run } = shellDesk({ files: { slow: slowLine } });
    const mark = newMark();
    const cancel = new AbortController();
    const ended = run(slow(mark), { signal: cancel.signal });
    ended.catch(() => undefined);
    expect(await until(() => left(mark).length > 1)).toBe(true);
    cancel.abort();
    await expect(ended).rejects.toMatchObject({ code: "cancelled" });
    expect(left(mark)).toEqual([]);
    await expect(run("ls", { signal: cancel.signal })).rejects.toMatchObject({ code: "cancelled" });
  });

  test("when it prints too much, at the end of a character", async () => {
    const { root, run } = shellDesk({ limits: { outputBytes: 1000 } });
    writeFileSync(join(root, "big"), "漢".repeat(1_000_000));
    writeFileSync(join(root, "fits"), "a".repeat(1000));
    expect(await run("cat big")).toMatchObject({
      exitCode: null,
      stdout: "漢".repeat(333),
      truncated: true,
      timedOut: false,
    });
    expect(await run("cat fits")).toMatchObject({ exitCode: 0, stdout: "a".repeat(1000), truncated: false });
    const names = Array.from({ length: 100 }, (_, at) => `nowhere${at}`).join(" ");
    expect(await run(`ls ${names}`)).toMatchObject({ exitCode: null, stdout: "", truncated: true });
  });

  test("when it wants too much memory", async () => {
    const { root, run } = shellDesk({ limits: { memoryBytes: 64 * 2 ** 20, tmpBytes: 2 ** 20 } });
    writeFileSync(join(root, "line"), Buffer.alloc(100 * 2 ** 20, "a"));
    expect(await run("grep -c b line")).toMatchObject({ exitCode: 2, stderr: "grep: memory exhausted\n" });
    expect(await run("sort -S 512M line")).toMatchObject({ exitCode: 2 });
  });

  test("when it has used its time on the processor", async () => {
    const { run } = shellDesk({ files: { slow: slowLine }, limits: { cpuS: 1 } });
    expect(await run(slow(newMark()), { timeout_s: 20 })).toMatchObject({ exitCode: 137, timedOut: false });
  });

  test("at whichever moment it is stopped, and nothing is left", async () => {
    const { root } = shellDesk({ files: { x: "x" } });
    const sandbox = await openSandbox();
    if (!("start" in sandbox)) throw new Error(sandbox.reason);
    const program = await lookAtProgram("tail", "/usr/bin/tail");
    await inTurn(Array.from({ length: 40 }).keys(), async (at) => {
      const mark = newMark();
      const started = sandbox.start({ root, program, words: ["-f", "x", mark], timeoutS: 20 });
      await after((at % 20) / 2);
      started.stop();
      expect(await started.ended).toMatchObject({ exitCode: null });
      expect(left(mark)).toEqual([]);
    });
  });

  test("with the process that started it, though that is killed", async () => {
    const { root } = shellDesk({ files: { slow: slowLine } });
    const mark = newMark();
    const child = fork(join(import.meta.dirname, "../../../test/shell-process.ts"), {
      execArgv: ["--conditions=source", "--disable-warning=ExperimentalWarning"],
    });
    expect((await once(child, "message"))[0]).toMatchObject({ state: "full" });
    child.send({ root, commands: Array.from({ length: 4 }, () => slow(mark)) } satisfies ShellOrder);
    // Each is a bwrap, what limits the command, and the command.
    expect(await until(() => left(mark).length === 12)).toBe(true);
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await until(() => left(mark).length === 0)).toBe(true);
  });

  test("by its own clock where nobody is left to end it", async () => {
    const { root } = shellDesk({ files: { x: "x" } });
    const sandbox = await openSandbox();
    if (!("start" in sandbox)) throw new Error(sandbox.reason);
    const program = await lookAtProgram("tail", "/usr/bin/tail");
    const started = sandbox.start({ root, program, words: ["-f", "x"], timeoutS: 1 });
    expect(await started.ended).toEqual({ exitCode: 137, stdout: "x", stderr: "", truncated: false });
  });

  test("that could not be started was not: a root that is gone is said", async () => {
    const { run } = shellDesk();
    const gone = shellDesk();
    rmSync(gone.root, { recursive: true });
    await expect(gone.run("ls")).rejects.toMatchObject({
      code: "sandbox_denied",
      details: { reason: "sandbox_failed" },
    });
    expect((await run("ls")).exitCode).toBe(0);
  });
});
