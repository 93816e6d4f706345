import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { shellCommands } from "../src/tools/shell/check-command.ts";
import { execCommand, type ShellHost, type ShellResult } from "../src/tools/shell/exec-command.ts";
import { type SandboxLimits, sandboxLimits } from "../src/tools/shell/sandbox-limits.ts";
import { openToolRoot } from "../src/tools/tool-root.ts";
import { dataFolder } from "./data-folder.ts";

export type ShellDesk = {
  readonly root: string;
  /** A file beside the root that nothing may read or change. */
  readonly outside: string;
  readonly run: (cmd: string, terms?: Terms) => Promise<ShellResult>;
};

type Terms = {
  readonly timeout_s?: number;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  readonly progress?: (message: string) => void;
};

export const secretOutside = "nobody reads this";

type DeskOptions = {
  readonly files?: Readonly<Record<string, string>>;
  readonly limits?: Partial<SandboxLimits>;
  readonly folders?: readonly string[];
  readonly mounts?: "refuse" | "follow";
};

/** A root with these files, and a way to run commands in it. */
export function shellDesk({ files = {}, limits, folders, mounts }: DeskOptions = {}): ShellDesk {
  const base = dataFolder();
  const [root, outside] = [join(base, "root"), join(base, "outside")];
  mkdirSync(root);
  writeFileSync(outside, secretOutside);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const host: ShellHost = {
    root: openToolRoot({ root }),
    commands: shellCommands,
    limits: sandboxLimits(limits),
    folders,
    mounts,
  };
  const run = (cmd: string, { timeout_s = 20, ...watching }: Terms = {}) =>
    execCommand(
      host,
      { cmd, timeout_s },
      { signal: new AbortController().signal, timeoutMs: 60_000, progress: () => undefined, ...watching },
    );
  return { root, outside, run };
}

/** The processes of this machine with this among their arguments. */
export function processesWith(mark: string, processes: readonly string[]): string[] {
  return processes.filter((pid) => {
    try {
      return pid !== `${process.pid}` && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(mark);
    } catch {
      return false;
    }
  });
}
