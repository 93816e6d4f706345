// What is mounted below a root, and a disk that is full: with real mounts, which only the superuser makes.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { canary, type FileDesk, faultOf, openFileDesk, refusalOf } from "../../../test/file-desk.ts";

/** Some containers have a superuser that mounts nothing. */
const canMount = process.platform === "linux" && spawnSync("unshare", ["-m", "true"]).status === 0;

function mount(at: string, ...args: readonly string[]): void {
  mkdirSync(at, { recursive: true });
  execFileSync("mount", [...args, at], { stdio: "pipe" });
  onTestFinished(() => void execFileSync("umount", ["-l", at]));
}

const tiny = ["-t", "tmpfs", "-o", "size=64k", "none"];

// proves LIVE-4.32
describe.skipIf(!canMount)("what is mounted below the root", () => {
  async function answersOf(desk: FileDesk, file: string): Promise<ReadonlySet<string>> {
    return new Set([
      await refusalOf(desk.list("mnt")),
      await refusalOf(desk.read(`mnt/${file}`)),
      await refusalOf(desk.write(`mnt/${file}`, "x", { overwrite: true })),
      await refusalOf(desk.write("mnt/new", "x")),
      await refusalOf(desk.write("mnt/made/new", "x")),
    ]);
  }

  const refused = new Set(["sandbox_denied other_mount"]);

  test("a disk is refused, and nothing is made on it", async () => {
    const desk = openFileDesk();
    mount(join(desk.root, "mnt"), ...tiny);
    writeFileSync(join(desk.root, "mnt/file"), canary);
    expect(await answersOf(desk, "file")).toStrictEqual(refused);
    expect(desk.namesIn("mnt")).toStrictEqual(["file"]);
    expect((await desk.list()).entries).toStrictEqual([{ name: "mnt", type: "folder" }]);
  });

  test("a folder from outside is refused, although it is on the same disk", async () => {
    const desk = openFileDesk();
    mount(join(desk.root, "mnt"), "--bind", desk.outside);
    expect(await answersOf(desk, "canary.txt")).toStrictEqual(refused);
    desk.requireUntouched();
  });

  test("a single file from outside is refused", async () => {
    const desk = openFileDesk();
    writeFileSync(join(desk.root, "file"), "inside");
    const at = join(desk.root, "file");
    execFileSync("mount", ["--bind", join(desk.outside, "canary.txt"), at]);
    onTestFinished(() => void execFileSync("umount", [at]));
    expect(await refusalOf(desk.read("file"))).toBe("sandbox_denied other_mount");
    expect(await refusalOf(desk.write("file", "x", { overwrite: true }))).toBe("upstream_error busy");
    desk.requireUntouched();
  });

  test("a root that is a mount itself is a root like any other", async () => {
    const desk = openFileDesk();
    mount(desk.root, ...tiny);
    await desk.write("a/b", "text");
    expect((await desk.read("a/b")).text).toBe("text");
  });

  test("an operator can open it, but never the kernel's own", async () => {
    const desk = openFileDesk({ mounts: "follow" });
    mount(join(desk.root, "mnt"), ...tiny);
    await desk.write("mnt/a/b", "text");
    expect((await desk.read("mnt/a/b")).text).toBe("text");
    mount(join(desk.root, "proc"), "-t", "proc", "none");
    expect(await faultOf(desk.read("proc/self/environ"))).toMatchObject({ code: "sandbox_denied" });
    expect(await refusalOf(desk.read(`proc/${process.pid}/environ`))).toBe("sandbox_denied other_mount");
    expect(await refusalOf(desk.list("proc"))).toBe("sandbox_denied other_mount");
  });
});

describe.skipIf(!canMount)("a disk that is full", () => {
  test("says so, leaves what was there, and nothing of what was begun", async () => {
    const desk = openFileDesk();
    mount(desk.root, ...tiny);
    await desk.write("kept", "old");
    const free = statfsSync(desk.root).bfree;
    for (const overwrite of [true, false]) {
      const fault = await faultOf(desk.write(overwrite ? "kept" : "new", "x".repeat(100_000), { overwrite }));
      expect(fault).toMatchObject({
        code: "upstream_error",
        retry: "after_user_action",
        details: { path: "/path", reason: "disk_full" },
      });
    }
    expect(desk.textIn("kept")).toBe("old");
    expect(desk.namesIn()).toStrictEqual(["kept"]);
    expect(statfsSync(desk.root).bfree).toBe(free);
  });

  test("one that has no more room for names", async () => {
    const desk = openFileDesk();
    mount(desk.root, "-t", "tmpfs", "-o", "nr_inodes=4", "none");
    await desk.write("one", "1");
    await desk.write("two", "2");
    expect(await refusalOf(desk.write("three", "3"))).toBe("upstream_error disk_full");
    expect(await refusalOf(desk.write("a/b", "3"))).toBe("upstream_error disk_full");
    // A folder that was made on the way stays.
    expect(desk.namesIn()).toStrictEqual(["a", "one", "two"]);
    expect(desk.namesIn("a")).toStrictEqual([]);
  });

  test("one that is read-only", async () => {
    const desk = openFileDesk();
    mount(desk.root, ...tiny);
    await desk.write("kept", "old");
    execFileSync("mount", ["-o", "remount,ro", desk.root]);
    for (const path of ["kept", "new", "a/b"])
      expect(await refusalOf(desk.write(path, "x", { overwrite: true }))).toBe(
        "host_configuration_needed read_only",
      );
    expect((await desk.read("kept")).text).toBe("old");
  });
});
