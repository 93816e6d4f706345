import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { isThere, processMark } from "./process-mark.ts";

test("a process is there by its number and its mark; one that ended, or has another's number, is not", () => {
  const { pid } = process;
  const gone = spawnSync(process.execPath, ["-e", ""]).pid;
  expect([
    isThere(pid, processMark(pid)),
    isThere(pid, "another boot 1"),
    isThere(gone, processMark(gone)),
    processMark(pid) === processMark(process.ppid) && processMark(pid) !== undefined,
  ]).toStrictEqual([true, false, false, false]);
});

test.runIf(process.platform === "linux")(
  "nor is one that was killed, and whose parent has not asked for its end",
  async () => {
    // What it becomes never asks.
    const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    onTestFinished(() => void parent.kill("SIGKILL"));
    const [said] = (await once(parent.stdout, "data")) as [Buffer];
    await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8")).toBe("sleep\n");
    const pid = Number(said);
    const mark = processMark(pid);
    expect(isThere(pid, mark)).toBe(true);
    process.kill(pid, "SIGKILL");
    await expect.poll(() => isThere(pid, mark)).toBe(false);
    expect(existsSync(`/proc/${pid}`)).toBe(true);
  },
);

// As nobody, for whom every process is somebody else's.
test.skipIf(process.getuid?.() !== 0)("S1: another person's process is none that a key is sent to", () => {
  const module = new URL("process-mark.ts", import.meta.url).href;
  const asked = (uid: number) => {
    const script = `import { isThere, processMark } from ${JSON.stringify(module)};
      process.setuid(${uid});
      console.log(isThere(${process.pid}, processMark(${process.pid})));`;
    return spawnSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" })
      .stdout;
  };
  expect([asked(0), asked(65_534)]).toStrictEqual(["true\n", "false\n"]);
});
