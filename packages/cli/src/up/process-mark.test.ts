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
