// Where no folder can be held by a descriptor the tools still work, refuse what they see, and say that it is less.
import { execFileSync, spawnSync } from "node:child_process";
import { linkSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type FileDesk, openFileDesk, refusalOf } from "../../../test/file-desk.ts";
import { createFile, entriesOf, makeFolder, removeFile } from "./sandbox/in-folder.ts";
import { openByPath } from "./sandbox/open-by-path.ts";

test("every tool works, and every output says so", async () => {
  const desk = openFileDesk({ platform: "darwin" });
  expect(await desk.write("a/b", "text")).toStrictEqual({ path: "a/b", bytes: 4, sandbox: "reduced" });
  await desk.write("a/b", "other", { overwrite: true });
  expect(await desk.read("a/b")).toMatchObject({ text: "other", sandbox: "reduced" });
  expect(await desk.list("a")).toStrictEqual({
    path: "a",
    entries: [{ name: "b", type: "file", bytes: 5 }],
    truncated: false,
    sandbox: "reduced",
  });
  expect(await refusalOf(desk.write("a/b", "x"))).toBe("invalid_input exists");
  expect(await refusalOf(desk.read("a/c"))).toBe("not_found not_found");
});

describe("a folder that was swapped for a link after it was looked at is not used", () => {
  async function swapped(): Promise<{ desk: FileDesk; folder: Awaited<ReturnType<typeof openByPath>> }> {
    const desk = openFileDesk({ platform: "darwin" });
    const path = join(desk.root, "folder");
    mkdirSync(path);
    writeFileSync(join(path, "canary.txt"), "inside");
    const folder = await openByPath(path, desk.root, "folder");
    renameSync(path, `${path}.aside`);
    symlinkSync(desk.outside, path);
    return { desk, folder };
  }

  test("to look for what is in it, to make something, to remove something", async () => {
    const { desk, folder } = await swapped();
    const changed = "sandbox_denied changed";
    expect(await refusalOf(folder.child("canary.txt"))).toBe(changed);
    expect(await refusalOf(createFile(folder, "new", 0o644))).toBe(changed);
    expect(await refusalOf(makeFolder(folder, "new"))).toBe(changed);
    expect(await refusalOf(removeFile(folder, "canary.txt"))).toBe(changed);
    expect(await refusalOf(entriesOf(folder).next())).toBe(changed);
    desk.requireUntouched();
  });

  test("a file that was swapped for another one is not read", async () => {
    const desk = openFileDesk({ platform: "darwin" });
    const path = join(desk.root, "file");
    writeFileSync(path, "inside");
    const file = await openByPath(path, desk.root, "file");
    renameSync(path, `${path}.aside`);
    linkSync(join(desk.outside, "canary.txt"), path);
    expect(await refusalOf(file.open())).toBe("sandbox_denied changed");
  });
});

const canUnmount = process.platform === "linux" && spawnSync("unshare", ["-m", "true"]).status === 0;

// Only the superuser can take /proc away.
test.skipIf(!canUnmount)("a Linux without /proc is told by itself", () => {
  const desk = openFileDesk();
  writeFileSync(join(desk.root, "file"), "text");
  const script = 'umount -l /proc && exec "$@"';
  const program = join(import.meta.dirname, "../../../test/file-programs/read-one-file.ts");
  const node = [process.execPath, "--conditions=source", program, desk.root, "file"];
  const said = execFileSync("unshare", ["-m", "sh", "-c", script, "sh", ...node], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  expect(JSON.parse(said)).toMatchObject({ text: "text", sandbox: "reduced" });
});
