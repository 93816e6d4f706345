// The program as a clone has it that nobody has built: found in node_modules/.bin, by whatever Node is first in the path.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { Home, notesPack } from "../test-data/run-sf.ts";

test("sf runs from its sources where it is not built, and so do packs that use ours", () => {
  const home = new Home();
  const here = join(import.meta.dirname, "..");
  const clone = home.path("cli");
  mkdirSync(clone);
  for (const name of ["bin", "package.json"])
    cpSync(join(here, name), join(clone, name), { recursive: true });
  symlinkSync(join(here, "src"), join(clone, "src"));
  const argv = ["explain", "notes.read", "--pack", notesPack, "--json"];
  const said = execFileSync(process.execPath, [join(clone, "bin/sf.mjs"), ...argv], {
    env: { ...home.env, NODE_OPTIONS: "" },
    cwd: home.folder,
    encoding: "utf8",
  });
  expect(JSON.parse(said)).toMatchObject({ outcome: "unchecked" });
});
