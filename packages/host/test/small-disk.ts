// Real file systems for tests, where the one who runs them may mount some.
import { execFileSync } from "node:child_process";
import { onTestFinished } from "vitest";
import { dataFolder } from "./data-folder.ts";

/** A folder on a disk of its own with so much room, an empty one unless given; what was in it is then out of sight. */
export function smallDisk(
  kilobytes: number,
  skip: (note: string) => never,
  folder: string = dataFolder(),
): string {
  try {
    run("mount", "-t", "tmpfs", "-o", `size=${kilobytes}k,mode=700`, "tmpfs", folder);
  } catch {
    skip("no file system can be mounted here");
  }
  onTestFinished(() => run("umount", "--lazy", folder));
  return folder;
}

/** Nothing is written to this disk any more, whoever wants to. */
export function makeReadOnly(disk: string): void {
  run("mount", "-o", "remount,ro", disk);
}

function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: "ignore" });
}
