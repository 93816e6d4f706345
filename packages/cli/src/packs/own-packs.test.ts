import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { Home } from "../../test-data/run-sf.ts";

test("files of a folder, by --pack fs:<folder>", async () => {
  const home = new Home();
  mkdirSync(home.path("notes"));
  home.write("notes/today.md", "open on Sundays");
  const call = (...more: string[]) => home.run(["call", "fs.read_text", ...more]);
  const read = await call("--pack", "fs:notes", "--input", '{"path":"today.md"}', "--json");
  expect(read.code).toBe(0);
  expect(JSON.parse(read.out)).toMatchObject({ output: { text: "open on Sundays" } });
  const outside = await call("--pack", "fs:notes", "--input", '{"path":"../policy.json"}');
  expect(outside).toMatchObject({ code: 3, err: expect.stringContaining("leads out of the root") });
  expect(await call("--pack", "fs:nowhere", "--input", "{}")).toMatchObject({
    code: 1,
    err: expect.stringContaining("there is no folder"),
  });
});

test("a folder that holds what sf itself keeps is none", async () => {
  const home = new Home();
  mkdirSync(home.path("notes"));
  home.write("notes/today.md", "open on Sundays");
  await home.run(["call", "fs.list_dir", "--pack", "fs:notes", "--data", "data"]);
  const own = await home.run(["call", "fs.list_dir", "--pack", "fs:.", "--data", "data"]);
  expect(own).toMatchObject({ code: 1, err: expect.stringContaining("lie in each other") });
});

test("commands and pages are there, and are nobody's to use without being told", async () => {
  const home = new Home();
  mkdirSync(home.path("notes"));
  home.write("notes/today.md", "open on Sundays");
  const packs = ["--pack", "shell:notes", "--pack", "http"];
  const exec = await home.run(["call", "shell.exec", ...packs, "--input", '{"cmd":"ls"}']);
  expect(exec).toMatchObject({ code: 3, err: expect.stringContaining("max.sideEffect") });
  const get = await home.run(["call", "http.get", ...packs, "--input", '{"url":"https://example.com/"}']);
  expect(get).toMatchObject({ code: 3, err: expect.stringContaining("net:example.com") });
});
