import { InvalidInputError } from "@spfunctions/contracts";
import { defineTool, type Tool } from "@spfunctions/kernel";
import { openToolRoot, type RootOptions } from "../tool-root.ts";
import { type FsLimits, readFsLimits } from "./fs-limits.ts";
import { countTo, listedSchema, objectOf, readSchema, writtenSchema } from "./fs-schemas.ts";
import { type ListInput, listFolder } from "./list-folder.ts";
import { type ReadInput, readText } from "./read-text.ts";
import { reconcileWrite } from "./reconcile-write.ts";
import type { FileSandbox } from "./sandbox/file-sandbox.ts";
import type { WriteInput } from "./write-target.ts";
import { writeText } from "./write-text.ts";

export type FsToolsOptions = RootOptions & {
  readonly limits?: Partial<FsLimits> | undefined;
  /**
   * `read` also reads files with several names (hard links), one of which may lie outside the root: for trees that a build or a
   * package manager has linked together. They are never overwritten. `refuse` unless given.
   */
  readonly hardLinks?: FileSandbox["hardLinks"] | undefined;
  /** `follow` also goes into what is mounted below the root, but never into the kernel's own. `refuse` unless given. */
  readonly mounts?: FileSandbox["mounts"] | undefined;
};

/**
 * Tools that read, list and write text files below a root, and nothing outside it: no link is followed. Every output says how sure
 * that is: `sandbox: "full"` on Linux, `"reduced"` where a path could be swapped between a look at it and its use.
 *
 * A process that is killed while it writes may leave a file `.sf-write-<32 hex digits>.tmp` beside the one it was to be. It is removed
 * when its call is recovered; one that nobody recovers can be deleted.
 */
export function fsTools(options: FsToolsOptions): readonly Tool[] {
  const sandbox = openFileSandbox(options);
  const { limits } = sandbox;
  const path = { type: "string", description: "Below the root, like notes/today.md" };
  return [
    defineTool({
      name: "fs.read_text",
      title: "Read a text file",
      description: `The text of a file below the root, cut after max_bytes (at most ${limits.readBytes}). Links are not followed.`,
      permissions: ["fs:read"],
      sideEffect: "none",
      costEffect: "none",
      input: objectOf({
        path,
        max_bytes: countTo(limits.readBytes, 20_000),
      }),
      output: readSchema,
      run: (input, { signal }) => readText(sandbox, input as ReadInput, signal),
    }),
    defineTool({
      name: "fs.list_dir",
      title: "List a folder",
      description: `What is in a folder below the root, by name, cut after max_entries (at most ${limits.listEntries}).`,
      permissions: ["fs:read"],
      sideEffect: "none",
      costEffect: "none",
      input: objectOf({
        path: { ...path, default: "." },
        max_entries: countTo(limits.listEntries, 200),
      }),
      output: listedSchema,
      run: (input, { signal }) => listFolder(sandbox, input as ListInput, signal),
    }),
    defineTool({
      name: "fs.write_text",
      title: "Write a text file",
      description:
        `Writes a text of at most ${limits.writeBytes} bytes to a file below the root, whole or not at all, and makes ` +
        "the folders it lies in. A file that is there is replaced only with overwrite.",
      permissions: ["fs:write"],
      sideEffect: "user_write",
      costEffect: "none",
      input: objectOf({
        path,
        text: { type: "string" },
        overwrite: { type: "boolean", default: false },
      }),
      output: writtenSchema,
      run: (input, context) => writeText(sandbox, input as WriteInput, context),
      reconcile: (input, context) => reconcileWrite(sandbox, input as WriteInput, context),
    }),
  ];
}

export function openFileSandbox(options: FsToolsOptions, platform = process.platform): FileSandbox {
  const { hardLinks = "refuse", mounts = "refuse" } = options;
  requireWord("hardLinks", hardLinks, ["refuse", "read"]);
  requireWord("mounts", mounts, ["refuse", "follow"]);
  return { root: openToolRoot(options), limits: readFsLimits(options.limits), hardLinks, mounts, platform };
}

function requireWord(option: string, given: unknown, words: readonly string[]): void {
  if (words.includes(given as string)) return;
  throw new InvalidInputError(`${option} is one of ${words.join(", ")}`, {
    details: { path: `/${option}`, reason: "bad_option" },
  });
}
