import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
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
