import { linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type FileDesk, openFileDesk, refusalOf, stateHere } from "../../../test/file-desk.ts";
import { reconcileWrite } from "./reconcile-write.ts";
import { temporaryName } from "./write-target.ts";

const context = { signal: new AbortController().signal, effectId: "eff_1" };
const temporary = temporaryName("eff_1");

function ask({ sandbox }: FileDesk, overwrite: boolean, path = "a/b") {
  return reconcileWrite(sandbox, { path, text: "new", overwrite }, context);
}

function put(desk: FileDesk, name: string, text: string): void {
  mkdirSync(join(desk.root, "a"), { recursive: true });
  writeFileSync(join(desk.root, "a", name), text);
}

const completed = { status: "completed", output: { path: "a/b", bytes: 3, sandbox: stateHere } };

describe("what became of a write whose end nobody saw", () => {
  test.each([true, false])(
    "the text is there: it is what the write would have said (overwrite %s)",
    async (o) => {
      const desk = openFileDesk();
      put(desk, "b", "new");
      expect(await ask(desk, o)).toStrictEqual(completed);
    },
  );

  test.each([
    [false, "failed"],
    [true, "unknown"],
  ])("nothing is there, with overwrite %s: %s", async (overwrite, status) => {
    const desk = openFileDesk();
    expect(await ask(desk, overwrite)).toStrictEqual({ status });
    mkdirSync(join(desk.root, "a"));
    expect(await ask(desk, overwrite)).toStrictEqual({ status });
  });

  test.each([true, false])("another text is there, with overwrite %s: nobody knows", async (overwrite) => {
    for (const text of ["old", "newer", "ne", ""]) {
      const desk = openFileDesk();
      put(desk, "b", text);
      expect(await ask(desk, overwrite)).toStrictEqual({ status: "unknown" });
    }
  });

  test("it was about to replace something: it has not, it cannot any more, and nothing is left of it", async () => {
    const desk = openFileDesk();
    put(desk, "b", "old");
    put(desk, temporary, "ne");
    expect(await ask(desk, true)).toStrictEqual({ status: "failed" });
    expect(desk.namesIn("a")).toStrictEqual(["b"]);
    expect(desk.textIn("a/b")).toBe("old");
  });

  test("it had its name and still the other one: it is completed, and can be read", async () => {
    const desk = openFileDesk();
    put(desk, temporary, "new");
    linkSync(join(desk.root, "a", temporary), join(desk.root, "a/b"));
    expect(await refusalOf(desk.read("a/b"))).toBe("sandbox_denied hard_link");
    expect(await ask(desk, false)).toStrictEqual(completed);
    expect((await desk.read("a/b")).text).toBe("new");
  });

  test("what others have left is left alone", async () => {
    const desk = openFileDesk();
    put(desk, temporaryName("eff_2"), "half");
    await ask(desk, false);
    expect(desk.namesIn("a")).toStrictEqual([temporaryName("eff_2")]);
  });

  test("a link in its place is not followed, and nobody knows", async () => {
    const desk = openFileDesk();
    mkdirSync(join(desk.root, "a"));
    writeFileSync(join(desk.outside, "../new"), "new");
    symlinkSync("../../new", join(desk.root, "a/b"));
    expect(await ask(desk, true)).toStrictEqual({ status: "unknown" });
    symlinkSync("../outside", join(desk.root, "c"));
    expect(await refusalOf(ask(desk, true, "c/b"))).toBe("sandbox_denied link");
  });
});
