// Whenever a process is killed, a file is the old one or the new one, whole.
import { readFileSync } from "node:fs";
import { once } from "node:events";
import { setTimeout as after } from "node:timers/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFileDesk } from "../../../test/file-desk.ts";
import { startFileProgram } from "../../../test/start-file-program.ts";

const temporary = /^\.sf-write-[0-9a-f]{32}\.tmp$/;

async function killSomewhere(root: string, overwrite: string, ms: number): Promise<void> {
  const { child } = await startFileProgram("write-until-killed.ts", [root, overwrite]);
  await after(ms);
  child.kill("SIGKILL");
  await once(child, "exit");
}

function requireWhole(text: string): void {
  const [line = ""] = text.split("\n", 1);
  expect(text).toBe(`${line}\n`.repeat(20_000));
}

test.each([3, 17])("killed after %i ms while it replaces a file", async (ms) => {
  const desk = openFileDesk();
  await killSomewhere(desk.root, "overwrite", ms);
  requireWhole(desk.textIn("file"));
  const left = desk.namesIn().filter((name) => name !== "file");
  expect(left.length).toBeLessThanOrEqual(1);
  for (const name of left) expect(name).toMatch(temporary);
});

test("killed while it makes new ones", async () => {
  const desk = openFileDesk();
  await killSomewhere(desk.root, "new", 11);
  const names = desk.namesIn();
  expect(names.filter((name) => temporary.test(name)).length).toBeLessThanOrEqual(1);
  for (const name of names.filter((one) => !temporary.test(one)))
    requireWhole(readFileSync(join(desk.root, name), "utf8"));
});
