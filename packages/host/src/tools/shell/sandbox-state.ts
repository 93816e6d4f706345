import { systemFolders } from "./locate-program.ts";
import { probeSandbox, type Sandbox } from "./probe-sandbox.ts";
import { type SandboxLimits, sandboxLimits } from "./sandbox-limits.ts";
import type { Off } from "./sandbox-remedy.ts";

/** Whether commands can run here. `full` only where the sandbox was tried since this process started, and held. */
export type SandboxState =
  | { readonly state: "full"; readonly version: string }
  | {
      readonly state: "off";
      readonly reason: string;
      /** What a person can do about it. */
      readonly remedy: string;
    };

export type SandboxOptions = {
  readonly limits?: Partial<SandboxLimits> | undefined;
  /** Where its programs are; the machine's own folders unless given. */
  readonly folders?: readonly string[] | undefined;
  /** Tries it again also where it has been tried. */
  readonly again?: boolean | undefined;
};

const tried = new Map<string, Promise<Sandbox | Off>>();

/**
 * The sandbox of this machine, tried once, or why there is none. What cannot be had now is tried again when it is asked for next: somebody
 * may have done what was said, and what was short (open files, processes, memory) may be there again.
 */
export function openSandbox({ limits: given, folders = systemFolders, again }: SandboxOptions = {}) {
  const limits = sandboxLimits(given);
  const key = JSON.stringify([folders, limits]);
  const known = again === true ? undefined : tried.get(key);
  if (known !== undefined) return known;
  const trial = probeSandbox(folders, limits);
  tried.set(key, trial);
  void forgetUnlessFull(key, trial);
  return trial;
}

async function forgetUnlessFull(key: string, trial: Promise<Sandbox | Off>): Promise<void> {
  const found = await trial;
  if (!("start" in found) && tried.get(key) === trial) tried.delete(key);
}

/** Tells whether `shell.exec` can run commands here, and where not, what to do about it. */
export async function sandboxState(options?: SandboxOptions): Promise<SandboxState> {
  const found = await openSandbox(options);
  return "start" in found ? { state: "full", version: found.version } : { state: "off", ...found };
}
