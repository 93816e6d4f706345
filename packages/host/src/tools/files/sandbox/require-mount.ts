import { statfs } from "node:fs/promises";
import { denied } from "../refusals.ts";
import type { FileSandbox } from "./file-sandbox.ts";
import type { Held } from "./opened.ts";

/**
 * File systems that are no files but the kernel talking, about this process's own memory and environment among others. They are
 * shown to nobody: proc, sys, cgroup (both), debug, trace, security, bpf, config, selinux, efivar, pstore, binfmt, namespaces.
 */
const kernelsOwn = new Set([
  0x9fa0, 0x62656572, 0x27e0eb, 0x63677270, 0x64626720, 0x74726163, 0x73636673, 0xcafe4a11, 0x62656570,
  0xf97cff8c, 0xde5e81e4, 0x6165676c, 0x42494e4d, 0x6e736673,
]);

/**
 * Refuses what is mounted below the root, unless told. Whoever names a root means a tree that they know; a disk, a share, another
 * container's volume or a /proc that is mounted into it may come later and holds what nobody meant. Trees without mounts, the root
 * being one itself, subvolumes and overlays are all one mount, and nothing is asked of them.
 */
export async function requireMount(
  { mounts }: Pick<FileSandbox, "mounts">,
  home: string,
  opened: Held,
  path: string,
): Promise<void> {
  if (opened.mount() === home) return;
  if (mounts === "refuse")
    throw denied(
      path,
      "other_mount",
      'lies on something that is mounted below the root; an operator can open it with mounts: "follow"',
    );
  if (kernelsOwn.has((await statfs(opened.way)).type))
    throw denied(path, "other_mount", "lies on a file system of the kernel's own, which no tool uses");
}
