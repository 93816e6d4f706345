import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { openSqliteStore } from "../store/index.ts";
import { dataFolder } from "../../test/data-folder.ts";
import { openToolRoot } from "./tool-root.ts";

afterEach(() => void vi.unstubAllEnvs());

function folders(): { readonly base: string; readonly inner: string } {
  const base = dataFolder();
  mkdirSync(join(base, "inner"));
  return { base, inner: join(base, "inner") };
}

describe("B17: a root and what the program keeps have nothing in common", () => {
  test("a folder that was named", () => {
    const { base, inner } = folders();
    expect(() => openToolRoot({ root: base, apart: [inner] })).toThrow(/lie in each other/);
    expect(() => openToolRoot({ root: inner, apart: [base] })).toThrow(/lie in each other/);
    expect(() => openToolRoot({ root: inner, apart: [inner] })).toThrow(/lie in each other/);
    expect(() => openToolRoot({ root: inner, apart: [join(base, "in")] })).not.toThrow();
  });

  test("by a link, too", () => {
    const { base, inner } = folders();
    const link = join(dataFolder(), "link");
    symlinkSync(inner, link);
    expect(() => openToolRoot({ root: link, apart: [base] })).toThrow(/lie in each other/);
    expect(() => openToolRoot({ root: base, apart: [link] })).toThrow(/lie in each other/);
  });

  test.each(["XDG_CONFIG_HOME", "XDG_DATA_HOME"])("where the program keeps its things by %s", (variable) => {
    const { base } = folders();
    vi.stubEnv(variable, base);
    vi.stubEnv("SF_DATA", "");
    const root = openToolRoot({ root: base });
    mkdirSync(join(base, "simplefunctions"));
    expect(() => root.requireApart()).toThrow(/lie in each other/);
    expect(() => openToolRoot({ root: join(base, "simplefunctions") })).toThrow(/lie in each other/);
  });

  test("what SF_DATA names", () => {
    const { base, inner } = folders();
    vi.stubEnv("SF_DATA", inner);
    expect(() => openToolRoot({ root: base })).toThrow(/lie in each other/);
  });

  test("a store that this process opened, also after the root", async () => {
    const { base, inner } = folders();
    const root = openToolRoot({ root: base });
    const store = await openSqliteStore({ folder: inner });
    try {
      expect(() => root.requireApart()).toThrow(/lie in each other/);
      expect(() => openToolRoot({ root: inner })).toThrow(/lie in each other/);
    } finally {
      await store.close();
    }
  });
});

test.each([
  ["nothing", "", "the path of a folder"],
  ["a NUL", "a\0b", "the path of a folder"],
  ["no folder", "/nowhere/at/all", "there is no folder"],
])("a root that is %s is refused", (_, root, why) => {
  expect(() => openToolRoot({ root })).toThrow(why);
});

test("a file is no root", () => {
  const file = join(dataFolder(), "file");
  writeFileSync(file, "");
  expect(() => openToolRoot({ root: file })).toThrow("there is no folder");
});

test("a root whose path has come to lead elsewhere, by itself or by a folder that it lies in, is none until it is put back", () => {
  const { base, inner } = folders();
  mkdirSync(join(inner, "root"));
  const other = dataFolder();
  mkdirSync(join(other, "root"));
  const { requireApart } = openToolRoot({ root: join(inner, "root") });
  for (const path of [join(inner, "root"), inner]) {
    renameSync(path, join(base, "aside"));
    symlinkSync(path === inner ? other : join(other, "root"), path);
    expect(requireApart).toThrow(expect.objectContaining({ details: { reason: "no_root" } }));
    rmSync(path);
    renameSync(join(base, "aside"), path);
    expect(requireApart).not.toThrow();
  }
});
