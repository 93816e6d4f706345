import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { holderIn, isDead, thisProcess } from "./driver-holder.ts";

const here = thisProcess();
const linux = process.platform === "linux";

test("this process is not dead, and is the same when asked again but for its token", () => {
  expect(isDead(here, here)).toBe(false);
  expect({ ...thisProcess(), token: here.token }).toStrictEqual(here);
  expect(thisProcess().token).not.toBe(here.token);
});

test("a holder of another boot is dead, whatever its pid is now", () => {
  expect(isDead({ ...here, bootId: "another" }, { ...here, bootId: "this" })).toBe(true);
});

test("of a holder in another pid namespace nothing is known, so it is not dead", () => {
  const elsewhere = { ...here, pid: 2 ** 22 + 1, pidNamespace: "pid:[1]" };
  expect(isDead(elsewhere, { ...here, pidNamespace: "pid:[2]" })).toBe(false);
});

test("a holder whose process has ended is dead", async () => {
  const child = spawn(process.execPath, ["-e", ""]);
  await once(child, "exit");
  expect(isDead({ ...here, pid: Number(child.pid) }, here)).toBe(true);
});

test.runIf(linux)("a pid that was given to another process does not make its holder live", () => {
  expect(isDead({ ...here, startTime: "1" }, here)).toBe(true);
  const { startTime: _, ...unknownStart } = here;
  expect(isDead(unknownStart, here)).toBe(false);
});

test.runIf(linux)("a process that was killed and not yet asked about by its parent is dead", async () => {
  // The shell becomes `sleep`, which never asks how its child ended; before that, it might.
  const parent = spawn("sh", ["-c", "sleep 60 & echo $!; exec sleep 60"]);
  onTestFinished(() => void parent.kill("SIGKILL"));
  const [said] = (await once(parent.stdout, "data")) as [Buffer];
  const pid = Number(said.toString());
  await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, "utf8")).toBe("sleep\n");
  process.kill(pid, "SIGKILL");
  const stat = () => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  await expect.poll(() => stat()[0]).toBe("Z");
  expect(isDead({ ...here, pid, startTime: stat()[19] ?? "" }, here)).toBe(true);
});

test("a holder is read back as written, and what is no holder is none", () => {
  expect(holderIn(JSON.stringify(here))).toStrictEqual(here);
  for (const text of ["", "{", "null", "[]", "{}", '{"pid":0}', '{"pid":-1}', '{"pid":"1"}', '{"pid":1.5}'])
    expect(holderIn(text)).toBeUndefined();
});
