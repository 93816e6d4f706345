// What is mounted below a root is not seen by a command: with real mounts, which only the superuser makes.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { dataFolder } from "../../../test/data-folder.ts";
import { describeSandbox } from "../../../test/describe-sandbox.ts";
import { inTurn } from "../../../test/in-turn.ts";
import { secretOutside, shellDesk } from "../../../test/shell-desk.ts";
import { mountsToHide } from "./mounts-below.ts";

/** Some containers have a superuser that mounts nothing. */
const canMount = process.platform === "linux" && spawnSync("unshare", ["-m", "true"]).status === 0;

function mount(at: string, ...args: readonly string[]): void {
  execFileSync("mount", [...args, at], { stdio: "pipe" });
  onTestFinished(() => void execFileSync("umount", ["-l", at]));
}

/** A folder beside nothing that a root has, with something in it. */
function folderOutside(): string {
  const folder = mkdtempSync(join(dataFolder(), "outside-"));
  writeFileSync(join(folder, "secret"), secretOutside);
  return folder;
}

describe.skipIf(!canMount)("mounted below the root", () => {
  describeSandbox("and hidden", () => {
    test.each(["mnt", "deep/mnt", "a b\\c\n", "ü"])("a folder, at %j", async (name) => {
      const { root, run } = shellDesk({ files: { x: "x\n", "deep/y": "y\n" } });
      mkdirSync(join(root, name), { recursive: true });
      mount(join(root, name), "--bind", folderOutside());
      await inTurn(["grep -r nobody .", "find . -name secret", "ls -R"], async (cmd) => {
        const { stdout, stderr } = await run(cmd);
        expect([cmd, stdout]).not.toEqual([cmd, expect.stringMatching(/nobody reads|secret/)]);
        expect([cmd, stderr]).toEqual([cmd, expect.stringContaining("Permission denied")]);
      });
      expect(await run("cat x deep/y")).toMatchObject({ exitCode: 0, stdout: "x\ny\n" });
    });

    test("a single file", async () => {
      const { root, run } = shellDesk({ files: { x: "x\n", file: "inside\n" } });
      mount(join(root, "file"), "--bind", join(folderOutside(), "secret"));
      expect(await run("cat file x")).toMatchObject({ exitCode: 1, stdout: "x\n" });
    });

    test("one that no command could reach is in nobody's way", async () => {
      const { root, run } = shellDesk({ files: { x: "x\n", "closed/mnt/y": "y\n" } });
      mount(join(root, "closed/mnt"), "--bind", folderOutside());
      chownSync(join(root, "closed"), 1234, 1234);
      chmodSync(join(root, "closed"), 0o700);
      expect(await run("cat x")).toMatchObject({ exitCode: 0, stdout: "x\n" });
      expect(await run("cat closed/mnt/secret")).toMatchObject({ exitCode: 1, stdout: "" });
    });
  });

  describeSandbox("and opened by an operator", () => {
    test("is seen, but never the kernel's own", async () => {
      const { root, run } = shellDesk({ files: { "mnt/x": "", "proc/x": "" }, mounts: "follow" });
      mount(join(root, "mnt"), "--bind", folderOutside());
      mount(join(root, "proc"), "-t", "proc", "none");
      expect(await run("cat mnt/secret")).toMatchObject({ exitCode: 0, stdout: secretOutside });
      expect(await run("cat proc/1/cmdline")).toMatchObject({ exitCode: 1, stdout: "" });
    });
  });
});

test("of the kernel's list only what lies below counts, and of that the outermost", () => {
  const root = dataFolder();
  const line = (place: string, type = "ext4") => `36 35 98:0 / ${place} rw,noatime - ${type} /dev/root rw`;
  for (const name of ["a b", "c/d"]) mkdirSync(join(root, name), { recursive: true });
  const table = [
    line("/"),
    line(root),
    line(dirname(root)),
    line(`${root}2`),
    line(`${root}/a\\040b`),
    line(`${root}/a\\040b/inner`),
    line(`${root}/c/d`, "proc"),
    line(`${root}/gone`),
    "",
  ].join("\n");
  const [ordinary, kernels] = [
    { below: "a b", isFolder: true },
    { below: "c/d", isFolder: true },
  ];
  expect(mountsToHide(root, "refuse", table)).toStrictEqual([ordinary, kernels]);
  expect(mountsToHide(root, "follow", table)).toStrictEqual([kernels]);
});
