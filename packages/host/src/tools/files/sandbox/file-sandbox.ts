import type { ToolRoot } from "../../tool-root.ts";
import type { FsLimits } from "../fs-limits.ts";

/** What the file tools of one pack have in common. */
export type FileSandbox = {
  readonly root: ToolRoot;
  readonly limits: FsLimits;
  /** What is done with a file that has several names, one of which may lie outside. */
  readonly hardLinks: "refuse" | "read";
  /** What is done with what is mounted below the root. */
  readonly mounts: "refuse" | "follow";
  readonly platform: NodeJS.Platform;
};
